import type { JsonSchema, JsonSchemaProperty } from "../../core/json-schema.ts";
import { shortText } from "./clean-text.ts";

/** Longest description of one parameter that a model gets, in characters. */
const LONGEST_DESCRIPTION = 1_000;
/** References within references are followed this deep; a structure that contains itself goes on for ever. */
const DEEPEST_REFERENCE = 4;
/** Nesting below which only "an object" is left: models refuse deeper functions. */
const DEEPEST = 10;
/** Most alternatives of one parameter. */
const MOST_CHOICES = 20;
/** Most parts of one schema: references within references multiply. */
const MOST_PARTS = 2_000;

type Raw = Readonly<Record<string, unknown>>;

/** Keywords that are given to the model as they are; all else says nothing to it, or may do harm (`pattern` can hang a program). */
const kept = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "default",
] as const;
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * A server's schema as a function's parameters that models of today take: an object at the root, references written out, alternatives
 * at the root merged into one object, every parameter of a known type and described. The server still judges the arguments by its own
 * schema. Never throws; what cannot be said becomes broader.
 */
export function parametersOf(inputSchema: Raw): JsonSchema {
  const state: State = { root: inputSchema, parts: 0 };
  const merged = objectOf(merge(inputSchema, state, 0), state);
  const properties = Object.fromEntries(
    Object.entries(merged.properties).map(([name, schema]) => [name, described(convert(schema, state, 0, 1), name)]),
  );
  const required = merged.required.filter((name) => Object.hasOwn(properties, name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: merged.open && Object.keys(properties).length > 0,
  };
}

interface State {
  readonly root: Raw;
  parts: number;
}

interface Merged {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** Whether the schema says by itself that other arguments are welcome. */
  readonly open: boolean;
}

/** An object's parts; of alternatives all properties, of which only those that each alternative requires stay required. */
function objectOf(schema: Raw, state: State, depth = 0): Merged {
  const own: Merged = {
    properties: record(schema.properties),
    required: strings(schema.required),
    open: schema.additionalProperties === true || isRecord(schema.additionalProperties),
  };
  const inner = depth < DEEPEST_REFERENCE ? alternatives(schema).slice(0, MOST_CHOICES) : [];
  const choices = inner.map((choice) => objectOf(merge(choice, state, depth + 1), state, depth + 1));
  if (choices.length === 0) return own;
  const inAll = choices.map(({ required }) => required).reduce((all, some) => all.filter((name) => some.includes(name)));
  const properties: Record<string, unknown> = {};
  for (const choice of choices) {
    for (const [name, property] of Object.entries(choice.properties)) {
      properties[name] = name in properties ? either(properties[name], property) : property;
    }
  }
  return {
    properties: { ...properties, ...own.properties },
    required: [...new Set([...own.required, ...inAll])],
    open: own.open || choices.some(({ open }) => open),
  };
}

/** One property of two alternatives: the same in both, or one of both. */
function either(a: unknown, b: unknown): unknown {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const enumOf = (schema: unknown) => (isRecord(schema) ? ("const" in schema ? [schema.const] : schema.enum) : undefined);
  const [first, second] = [enumOf(a), enumOf(b)];
  if (isRecord(a) && Array.isArray(first) && Array.isArray(second)) {
    const { const: _one, ...rest } = a;
    return { ...rest, enum: [...new Set([...first, ...second])] };
  }
  return { anyOf: [a, b] };
}

function convert(raw: unknown, state: State, references: number, depth: number): JsonSchemaProperty {
  state.parts += 1;
  if (!isRecord(raw) || state.parts > MOST_PARTS) return { type: "string" };
  const deeper = typeof raw.$ref === "string" ? references + 1 : references;
  const schema = merge(raw, state, references);
  const description = typeof schema.description === "string" ? shortText(schema.description, LONGEST_DESCRIPTION) : undefined;
  const about = description ? { description } : {};
  if (deeper > DEEPEST_REFERENCE || depth > DEEPEST) return { type: "object", properties: {}, ...about };

  const choices = alternatives(schema);
  if (choices.length > 0 && !isRecord(schema.properties)) {
    const converted = choices.slice(0, MOST_CHOICES).map((choice) => convert(choice, state, deeper, depth + 1));
    const [only] = converted;
    return converted.length === 1 && only ? { ...only, ...about } : { anyOf: converted, ...about };
  }
  const fixed = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  const type = typeOf(schema, fixed);
  const rest = Object.fromEntries(kept.flatMap((key) => (isPlain(schema[key]) ? [[key, schema[key]]] : [])));
  const values = fixed?.filter(isPlain);
  const result: Record<string, unknown> = { type, ...about, ...rest, ...(values && values.length > 0 && { enum: values }) };
  if (type === "array" || (Array.isArray(type) && type.includes("array"))) result.items = itemsOf(schema, state, deeper, depth);
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) Object.assign(result, insideOf(schema, state, deeper, depth));
  return result;
}

