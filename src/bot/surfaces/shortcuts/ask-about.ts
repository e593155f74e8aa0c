import type { ModalView } from "@slack/types";
import { z } from "zod";
import { type ChannelId, channelId, type MessageTs, messageTs, personId } from "../../../core/ids.ts";
import { escapeMarkdown } from "../../out/mrkdwn/escape.ts";
import { toMrkdwn } from "../../out/mrkdwn.ts";
import { SlackFailure } from "../../out/slack-failure.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { aboutMessage } from "../../turns/quoted-message.ts";
import { shorten } from "../answer/activity.ts";
import { context, section } from "../blocks.ts";
import { clickKey } from "../click.ts";
import type { Clicked } from "../desk.ts";
import { notice } from "../notices.ts";
import { modal, plain, sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";

/** Characters of a question, and of the message it is about: both must fit into what a modal carries along. */
const longestQuestion = 2_500;
const longestMessage = 1_500;
const mostFiles = 5;

const ts = z
  .string()
  .regex(/^\d+\.\d+$/)
  .max(50);
const about = z.object({
  channel: z.string().min(1).max(100),
  ts,
  thread: ts.optional(),
  author: z.string().max(100),
  text: z.string().max(longestMessage),
  files: z.array(z.string().max(150)).max(mostFiles),
});
type About = z.infer<typeof about>;

/** Asks what somebody wants to know about the message on which they have used the shortcut. */
export async function askAboutForm({ click, words }: Clicked): Promise<ModalView> {
  const said = words.shortcuts;
  const { message, at } = click;
  if (!message || !at) return sayingModal(said.title, said.failed, words);
  const carried: About = {
    ...{ channel: at.channel, ts: message.ts, author: message.author },
    ...(at.thread && { thread: at.thread }),
    text: message.text.slice(0, longestMessage).replace(/[\uD800-\uDBFF]$/, ""),
    files: message.files.slice(0, mostFiles),
  };
  const option = (value: string, label: string) => ({ text: plain(label), value });
  const [inThread, privately] = [option("thread", said.inThread), option("private", said.privately)];
  return modal(
    {
      title: said.title,
      blocks: [
        context(`> ${shorten(unmarked(message.text), 300)}`),
        {
          ...{ type: "input", block_id: "question", label: plain(said.question) },
          element: {
            ...{ type: "plain_text_input", action_id: "question", multiline: true, max_length: longestQuestion },
            placeholder: plain(said.placeholder, 150),
          },
        },
        {
          ...{ type: "input", block_id: "where", label: plain(said.where) },
          element: { type: "radio_buttons", action_id: "where", options: [inThread, privately], initial_option: inThread },
        },
      ],
      metadata: JSON.stringify(carried),
      form: { action: "ask_about", submit: said.ask, cancel: said.cancel },
    },
    words,
  );
}

/**
 * Asks the question: in the message's thread, or in the direct message. Where the bot cannot write in the thread, the answer comes in the
 * direct message, which fewer people read; never the other way round.
 */
export async function askAbout(clicked: Clicked): Promise<undefined> {
  const { click, person, desk, words } = clicked;
  const said = words.shortcuts;
  const carried = about.safeParse(fromJson(click.view?.metadata ?? "")).data;
  const question = click.entered.get("question")?.trim() ?? "";
  if (!carried || question === "" || !(await desk.commands.take({ key: clickKey(click), attempts: [] }))) return;
  const channel = channelId(carried.channel);
  const [reads, direct] = await Promise.all([readsPlace(channel, clicked), desk.directory.directMessage(person.id)]);
  // A channel that the bot is not in, and cannot look into, is one that only Slack's word puts the person in: it is answered privately.
  const inThread = reads && click.entered.get("where") !== "private";
  const root = messageTs(carried.thread ?? carried.ts);
  const heading = said.about(`<@${person.id}>`, linkTo(carried, said.thisMessage));
  if (inThread && (await ask(clicked, carried, question, { channel, thread: root, body: asked(heading, question) }))) return;
  const alone = asked(said.alone(`<#${channel}>`), question);
  const why = inThread ? [context(said.notThere(`<#${channel}>`))] : [];
  const done = await ask(clicked, carried, question, { channel: direct, body: { ...alone, blocks: [...alone.blocks, ...why] } });
  if (!done) await desk.writer.post(direct, undefined, () => notice(said.failed));
}

/** False when the place takes no message of the bot's. */
async function ask(
  { click, person, desk, parts }: Clicked,
  carried: About,
  question: string,
  { channel, thread, body }: { readonly channel: ChannelId; readonly thread?: MessageTs; readonly body: MessageBody },
): Promise<boolean> {
  try {
    const posted = await desk.writer.post(channel, thread, () => body);
    if (posted === undefined) return false;
    await parts.inbox.accept(click.tenant, {
      eventId: `about ${click.trigger}`,
      ...{ channel, thread: thread ?? posted, ts: posted, person: person.id, files: carried.files, asks: "always" },
      text: aboutMessage(escaped(question), personId(carried.author), carried.text),
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof SlackFailure && thrown.kind === "place-gone") return false;
    throw thrown;
  }
}

function asked(heading: string, question: string): MessageBody {
  const sections = toMrkdwn(escapeMarkdown(question)).flat();
  return { text: [heading, ...sections].join("\n").slice(0, 3_000), blocks: [section(heading), ...sections.map(section)] };
}

/** Slack's own redirect to a message, which asks for no call. */
const linkTo = ({ channel, ts, thread }: About, label: string): string =>
  /^[A-Z0-9]+$/.test(channel)
    ? `<https://slack.com/archives/${channel}/p${ts.replace(".", "")}${thread ? `?thread_ts=${thread}&amp;cid=${channel}` : ""}|${label}>`
    : label;

/** Typed text in Slack's own form. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line to recognise the message by; nothing in it means anything to Slack. */
const unmarked = (text: string): string => text.replace(/<[^>]*\|([^>]*)>/g, "$1").replace(/[<>*_~`]/g, "");

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
