/** A list that keeps only its newest items, so that a playground that runs for weeks does not fill the memory. */
export class Recorded<T> {
  readonly #items: T[] = [];
  readonly #most: number;

  /** @param most how many to keep; Infinity for tests, which look at everything */
  constructor(most: number) {
    this.#most = most;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length > this.#most) this.#items.shift();
  }

  /** Oldest first. The list itself, so that callers that hold it see what comes. */
  get items(): readonly T[] {
    return this.#items;
  }
}
