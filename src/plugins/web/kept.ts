import { LRUCache } from "lru-cache";
import type { ToolContext } from "../contract.ts";

/** Characters that all kept answers of a process may have together. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

type Whose = Pick<ToolContext, "tenant" | "audience" | "clock">;

/**
 * Answers of the web that are used again for a while: never for another workspace, nor for other readers, who must not learn from how
 * fast or how old an answer is what others have asked.
 */
export class Kept<T> {
  readonly #entries: LRUCache<string, { readonly value: T; readonly at: number }>;
  readonly #sizeOf: (value: T) => number;

  constructor(sizeOf: (value: T) => number) {
    this.#entries = new LRUCache({ maxSize: MOST_CHARACTERS });
    this.#sizeOf = sizeOf;
  }

  /** What is known under this key and not older than `freshMs`, or what `ask` gives, which is then kept. */
  async get(key: readonly unknown[], freshMs: number, whose: Whose, ask: () => Promise<T>): Promise<T> {
    const { tenant, audience, clock } = whose;
    const name = JSON.stringify([tenant, audience.key, ...key]);
    const known = this.#entries.get(name);
    if (known && clock.monotonic() - known.at <= freshMs) return known.value;
    const value = await ask();
    this.#entries.set(name, { value, at: clock.monotonic() }, { size: Math.max(1, this.#sizeOf(value) + name.length) });
    return value;
  }
}
