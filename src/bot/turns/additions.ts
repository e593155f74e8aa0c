import type { Addition } from "../../agent/ports.ts";
import type { PersonId } from "../../core/ids.ts";
import { questionText } from "./question-text.ts";
import { splitQuoted } from "./quoted-message.ts";
import { type NameSource, namesIn } from "./thread-memory.ts";
import type { Lease, TenantTurns } from "./turn-store.ts";

export interface AdditionParts {
  readonly turns: Pick<TenantTurns, "additions">;
  readonly directory: NameSource;
  readonly bot: PersonId;
}

/** What the asker of an answer that is being made has added to it, as Markdown. Rejects with LEASE_LOST when it is not ours any more. */
export async function additionsTo(lease: Lease, { turns, directory, bot }: AdditionParts): Promise<readonly Addition[]> {
  const messages = await turns.additions(lease);
  const own = messages.map(({ ts, text }) => ({ message: ts, raw: splitQuoted(text).own }));
  const names = await namesIn(own.map(({ raw }) => raw).join("\n"), directory);
  return own.map(({ message, raw }) => ({ message, text: questionText(raw, bot, names) })).filter(({ text }) => text !== "");
}

/** The additions to one try at an answer. They are looked up only when there is something new. */
export class KnownAdditions {
  readonly #read: () => Promise<readonly Addition[]>;
  #known: readonly Addition[] = [];
  #more = false;

  constructor(read: () => Promise<readonly Addition[]>) {
    this.#read = read;
  }

  /** There is something new. */
  grow(): void {
    this.#more = true;
  }

  /** All so far. */
  async soFar(): Promise<readonly Addition[]> {
    if (!this.#more) return this.#known;
    this.#more = false;
    this.#known = await this.#read();
    return this.#known;
  }
}
