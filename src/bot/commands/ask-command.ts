import { messageTs } from "../../core/ids.ts";
import { toMrkdwn } from "../out/mrkdwn.ts";
import { SlackFailure } from "../out/slack-failure.ts";
import { section } from "../surfaces/blocks.ts";
import { questionText } from "../turns/question-text.ts";
import type { Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** Shows the question to the channel as a message, and has it answered in that message's thread as if its asker had written it. */
export async function ask({ given, person, desk, parts, words: { commands: words } }: Work, question: string): Promise<Reply> {
  if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
  try {
    const shown = questionText(question, "", { person: () => undefined, channel: () => undefined });
    const [sections = []] = toMrkdwn(`${words.asks(escaped(person.displayName))}\n\n${escaped(shown)}`);
    const body = { text: sections.join("\n").slice(0, 3_000), blocks: sections.map(section) };
    const ts = await desk.writer.post(given.channel, undefined, () => body);
    if (ts === undefined) return messagesOf([words.failed]);
    const thread = messageTs(ts);
    const { channel, person: asker, tenant, key: eventId } = given;
    await parts.inbox.accept(tenant, { eventId, channel, thread, ts, person: asker, text: question, asks: "always" });
    return [];
  } catch (thrown) {
    if (thrown instanceof SlackFailure && thrown.kind === "place-gone") return messagesOf([words.notInChannel]);
    throw thrown;
  }
}

/** The asker's words are no Markdown of ours. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|>~]/g, "\\$&");
