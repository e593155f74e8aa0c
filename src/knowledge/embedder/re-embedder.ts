import type { Clock } from "../../core/clock.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { WakingLoop } from "../../core/waking-loop.ts";
import { indexedText, textHash } from "../ingest/indexed-text.ts";
import type { EmbedderChoice, EmbedderUse, EmbeddingRows } from "./embedding-rows.ts";
import type { Embedder } from "./port.ts";

export interface ReEmbedderParts {
  readonly use: EmbedderUse;
  readonly clock: Clock;
  readonly log: Logger;
  tenants(): Promise<readonly TenantId[]>;
  rowsOf(tenant: TenantId): EmbeddingRows;
  /** @throws AppError EMBEDDER_UNKNOWN when this program has no such model */
  open(id: string): Promise<Embedder>;
  /** Questions are asked with it from now on. */
  inUse(embedder: Embedder): void;
}

/** How often the choice is looked at; somebody else's process may have changed it. */
const TICK_MS = 10_000;
/** How often passages without a vector are looked for when no switch is on: those that were added while another process switched. */
const LOOK_MS = 600_000;
const LEASE_MS = 120_000;
/** Passages embedded between two looks at the lease. */
const BATCH = 32;

/**
 * Makes vectors of the wanted model for everything that has none, while questions are asked with the current one; then switches. Stopping it at any
 * point loses a batch: what is missing is the work.
 */
export class ReEmbedder {
  readonly #parts: ReEmbedderParts;
  readonly #loop: WakingLoop;
  #looked = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;

  constructor(parts: ReEmbedderParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    const round = (signal: AbortSignal) =>
      this.run(signal).then(
        () => {
          this.#problem = undefined;
        },
        (thrown: unknown) => {
          if (signal.aborted) return;
          this.#problem = thrown instanceof AppError ? thrown.message : new AppError("EMBEDDER_FAILED").message;
          log.warn("Passages could not be embedded.", { code: codeOf(thrown) });
        },
      );
    this.#loop = new WakingLoop({ clock, restMs: TICK_MS, round });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Why the last round of this process ended early, for people. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The choice has changed. */
  wake(): void {
    this.#loop.wake();
  }

  /** Asks questions with the model in use from here on. One that is not here any more is passed over: then some passages are not found by meaning yet. */
  async adopt(): Promise<EmbedderChoice> {
    const choice = await this.#parts.use.read();
    const opened = await this.#parts.open(choice.current).catch((thrown: unknown) => {
      if (codeOf(thrown) !== "EMBEDDER_UNKNOWN") throw thrown;
      return this.#parts.open(choice.wanted);
    });
    this.#parts.inUse(opened);
    return choice;
  }

  /** Uses the current model from here on, and makes what is missing. Does nothing while another process does it. */
  async run(signal: AbortSignal = this.#loop.signal): Promise<void> {
    const { use, clock } = this.#parts;
    const { current, wanted } = await this.adopt();
    const due = wanted !== current || clock.monotonic() - this.#looked >= LOOK_MS;
    const token = due ? await use.claim(LEASE_MS) : undefined;
    if (token === undefined) return;
    try {
      if (!(await this.#complete(wanted, token, signal))) return;
      this.#looked = clock.monotonic();
      if (wanted === current) return;
      await use.switchTo(wanted);
      await this.adopt();
    } finally {
      await use.release(token);
    }
  }

  /** False when another process has taken over, or another model is wanted by now. */
  async #complete(model: string, token: string, signal: AbortSignal): Promise<boolean> {
    const { use } = this.#parts;
    const embedder = await this.#parts.open(model);
    for (const tenant of await this.#parts.tenants()) {
      const rows = this.#parts.rowsOf(tenant);
      for (;;) {
        signal.throwIfAborted();
        const passages = await rows.missing(model, BATCH);
        if (passages.length === 0) break;
        const texts = passages.map((passage) => indexedText(passage.title, passage));
        const vectors = await embedder.embed(texts, "passage", signal);
        await rows.add(
          model,
          passages.map(({ id }, index) => ({
            passage: id,
            vector: vectors[index] ?? new Float32Array(),
            textHash: textHash(texts[index] ?? ""),
          })),
        );
        if (!(await use.renew(token, LEASE_MS)) || (await use.read()).wanted !== model) return false;
      }
    }
    return true;
  }
}
