/** Types that every model service knows. */
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
/** Keywords that the strictest services of today take. */
const keywords = new Set([
  ...["type", "description", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "default"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"],
]);
const DEEPEST = 12;

/** Why a model service of the strictest kind would refuse a request with this function; empty when it takes it. */
export function functionMistakes(tool: unknown): string[] {
  const { function: given } = tool as { function?: { name?: unknown; description?: unknown; parameters?: unknown } };
  const name = String(given?.name);
  const mistakes: string[] = [];
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) mistakes.push("bad name");
  if (typeof given?.description !== "string" || given.description.trim() === "") mistakes.push("no description");
  const root = given?.parameters as Record<string, unknown> | undefined;
  if (root?.type !== "object") mistakes.push("parameters are no object");
  else if (["oneOf", "anyOf", "allOf", "enum", "not", "$ref"].some((key) => key in root)) mistakes.push("alternatives at the root");
  else mistakes.push(...schemaMistakes(root, "", 0));
  return mistakes.map((mistake) => `${name}: ${mistake}`);
}

function schemaMistakes(schema: unknown, path: string, depth: number): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [`${path} is no schema`];
  if (depth > DEEPEST) return [`${path} is nested too deeply`];
  const { type, properties, required, items, anyOf, enum: values } = schema as Record<string, unknown>;
  const mistakes = Object.keys(schema).flatMap((key) => (keywords.has(key) ? [] : [`${path}: the keyword ${key} is not known`]));
  const list = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (list.some((one) => !types.has(one))) mistakes.push(`${path}: bad type`);
  if (depth > 0 && list.length === 0 && !anyOf && !(path.endsWith("[]") && Object.keys(schema).length === 0))
    mistakes.push(`${path}: no type`);
  if (list.includes("array") && items === undefined) mistakes.push(`${path}: an array without items`);
  if (items !== undefined) mistakes.push(...schemaMistakes(items, `${path}[]`, depth + 1));
  if (list.includes("object") && typeof properties !== "object") mistakes.push(`${path}: an object without properties`);
  for (const [name, inner] of Object.entries((properties ?? {}) as object))
    mistakes.push(...schemaMistakes(inner, `${path}.${name}`, depth + 1));
  for (const name of (required ?? []) as string[])
    if (!Object.hasOwn((properties ?? {}) as object, name)) mistakes.push(`${path}: required ${name} is no property`);
  if (anyOf !== undefined && (!Array.isArray(anyOf) || anyOf.length === 0)) mistakes.push(`${path}: empty anyOf`);
  for (const inner of (anyOf ?? []) as unknown[]) mistakes.push(...schemaMistakes(inner, `${path}|`, depth + 1));
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) mistakes.push(`${path}: empty enum`);
  return mistakes;
}
