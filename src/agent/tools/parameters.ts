import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Tool } from "../../plugins/contract.ts";

/** Schemas of external tools may use keywords and formats we don't know; those are ignored rather than refused. Nor do they know of each other: two
 * servers, of two workspaces perhaps, may give their schemas the same id. */
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false, addUsedSchema: false });
const compiled = new WeakMap<Tool, ValidateFunction>();

/** Keys that reach an object's prototype when arguments are merged carelessly. No tool needs a parameter of that name. */
const poisonous = new Set(["__proto__", "constructor", "prototype"]);

const MOST_PROBLEMS = 5;

/** What is wrong with a call's arguments, naming the fields, as a sentence for the model; nothing when they fit the tool's schema. */
export function problemWith(params: unknown, tool: Tool): string | undefined {
  const poison = poisonousKey(params);
  if (poison) return `The parameter name ${poison} is not allowed.`;
  let validate = compiled.get(tool);
  if (!validate) {
    validate = ajv.compile(tool.parameters);
    // Ajv would hold every schema it has seen for ever; a server's are new at each reading.
    ajv.removeSchema(tool.parameters);
    compiled.set(tool, validate);
  }
  if (validate(params)) return undefined;
  const problems = (validate.errors ?? []).slice(0, MOST_PROBLEMS).map(sentence);
  return `${[...new Set(problems)].join("; ")}.`;
}

function sentence({ instancePath, keyword, params, message }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const at = (name: unknown) => (field ? `${field}.${name}` : String(name));
  if (keyword === "required") return `${at(params.missingProperty)} is missing`;
  if (keyword === "additionalProperties") return `${at(params.additionalProperty)} is not a parameter of this tool`;
  if (keyword === "enum") return `${field} must be one of ${JSON.stringify(params.allowedValues)}`;
  return `${field || "the arguments"} ${message ?? "are not valid"}`;
}

function poisonousKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && poisonous.has(key)) return key;
    const deeper = poisonousKey((value as Record<string, unknown>)[key]);
    if (deeper) return deeper;
  }
  return undefined;
}
