import { LRUCache } from "lru-cache";

/** Answers that may be a little old. One look-up serves all who ask for the same thing meanwhile; a failed one serves nobody later. */
export class Remembered<T> {
  readonly #cache: LRUCache<string, Promise<T>>;

  constructor({ max, freshMs }: { readonly max: number; readonly freshMs: number }) {
    this.#cache = new LRUCache({ max, ttl: freshMs });
  }

  get(key: string, look: () => Promise<T>): Promise<T> {
    const known = this.#cache.get(key);
    if (known) return known;
    const asked = look();
    this.#cache.set(key, asked);
    asked.catch(() => {
      if (this.#cache.peek(key) === asked) this.#cache.delete(key);
    });
    return asked;
  }
}
