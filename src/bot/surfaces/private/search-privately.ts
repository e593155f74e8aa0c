import { isUuid, messageTs, turnId } from "../../../core/ids.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { escapeMarkdown } from "../../out/mrkdwn/escape.ts";
import { toMrkdwn } from "../../out/mrkdwn.ts";
import { SlackFailure } from "../../out/slack-failure.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { questionText } from "../../turns/question-text.ts";
import { splitQuoted } from "../../turns/quoted-message.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context, section } from "../blocks.ts";
import { clickKey } from "../click.ts";
import type { Clicked } from "../desk.ts";
import type { ChannelQuestion } from "./private-store.ts";

/** Longest question that is quoted in full, in characters. */
const longestQuote = 2_000;

/**
 * Asks a channel's question once more in the direct message between the bot and whoever asked it, where their own rights count. Nobody else
 * can have that done, and nothing of it is ever said in the channel.
 * @returns the sentence for the person alone
 */
export async function searchPrivately({ click, person, desk, words, parts }: Clicked): Promise<string | undefined> {
  const said = words.private;
  const turn = isUuid(click.value) ? turnId(click.value) : undefined;
  const asked = turn && (await desk.searches.question(turn));
  const attempt: Attempt = { actor: person.id, action: "search-privately", subject: turn ?? "unknown" };
  const refused = async (sentence: string) =>
    (await desk.commands.take({ key: clickKey(click), attempts: [attempt] })) ? sentence : undefined;
  if (!turn || !asked || asked.channel !== click.at?.channel) return refused(said.gone);
  if (asked.person !== person.id) return refused(said.notYours);
  if (!(await desk.searches.claim(turn, asked))) return said.already;
  try {
    const channel = await desk.directory.directMessage(person.id);
    const ts = await desk.writer.post(channel, undefined, () => opening(asked, words));
    if (ts === undefined) return said.noDirect;
    const thread = messageTs(ts);
    // Before it is asked: an answer is shared to where its question came from.
    await desk.searches.opened(turn, { channel, thread });
    const outcome = await parts.inbox.accept(click.tenant, {
      eventId: `private ${turn} ${thread}`,
      ...{ channel, thread, ts: thread, person: person.id, text: asked.text, files: asked.files, asks: "always" },
    });
    if (outcome !== "thread-full" && outcome !== "workspace-full") return said.underway;
    // They have been told why.
    await desk.searches.release(turn);
    return undefined;
  } catch (thrown) {
    await desk.searches.release(turn);
    if (thrown instanceof SlackFailure || codeIsSlacks(thrown)) return said.noDirect;
    throw thrown;
  }
}

/** What the SDK throws when a direct message cannot be opened. */
const codeIsSlacks = (thrown: unknown): boolean => String((thrown as { code?: unknown } | null)?.code).startsWith("slack_webapi");

/** The message under which the answer will stand. */
function opening({ channel, text }: ChannelQuestion, { private: said }: Catalogue): MessageBody {
  const unnamed = { person: () => undefined, channel: () => undefined };
  const question = questionText(splitQuoted(text).own, "", unnamed)
    .replace(/@[UW][A-Z0-9]+\s*/g, "")
    .slice(0, longestQuote);
  const quoted = escapeMarkdown(question)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
  const sections = toMrkdwn(quoted).flat();
  const asked = said.asked(`<#${channel}>`);
  return {
    text: [asked, ...sections].join("\n").slice(0, 3_000),
    blocks: [section(asked), ...sections.map(section), context(said.ownRights)],
  };
}
