import { LRUCache } from "lru-cache";

/** Answers that may be a little old. One look-up serves all who ask for the same thing meanwhile; a failed one serves nobody later. */
export class Remembered<T> {
  readonly #cache: LRUCache<string, Promise<T>>;
  readonly #freshMs: number;
  readonly #refreshing = new Set<string>();

  constructor({ max, freshMs }: { readonly max: number; readonly freshMs: number }) {
    this.#freshMs = freshMs;
    this.#cache = new LRUCache({ max, ttl: freshMs });
  }

  /** What is known already, or about to be. Asked for again in the background when half of its time is over, so that busy keys stay known. */
  known(key: string, look: () => Promise<T>): Promise<T> | undefined {
    const known = this.#cache.peek(key);
    const left = this.#cache.getRemainingTTL(key);
    if (known && left < this.#freshMs / 2 && !this.#refreshing.has(key)) {
      this.#refreshing.add(key);
      const fresh = look();
      // As old as the moment at which it was asked for.
      const keep = () => this.#cache.set(key, fresh, { ttl: Math.max(1, this.#freshMs - left + this.#cache.getRemainingTTL(key)) });
      fresh.then(keep, () => undefined).finally(() => this.#refreshing.delete(key));
    }
    return known;
  }

  /** The next who asks is answered anew. */
  forget(key: string): void {
    this.#cache.delete(key);
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
