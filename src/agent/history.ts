import { messageTs, type PersonId } from "../core/ids.ts";
import type { Directory } from "../permissions/directory.ts";
import type { Limits } from "./limits.ts";
import type { ModelMessage } from "./model/model.ts";
import type { Question, ThreadMessage, Threads } from "./ports.ts";
import { estimateTokens } from "./tokens.ts";

/** Longest single message that is remembered, in characters: one pasted log must not push out the conversation. */
const LONGEST_MESSAGE = 4_000;

/** Markers of an earlier answer: its numbers mean nothing in the next one. */
const oldMarkers = /\s?\[\d{1,3}\](?!\()/g;

/**
 * The thread before a question, as the model reads it: oldest first, the newest that fit the budgets, each with its speaker's name
 * when several people speak. It ends with the question itself, and begins with a person.
 */
export async function conversation(question: Question, threads: Threads, directory: Directory, limits: Limits): Promise<ModelMessage[]> {
  const { message } = question;
  const earlier = await earlierIn(question, threads, limits.historyMessages);
  const said = earlier.filter(({ ts, text }) => ts !== message && text.trim() !== "");
  const names = await namesOf([...said.flatMap(({ person }) => person ?? []), question.person], directory);
  const kept = newest(said, limits.historyTokens, ({ ts }) => ts === question.thread);
  return [...kept.map((message) => toModel(message, names)), { role: "user", content: withName(question.text, question.person, names) }];
}

/**
 * The newest messages, with the one that began the thread in front when it is older than these: it says what the thread is about.
 * It is known by its timestamp, never by its position.
 */
async function earlierIn({ channel, thread, message }: Question, threads: Threads, limit: number): Promise<readonly ThreadMessage[]> {
  if (!thread) return [];
  const newest = await threads.history(channel, thread, limit, message);
  if (newest.length < limit || newest.some(({ ts }) => ts === thread)) return newest;
  // One more digit: just after the first message. Two, because its answer may stand at the same place.
  const first = (await threads.history(channel, thread, 2, messageTs(`${thread}1`))).find(({ ts }) => ts === thread);
  return first ? [first, ...newest] : newest;
}

/** The first message, and from the end backwards as far as the budget goes. An answer whose question did not fit is left out too. */
function newest(
  messages: readonly ThreadMessage[],
  budget: number,
  isFirst: (message: ThreadMessage) => boolean,
): readonly ThreadMessage[] {
  const cost = (message: ThreadMessage | undefined) => estimateTokens(shortened(message?.text ?? ""));
  const first = messages.find(isFirst);
  let left = budget - (first ? cost(first) : 0);
  let from = messages.length;
  while (from > 0) {
    const message = messages[from - 1];
    if (message !== first) left -= cost(message);
    if (left < 0) break;
    from -= 1;
  }
  const kept = messages.slice(from);
  while (kept[0]?.author === "assistant") kept.shift();
  return !first || kept.includes(first) ? kept : [first, ...kept];
}

function toModel(message: ThreadMessage, names: ReadonlyMap<PersonId, string>): ModelMessage {
  const text = shortened(message.text);
  if (message.author === "assistant") return { role: "assistant", content: text.replace(oldMarkers, "") };
  return { role: "user", content: withName(text, message.person, names) };
}

/** Names are only needed, and only looked up, when more than one person speaks. */
async function namesOf(people: readonly PersonId[], directory: Directory): Promise<ReadonlyMap<PersonId, string>> {
  const ids = [...new Set(people)];
  if (ids.length < 2) return new Map();
  const known = await Promise.all(ids.map(async (id) => [id, (await directory.person(id))?.name ?? "somebody"] as const));
  return new Map(known);
}

function withName(text: string, person: PersonId | undefined, names: ReadonlyMap<PersonId, string>): string {
  const name = person && names.get(person);
  return name ? `${name}: ${text}` : text;
}

const shortened = (text: string): string => (text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)} [...]` : text);
