import { Ajv } from "ajv";
import { AppError, type ErrorCode, messageOf } from "../core/errors.ts";
import type { JsonSchema } from "../core/json-schema.ts";
import type { Plugin, Tool } from "./contract.ts";

/** Longest time limit a tool may ask for, in milliseconds. */
const MAX_TIMEOUT_MS = 300_000;
/** Longest a result may be used again, in milliseconds: a day. */
const MAX_FRESH_MS = 86_400_000;
/** Longest output a tool may ask for, in characters: more than any model would take. */
const MAX_OUTPUT = 1_000_000;

/** Words that mean something else in commands such as `tools off all`, or to JavaScript's own objects. */
const reserved: ReadonlySet<string> = new Set(["all", "none", "on", "off", "list", "help", "reset", "tools", "constructor", "prototype"]);

interface Mistake {
  readonly code: ErrorCode;
  readonly text: string;
}

/** Everything that exists. Nothing in it is enabled, and nothing can be added once it is made. */
export class Registry {
  readonly #tools: readonly Tool[];

  /** @throws AppError that names every mistake at once; PLUGIN_INVALID when they are of several kinds. */
  constructor(plugins: readonly Plugin[]) {
    const tools = plugins.flatMap((plugin) => plugin.tools);
    const mistakes = pluginMistakes(plugins);
    const [first] = mistakes;
    if (first) {
      const code = mistakes.every((mistake) => mistake.code === first.code) ? first.code : "PLUGIN_INVALID";
      throw new AppError(code, mistakes.map((mistake) => mistake.text).join(" "));
    }
    this.#tools = Object.freeze(tools.map(closed).sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  /** In name order, so that the prompt is the same on every run. */
  all(): readonly Tool[] {
    return this.#tools;
  }
}

/** Everything that keeps plugins from being registered together: bad and equal names, bad schemas, limits out of range. */
export function pluginMistakes(plugins: readonly Plugin[]): readonly Mistake[] {
  return [
    ...nameMistakes(plugins),
    ...plugins.flatMap((plugin) => plugin.tools.flatMap((tool) => toolMistakes(tool, plugin))),
    ...twins(plugins),
  ];
}

/** How a message names a plugin that did not come with the program. */
const from = (plugin: Plugin): string => (plugin.package === undefined ? "" : `${plugin.package}: `);

function nameMistakes(plugins: readonly Plugin[]): Mistake[] {
  const seen = new Set<string>();
  return plugins.flatMap((plugin) => {
    const { name } = plugin;
    const twice = seen.has(name);
    seen.add(name);
    const mistakes: Mistake[] = [];
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name))
      mistakes.push({ code: "PLUGIN_INVALID", text: `${from(plugin)}"${name}" is no plugin name.` });
    if (twice) mistakes.push({ code: "PLUGIN_INVALID", text: `${from(plugin)}There are two plugins "${name}".` });
    return mistakes;
  });
}

function toolMistakes(tool: Tool, plugin: Plugin): Mistake[] {
  const { name, description, parameters, timeoutMs = 1, freshMs = 1, outputLimit = 1 } = tool;
  const mistakes: Mistake[] = [];
  const add = (code: ErrorCode, text: string) => mistakes.push({ code, text: `${from(plugin)}${name}: ${text}` });

  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) add("TOOL_BAD_NAME", "not a name.");
  if (reserved.has(name)) add("TOOL_BAD_NAME", "a reserved word.");
  if (!/\S\.$/.test(description)) add("PLUGIN_INVALID", "the description must be sentences that end with a full stop.");
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)
    add("PLUGIN_INVALID", `timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}.`);
  if (!Number.isInteger(freshMs) || freshMs < 1 || freshMs > MAX_FRESH_MS)
    add("PLUGIN_INVALID", `freshMs must be from 1 to ${MAX_FRESH_MS}.`);
  if (!Number.isInteger(outputLimit) || outputLimit < 1 || outputLimit > MAX_OUTPUT)
    add("PLUGIN_INVALID", `outputLimit must be from 1 to ${MAX_OUTPUT}.`);
  for (const text of schemaMistakes(parameters)) add("TOOL_BAD_SCHEMA", text);
  return mistakes;
}

/** One for all, since each would first compile the schema of schemas; a schema's own id is not kept, so two may have the same. */
const checker = new Ajv({ strict: true, addUsedSchema: false });

function schemaMistakes(schema: JsonSchema): string[] {
  if (schema?.type !== "object" || typeof schema.properties !== "object") return ["parameters must be an object with properties."];
  const mistakes = undescribed(schema.properties).map((path) => `parameter ${path} has no description.`);
  if (schema.additionalProperties) mistakes.push("additionalProperties lets unchecked arguments through.");
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(schema.properties, name)) mistakes.push(`required parameter ${name} is not a property.`);
  }
  try {
    checker.compile(schema);
  } catch (thrown) {
    mistakes.push(`${messageOf(thrown)}.`);
  }
  return mistakes;
}

/** Paths of properties, nested ones too, that say nothing to the model. */
function undescribed(properties: JsonSchema["properties"], prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = (property.properties ?? (property.items as JsonSchema | undefined)?.properties ?? {}) as JsonSchema["properties"];
    const own = property.description?.trim() ? [] : [prefix + name];
    return [...own, ...undescribed(inner, `${prefix}${name}.`)];
  });
}

/** Names that are the same or that a person could not tell apart: l, 1 and i, o and 0, with and without underscores. */
function twins(plugins: readonly Plugin[]): Mistake[] {
  const seen = new Map<string, { readonly name: string; readonly plugin: Plugin }>();
  return plugins.flatMap((plugin) =>
    plugin.tools.flatMap(({ name }) => {
      const look = name.toLowerCase().replace(/[1i]/g, "l").replace(/0/g, "o").replace(/_/g, "");
      const other = seen.get(look);
      seen.set(look, { name, plugin });
      if (other === undefined) return [];
      const whose = other.plugin === plugin ? "" : ` of plugin "${other.plugin.name}"`;
      const text = other.name === name ? `${name} is there twice.` : `${name} looks like ${other.name}${whose}.`;
      return [{ code: "TOOL_ALREADY_REGISTERED" as const, text: `${from(plugin)}${text}` }];
    }),
  );
}

/** Arguments that are not in the schema are refused, and nobody can change a tool after it was checked. */
const closed = (tool: Tool): Tool => Object.freeze({ ...tool, parameters: { ...tool.parameters, additionalProperties: false } });
