/** A misfortune that a test orders for the next calls of a method. */
export interface Fault {
  /** Or "*" for every method. */
  readonly method: string;
  /** Name of the workspace; any when absent. */
  readonly workspace?: string;
  /** How many calls it hits; 1 when absent. */
  readonly times?: number;
  /** Answer with this error code. */
  readonly error?: string;
  /** Answer with this status and no JSON. */
  readonly httpStatus?: number;
  /** Answer 429 with this Retry-After, in seconds. */
  readonly retryAfter?: number;
  /** Wait this long first; the only fault that then lets the call succeed. Milliseconds. */
  readonly hangMs?: number;
  /** Do what was asked, and only then fail. With nothing else given, the connection breaks before the answer. */
  readonly afterStoring?: boolean;
}

/** The faults ordered and not yet used up. */
export class Faults {
  #pending: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#pending.push({ fault, left: fault.times ?? 1 });
  }

  /** The fault for this call, counted as used. */
  take(method: string, workspace: string | undefined): Fault | undefined {
    const hit = this.#pending.find(
      ({ fault }) => (fault.method === "*" || fault.method === method) && (!fault.workspace || fault.workspace === workspace),
    );
    if (!hit) return undefined;
    hit.left -= 1;
    this.#pending = this.#pending.filter(({ left }) => left > 0);
    return hit.fault;
  }

  clear(): void {
    this.#pending = [];
  }
}
