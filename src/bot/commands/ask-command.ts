import { type MessageTs, messageTs } from "../../core/ids.ts";
import { escapeMarkdown } from "../out/mrkdwn/escape.ts";
import { toMrkdwn } from "../out/mrkdwn.ts";
import { SlackFailure } from "../out/slack-failure.ts";
import type { SlackWriter } from "../out/slack-writer.ts";
import { section } from "../surfaces/blocks.ts";
import { questionText } from "../turns/question-text.ts";
import type { CommandParts, Given, Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** Shows the question to the channel as a message, and has it answered in that message's thread as if its asker had written it. */
export async function ask({ given, person, desk, parts, words: { commands: words } }: Work, question: string): Promise<Reply> {
  if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
  try {
    const asked = { ...given, intro: words.asks(escapeMarkdown(person.displayName)) };
    return (await postQuestion(asked, question, { writer: desk.writer, inbox: parts.inbox })) ? [] : messagesOf([words.failed]);
  } catch (thrown) {
    if (thrown instanceof SlackFailure && thrown.kind === "place-gone") return messagesOf([words.notInChannel]);
    throw thrown;
  }
}

/** A question that somebody has asked in another way than by a message. */
export interface AskedElsewhere extends Pick<Given, "tenant" | "channel" | "person" | "key"> {
  /** What stands above it, as Markdown. */
  readonly intro: string;
}

/**
 * Shows somebody's question as a message and has it answered in that message's thread. False when Slack did not take the message. Throws
 * SlackFailure.
 * @param begin what must be done with the thread before its question is stored
 */
export async function postQuestion(
  { tenant, channel, person, key, intro }: AskedElsewhere,
  question: string,
  {
    writer,
    inbox,
    begin,
  }: {
    readonly writer: Pick<SlackWriter, "post">;
    readonly inbox: CommandParts["inbox"];
    readonly begin?: (thread: MessageTs) => Promise<unknown>;
  },
): Promise<boolean> {
  const shown = questionText(question, "", { person: () => undefined, channel: () => undefined });
  const [sections = []] = toMrkdwn(`${intro}\n\n${escapeMarkdown(shown)}`);
  const body = { text: sections.join("\n").slice(0, 3_000), blocks: sections.map(section) };
  const ts = await writer.post(channel, undefined, () => body);
  if (ts === undefined) return false;
  const thread = messageTs(ts);
  await begin?.(thread);
  await inbox.accept(tenant, { eventId: key, channel, thread, ts, person, text: question, asks: "always" });
  return true;
}
