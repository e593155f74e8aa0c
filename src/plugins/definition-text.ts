import { canonicalJson } from "../core/canonical-json.ts";
import { lineDiff } from "../core/line-diff.ts";
import type { KnownTool } from "./external-tools.ts";

/** A tool's definition for whoever decides about it: whole when it is new, and where it was approved in another form only what has changed. */
export function definitionText({ definition, approved, status }: Pick<KnownTool, "definition" | "approved" | "status">): string {
  const now = linesOf(definition);
  if (status !== "changed" || !approved) return now.map((line) => `  ${line}`).join("\n");
  return lineDiff(linesOf(approved), now).join("\n");
}

const linesOf = (definition: unknown): readonly string[] => canonicalJson(definition, 2).split("\n");