function itemsOf(schema: Raw, state: State, references: number, depth: number): JsonSchemaProperty {
  const { items, prefixItems } = schema;
  const each = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : undefined;
  if (each) return convert(each.length === 1 ? each[0] : { anyOf: each }, state, references, depth + 1);
  return isRecord(items) ? convert(items, state, references, depth + 1) : {};
}

function insideOf(schema: Raw, state: State, references: number, depth: number): Raw {
  const { properties, required, open } = objectOf(schema, state);
  const inner = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, described(convert(property, state, references, depth + 1), name)]),
  );
  const there = required.filter((name) => Object.hasOwn(inner, name));
  return {
    properties: inner,
    ...(there.length > 0 && { required: there }),
    ...(schema.additionalProperties === false && !open && { additionalProperties: false }),
  };
}

/** A schema with its reference followed and its `allOf` folded in. References out of the schema are never followed. */
function merge(raw: Raw, state: State, references: number): Raw {
  let schema = raw;
  for (let hops = references; typeof schema.$ref === "string" && hops <= DEEPEST_REFERENCE; hops++) {
    const { $ref, ...beside } = schema;
    schema = { ...lookUp(String($ref), state.root), ...beside };
  }
  if (!Array.isArray(schema.allOf) || references > DEEPEST_REFERENCE) return schema;
  const { allOf, ...own } = schema;
  const parts = allOf.filter(isRecord).map((part) => merge(part, state, references + 1));
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const all: Record<string, unknown> = {};
  for (const part of [...parts, own]) {
    Object.assign(all, part);
    Object.assign(properties, record(part.properties));
    required.push(...strings(part.required));
  }
  if (Object.keys(properties).length > 0) all.properties = properties;
  if (required.length > 0) all.required = [...new Set(required)];
  return all;
}

function lookUp(reference: string, root: Raw): Raw {
  if (!reference.startsWith("#")) return {};
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : Array.isArray(found) ? found[Number(key)] : undefined;
  }
  return isRecord(found) ? found : {};
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const alternatives = ({ anyOf, oneOf }: Raw): readonly Raw[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));

function typeOf(schema: Raw, fixed: readonly unknown[] | undefined): string | readonly string[] {
  const given = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => types.has(type as string)) as string[];
  if (schema.nullable === true && given.length > 0 && !given.includes("null")) given.push("null");
  if (given.length > 1) return given;
  const [type] = given;
  if (type) return type;
  if (isRecord(schema.properties)) return "object";
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  const sort = typeof fixed?.[0];
  return sort === "number" || sort === "boolean" ? sort : fixed ? "string" : ["string", "number", "boolean", "object", "array", "null"];
}

const described = (property: JsonSchemaProperty, name: string): JsonSchemaProperty =>
  property.description?.trim() ? property : { ...property, description: name.replace(/[_-]+/g, " ") };

const isRecord = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value);
const record = (value: unknown): Raw => (isRecord(value) ? value : {});
const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
/** Values that cost nothing to pass on. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && value.length <= LONGEST_DESCRIPTION);
