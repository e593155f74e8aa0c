import type { Directory } from "../../permissions/directory.ts";
import type { Limits } from "../limits.ts";
import type { Question, ThreadMessage, ThreadSummaries, ThreadSummary, Threads } from "../ports.ts";
import { namesOf, newest, spoken, withFirst } from "./thread-messages.ts";

/** How many messages are read for a summary; of a thread that was longer before we joined it, the newest of them. */
const MOST_SUMMARISED = 400;
/** Share of the budgets that stays word for word when older messages are summarised, so that the next questions find room. */
const KEPT_SHARE = 0.5;

const summarisedNotice = "Earlier messages of this thread are summarised.";
const leftOutNotice = "Earlier messages of this thread are left out.";

/** Puts messages, and an earlier summary, into a few sentences. Nothing when that did not work out. */
export type Summarise = (messages: readonly string[], earlier: string | undefined) => Promise<string | undefined>;

/** Where a thread's messages and its summary are kept. */
export interface Memory {
  readonly threads: Threads;
  readonly summaries?: ThreadSummaries;
}

interface Compacted {
  /** What stays word for word, the message that began the thread in front. */
  readonly messages: readonly ThreadMessage[];
  readonly summary?: string;
  readonly notice?: string;
}

/**
 * A thread that is longer than the budgets: its newest messages, and a summary of those before. The summary is made once, kept,
 * and extended when the thread has outgrown the budgets again.
 * @param thread.kept the newest messages that fit into the budgets
 */
export async function compacted(
  question: Question,
  { kept, first }: { readonly kept: readonly ThreadMessage[]; readonly first: ThreadMessage | undefined },
  { threads, summaries, directory }: Memory & { readonly directory: Pick<Directory, "person"> },
  limits: Limits,
  summarise: Summarise,
): Promise<Compacted> {
  const { channel, thread } = question;
  if (!thread || !summaries) return { messages: kept };
  const known = await summaries.find(channel, thread);
  const sinceKnown = since(known, kept);
  if (known && sinceKnown) return { messages: withFirst(sinceKnown, first), summary: known.text };

  const latest = half(kept, first, limits);
  const until = latest[0]?.ts ?? question.message;
  const before = until ? await threads.history(channel, thread, MOST_SUMMARISED, until) : [];
  const older = (since(known, before) ?? before).filter(({ text }) => text.trim() !== "");
  const names = await namesOf([...older.map(({ person }) => person), question.person], directory);
  const text = await summarise(
    older.map((message) => spoken(message, names)),
    known?.text,
  );
  if (text === undefined || !until) return { messages: kept, ...(known && { summary: known.text }), notice: leftOutNotice };
  await summaries.save(channel, thread, { text, until });
  return { messages: withFirst(latest, first), summary: text, ...(!known && { notice: summarisedNotice }) };
}

/** The messages that a summary does not cover; nothing when the first of them is not among these. */
function since(summary: ThreadSummary | undefined, messages: readonly ThreadMessage[]): readonly ThreadMessage[] | undefined {
  const from = messages.findIndex(({ ts }) => ts === summary?.until);
  return from < 0 ? undefined : messages.slice(from);
}

/** The newest messages within a share of the budgets, beginning with a person's; without the thread's first one. */
function half(kept: readonly ThreadMessage[], first: ThreadMessage | undefined, limits: Limits): readonly ThreadMessage[] {
  const most = Math.ceil(limits.historyMessages * KEPT_SHARE);
  const rest = kept.filter((message) => message !== first).slice(-most);
  return newest(rest, limits.historyTokens * KEPT_SHARE, undefined);
}
