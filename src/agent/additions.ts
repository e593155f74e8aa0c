import type { MessageTs } from "../core/ids.ts";
import type { Answering } from "./answering.ts";
import type { ModelMessage } from "./model/model.ts";

/** Says whose words follow: in a thread of several people, and behind tools' results, that is not plain. */
const introduction = "The person who asked adds, while you are working on it:";

/** What the asker adds to a running answer, as the model reads it. They write it, so it counts as the question does. */
export class Additions {
  readonly #answering: Pick<Answering, "session" | "reading" | "emit">;
  readonly #had = new Set<MessageTs>();

  constructor(answering: Pick<Answering, "session" | "reading" | "emit">) {
    this.#answering = answering;
  }

  /** Those that came since the last time, each once. Rejects when they cannot be known: an answer without them would pass over them. */
  async next(): Promise<readonly ModelMessage[]> {
    const { session, reading, emit } = this.#answering;
    const all = (await session.question.additions?.()) ?? [];
    const fresh = all.filter(({ message }) => !this.#had.has(message));
    for (const { message, text } of fresh) {
      this.#had.add(message);
      reading.hear(text);
      emit({ type: "message-added", message });
    }
    return fresh.map(({ text }) => ({ role: "user", content: `${introduction}\n\n${text}` }));
  }
}
