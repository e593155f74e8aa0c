import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { ToolDefinition } from "../external-tools.ts";
import { cleanText } from "./clean-text.ts";
import { headerFault } from "./header-parameters.ts";

/** A tool that is not offered, and why, as words for the log and for admins. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

/** Longest definition in characters of JSON. The longest of twenty real servers has 14,000. */
const LONGEST_DEFINITION = 65_536;
/** Deepest nesting of a schema. Real ones have up to 14. */
const DEEPEST_SCHEMA = 40;

const listed = z.looseObject({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Reads one entry of a tool list, so that a bad one costs itself alone. Undefined: meant for an app's page and none of the model's business. */
export function readDefinition(raw: unknown): ToolDefinition | LeftOut | undefined {
  const { data } = listed.safeParse(raw);
  if (!data) return { name: "?", reason: "it has no name" };
  const name = data.name.slice(0, 200);
  if (!/^[A-Za-z0-9][A-Za-z0-9_./-]{0,127}$/.test(data.name))
    return { name: cleanText(name), reason: "its name is not one that MCP allows" };
  if (depthOf(raw) > DEEPEST_SCHEMA) return { name, reason: "its schema is nested too deeply" };
  if (JSON.stringify(raw).length > LONGEST_DEFINITION) return { name, reason: "its definition is too long" };
  if (poisoned(raw)) return { name, reason: "its schema names a property that JavaScript keeps to itself" };
  const description = data.description ?? "";
  if (hasHiddenText(raw)) return { name, reason: "its definition holds characters that people cannot see" };
  const fault = headerFault(data.inputSchema ?? {});
  if (fault) return { name, reason: fault };
  if (isForApps(data._meta)) return undefined;
  return {
    name,
    ...(data.title !== undefined && { title: data.title }),
    description,
    inputSchema: data.inputSchema ?? {},
    ...(data.outputSchema !== undefined && { outputSchema: data.outputSchema }),
    ...(data.annotations !== undefined && { annotations: data.annotations }),
  };
}

export const isLeftOut = (read: ToolDefinition | LeftOut): read is LeftOut => "reason" in read;

/**
 * The fingerprint by which an approved tool is known again: of its whole definition and of the way to its server. The order of keys
 * does not matter, every character does.
 * @param identity how the server is reached: its address or its command line
 */
export const fingerprintOf = (definition: ToolDefinition, identity: string): string =>
  createHash("sha256")
    .update(`${identity}\n${canonicalJson(definition)}`)
    .digest("hex");

/** `_meta.ui.visibility` without "model": the tool serves an app's own page. */
function isForApps(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  const visibility = (meta?.ui as { visibility?: unknown } | undefined)?.visibility;
  return Array.isArray(visibility) && !visibility.includes("model");
}

function depthOf(value: unknown, limit = DEEPEST_SCHEMA + 1): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  let deepest = 0;
  // One by one: as arguments of one call a hundred thousand values are too many.
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return 1 + deepest;
}

const poisonous = new Set(["__proto__", "constructor", "prototype"]);

function poisoned(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && poisonous.has(key)) || poisoned(inner));
}

/** Whether a definition holds characters that an admin who reads it cannot see. */
function hasHiddenText(value: unknown): boolean {
  // Half of a pair of code units is no character either, and no database takes it.
  if (typeof value === "string") return cleanText(value) !== value.normalize("NFC") || /\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasHiddenText(key) || hasHiddenText(inner));
}
