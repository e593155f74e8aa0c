import { messageTs } from "../../core/ids.ts";
import type { Directory } from "../../permissions/directory.ts";
import type { Limits } from "../limits.ts";
import type { ModelMessage } from "../model/model.ts";
import type { Question, ThreadMessage, Threads } from "../ports.ts";
import { compacted, type Memory, type Summarise } from "./compaction.ts";
import { namesOf, newest, toModel, withName } from "./thread-messages.ts";

/** What the model reads of a conversation. */
interface Conversation {
  /** Oldest first; ends with the question. */
  readonly messages: readonly ModelMessage[];
  /** What people should know about it. */
  readonly notice?: string;
}

/** How the summary is told apart from what people said. */
const summaryLabel = "[Summary of earlier messages of this thread, written by Footnote, not by a person]";

/**
 * The thread before a question, as the model reads it: oldest first, each with its speaker's name when several people speak. Of a thread
 * that is longer than the budgets the older messages are summarised, or left out when that cannot be.
 * @param summarise absent when the model cannot
 */
export async function conversation(
  question: Question,
  memory: Memory & { readonly directory: Pick<Directory, "person"> },
  limits: Limits,
  summarise?: Summarise,
): Promise<Conversation> {
  const { said, first, whole } = await earlierIn(question, memory.threads, limits.historyMessages);
  const kept = newest(said, limits.historyTokens, first);
  const fits = whole && kept.length === said.length;
  const { messages, summary, notice } =
    fits || !summarise ? { messages: kept } : await compacted(question, { kept, first }, memory, limits, summarise);

  const names = await namesOf([...messages.map(({ person }) => person), question.person], memory.directory);
  const earlier = messages.map((message) => toModel(message, names));
  if (summary !== undefined) earlier.splice(first ? 1 : 0, 0, { role: "user", content: `${summaryLabel}\n${summary}` });
  return {
    messages: [...earlier, { role: "user", content: withName(question.text, question.person, names) }],
    ...(notice !== undefined && { notice }),
  };
}

interface Earlier {
  readonly said: readonly ThreadMessage[];
  /** The message that began the thread. */
  readonly first: ThreadMessage | undefined;
  /** Whether this is all that was said. */
  readonly whole: boolean;
}

/**
 * The newest messages, with the one that began the thread in front when it is older than these: it says what the thread is about.
 * It is known by its timestamp, never by its position.
 */
async function earlierIn({ channel, thread, message }: Question, threads: Threads, limit: number): Promise<Earlier> {
  // A question that begins a thread has nothing before it.
  if (!thread || thread === message) return { said: [], first: undefined, whole: true };
  const isFirst = ({ ts }: ThreadMessage) => ts === thread;
  const useful = ({ ts, text }: ThreadMessage) => ts !== message && text.trim() !== "";
  const newest = await threads.history(channel, thread, limit, message);
  const said = newest.filter(useful);
  if (newest.length < limit || newest.some(isFirst)) return { said, first: said.find(isFirst), whole: true };
  // One more digit: just after the first message. Two, because its answer may stand at the same place.
  const first = (await threads.history(channel, thread, 2, messageTs(`${thread}1`))).filter(useful).find(isFirst);
  return { said: first ? [first, ...said] : said, first, whole: false };
}
