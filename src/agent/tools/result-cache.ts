import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Clock } from "../../core/clock.ts";
import { effectOf } from "../../permissions/approval.ts";
import type { Tool, ToolContext, ToolResult } from "../../plugins/contract.ts";

/** Characters that all kept results of a process may have together. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** A result that was got before, and how long that took then, in milliseconds. */
interface KeptResult {
  readonly result: ToolResult;
  readonly at: number;
  readonly ms: number;
}

/**
 * Results of tools that say how long theirs stay fresh, used again for exactly the same: workspace, readers, tool as it is defined, settings and
 * arguments; and person, where each calls with a log-in of their own. Only what reads is kept, and only when it succeeded.
 */
export class ResultCache {
  readonly #kept = new LRUCache<string, KeptResult>({ maxSize: MOST_CHARACTERS });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is known and fresh, marked as such, or what `run` gives. @param mayKeep asked when it has: not of a result to which a person has added */
  async get(
    tool: Tool,
    params: unknown,
    context: ToolContext,
    run: () => Promise<ToolResult>,
    mayKeep: () => boolean = () => true,
  ): Promise<ToolResult> {
    const { freshMs } = tool;
    if (freshMs === undefined || !reads.has(effectOf(tool))) return run();
    const key = keyOf(tool, params, context);
    const known = this.#kept.get(key);
    if (known && this.#clock.monotonic() - known.at <= freshMs)
      return { ...known.result, metadata: { ...known.result.metadata, cached: { savedMs: known.ms } } };
    const began = this.#clock.monotonic();
    const result = await run();
    const at = this.#clock.monotonic();
    if (result?.status === "success" && mayKeep())
      this.#kept.set(key, { result, at, ms: Math.round(at - began) }, { size: sizeOf(result) });
    return result;
  }
}

const reads: ReadonlySet<string> = new Set(["read-inside", "read-outside"]);

function keyOf(tool: Tool, params: unknown, { tenant, person, audience, settings }: ToolContext): string {
  const { name, description, parameters, effect, server, login } = tool;
  const definition = { name, description, parameters, effect: effect ?? null, server: server ?? null };
  const whose = login ? person : null;
  return createHash("sha256")
    .update(canonicalJson([tenant, audience.key, whose, definition, settings, params ?? null]))
    .digest("hex");
}

const sizeOf = (result: ToolResult): number => Math.max(1, JSON.stringify(result).length);
