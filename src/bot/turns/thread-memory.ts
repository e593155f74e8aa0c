import type { ThreadMessage, Threads } from "../../agent/ports.ts";
import { type ChannelId, channelId, type MessageTs, type PersonId, personId } from "../../core/ids.ts";
import type { Person } from "../../permissions/directory.ts";
import { channelsIn, type Names, peopleIn, questionText } from "./question-text.ts";
import type { ThreadRows } from "./turn-store.ts";

/** Who and what ids stand for. Undefined when unknown. */
export interface NameSource {
  person(id: PersonId): Promise<Pick<Person, "name"> | undefined>;
  channelName(id: ChannelId): Promise<string | undefined>;
}

/** More names than this in one text stay ids: each may be a call to Slack. */
const maxNames = 20;

/** Looks up the names of everybody and every channel that messages in Slack's form mention. */
export async function namesIn(raw: string, source: NameSource): Promise<Names> {
  const ask = async (ids: readonly string[], name: (id: string) => Promise<string | undefined>) => {
    const distinct = [...new Set(ids)].slice(0, maxNames);
    return new Map(await Promise.all(distinct.map(async (id) => [id, await name(id)] as const)));
  };
  const [people, channels] = await Promise.all([
    ask(peopleIn(raw), async (id) => (await source.person(personId(id)))?.name),
    ask(channelsIn(raw), (id) => source.channelName(channelId(id))),
  ]);
  return { person: (id) => people.get(id), channel: (id) => channels.get(id) };
}

/** One tenant's memory of threads as the agent reads it: everybody's words as Markdown, with names in place of ids. */
export class ThreadMemory implements Threads {
  readonly #rows: ThreadRows;
  readonly #names: NameSource;
  readonly #bot: PersonId;

  constructor(rows: ThreadRows, names: NameSource, bot: PersonId) {
    this.#rows = rows;
    this.#names = names;
    this.#bot = bot;
  }

  async history(channel: ChannelId, thread: MessageTs, limit: number, before?: MessageTs): Promise<readonly ThreadMessage[]> {
    const messages = await this.#rows.history(channel, thread, limit, before);
    const raw = messages.filter(({ author }) => author === "person").map(({ text }) => text);
    const names = await namesIn(raw.join("\n"), this.#names);
    return messages.map((message) =>
      message.author === "person" ? { ...message, text: questionText(message.text, this.#bot, names) } : message,
    );
  }
}
