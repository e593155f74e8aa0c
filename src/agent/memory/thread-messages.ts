import type { PersonId } from "../../core/ids.ts";
import type { Directory } from "../../permissions/directory.ts";
import type { ModelMessage } from "../model/model.ts";
import type { ThreadMessage } from "../ports.ts";
import { estimateTokens } from "./tokens.ts";

/** Longest single message that is remembered, in characters: one pasted log must not push out the conversation. */
const LONGEST_MESSAGE = 4_000;

/** Markers of an earlier answer: its numbers mean nothing in the next one. */
const oldMarkers = /\s?\[\d{1,3}\](?!\()/g;

export type Names = ReadonlyMap<PersonId, string>;

/** Names are only needed, and only looked up, when more than one person speaks. */
export async function namesOf(people: readonly (PersonId | undefined)[], directory: Pick<Directory, "person">): Promise<Names> {
  const ids = [...new Set(people.flatMap((person) => person ?? []))];
  if (ids.length < 2) return new Map();
  const known = await Promise.all(ids.map(async (id) => [id, (await directory.person(id))?.name ?? "somebody"] as const));
  return new Map(known);
}

/** An earlier message as the model reads it. */
export function toModel(message: ThreadMessage, names: Names): ModelMessage {
  const text = shortened(message.text);
  if (message.author === "assistant") return { role: "assistant", content: text.replace(oldMarkers, "") };
  return { role: "user", content: withName(text, message.person, names) };
}

/** The same in a list of messages: who said what. */
export function spoken(message: ThreadMessage, names: Names): string {
  const { role, content } = toModel(message, names);
  if (role === "assistant") return `Footnote: ${content}`;
  return message.person && names.has(message.person) ? content : `Person: ${content}`;
}

export function withName(text: string, person: PersonId | undefined, names: Names): string {
  const name = person && names.get(person);
  return name ? `${name}: ${text}` : text;
}

/**
 * The message that began the thread, and from the end backwards as far as the budget goes. An answer whose question did not fit is
 * left out too.
 * @param budget tokens
 */
export function newest(messages: readonly ThreadMessage[], budget: number, first: ThreadMessage | undefined): readonly ThreadMessage[] {
  const cost = (message: ThreadMessage) => estimateTokens(shortened(message.text));
  let left = budget - (first ? cost(first) : 0);
  let from = messages.length;
  for (const message of messages.toReversed()) {
    if (message !== first) left -= cost(message);
    if (left < 0) break;
    from -= 1;
  }
  const kept = messages.slice(from);
  while (kept[0]?.author === "assistant") kept.shift();
  return withFirst(kept, first);
}

export const withFirst = (messages: readonly ThreadMessage[], first: ThreadMessage | undefined): readonly ThreadMessage[] =>
  !first || messages.includes(first) ? messages : [first, ...messages];

const shortened = (text: string): string => (text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)} [...]` : text);
