import { createHash } from "node:crypto";
import type { ToolDefinition } from "../external-tools.ts";
import type { LeftOut } from "./definition.ts";

/** Longest name that models take for a function. */
const LONGEST_NAME = 64;
/** Between a server's name and its tool's. No tool of a plugin in this process may hold it. */
const BETWEEN = "__";

/** The tools of one server under names of our own. */
export interface NamedDefinitions {
  readonly named: readonly { readonly name: string; readonly definition: ToolDefinition }[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Names that are safe for every model and unique: the server's name in front, so that no server can take another's name or one of a
 * plugin's; a server's name that is there already is not repeated. Names that differ by more than signs get an ending of their own; those
 * that a person could not tell apart are all refused.
 */
export function nameTools(server: string, definitions: readonly ToolDefinition[]): NamedDefinitions {
  const looks = countBy(definitions, ({ name }) => lookOf(name));
  const alike = definitions.filter(({ name }) => (looks.get(lookOf(name)) ?? 0) > 1);
  const apart = definitions.filter((definition) => !alike.includes(definition));
  const plain = countBy(apart, ({ name }) => plainName(server, name));
  const named = apart.map((definition) => {
    const name = plainName(server, definition.name);
    const taken = (plain.get(name) ?? 0) > 1;
    return { name: name.length > LONGEST_NAME || taken ? withEnding(name, definition.name) : name, definition };
  });
  return {
    named,
    leftOut: alike.map(({ name }) => ({ name, reason: "another tool of the server has the same name, or one that looks like it" })),
  };
}

function plainName(server: string, tool: string): string {
  const prefix = snake(server);
  const own = snake(tool);
  return `${prefix}${BETWEEN}${own.startsWith(`${prefix}_`) ? own.slice(prefix.length + 1) : own}`;
}

/** Camel case, dots, hyphens and slashes become underscores. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "") || "tool";

function withEnding(name: string, original: string): string {
  const ending = `_${createHash("sha256").update(original).digest("hex").slice(0, 6)}`;
  return `${name.slice(0, LONGEST_NAME - ending.length)}${ending}`;
}

/** Equal for names that look the same: case, l and 1 and i, o and 0. */
const lookOf = (name: string): string => name.toLowerCase().replace(/[1i]/g, "l").replace(/0/g, "o");

function countBy<T>(all: readonly T[], key: (one: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return counts;
}
