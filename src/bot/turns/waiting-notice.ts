import type { PersonId } from "../../core/ids.ts";
import { atLeast, type Standing, takesPart } from "../../permissions/roles.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { SlackWriter } from "../out/slack-writer.ts";
import { shorten } from "../surfaces/answer/activity.ts";
import { section } from "../surfaces/blocks.ts";
import { actions, button } from "../surfaces/parts.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { questionText } from "./question-text.ts";
import { splitQuoted } from "./quoted-message.ts";
import { type NameSource, namesIn } from "./thread-memory.ts";
import type { TurnChanges } from "./turn-changes.ts";
import type { IncomingMessage } from "./turn-store.ts";

/** Characters of the other question that are quoted. */
const longestQuote = 120;

export interface WaitingParts {
  readonly changes: Pick<TurnChanges, "unfinished">;
  readonly directory: Omit<NameSource, "person"> & { person(id: PersonId): Promise<(Standing & { readonly name: string }) | undefined> };
  readonly writer: Pick<SlackWriter, "postEphemeral">;
  readonly bot: PersonId;
  readonly words: Catalogue["answer"];
}

/**
 * Tells somebody whose question waits behind another one of its thread what it waits for. Whoever may stop that answer can do so there, and
 * whoever waits for their own can have it take the question in.
 * Says nothing where no other question is before it: then it waits only for a free place, for a moment.
 */
export async function tellThatItWaits(
  {
    channel,
    thread,
    ts,
    person,
    text: asked,
    files = [],
  }: Pick<IncomingMessage, "channel" | "thread" | "ts" | "person" | "text" | "files">,
  { changes, directory, writer, bot, words }: WaitingParts,
): Promise<void> {
  const [running, ...others] = await changes.unfinished({ channel, thread, before: ts });
  if (!running) return;
  const { own } = splitQuoted(running.question);
  const [asker, names] = await Promise.all([directory.person(person), namesIn(own, directory)]);
  const question = plainMrkdwn(shorten(questionText(own, bot, names), longestQuote));
  const isOwn = running.person === person;
  const text = words.waits(question, isOwn ? undefined : `<@${running.person}>`, others.length);
  const mayStop = isOwn || (asker !== undefined && takesPart(asker) && atLeast(asker.role, "admin"));
  // A file is read before the first step, and another's message is no words of the asker's.
  const mayTakeIn = isOwn && files.length === 0 && splitQuoted(asked).quoted === undefined && questionText(asked, bot, names) !== "";
  const elements = [
    ...(mayTakeIn ? [button("take_in", words.takeIn, ts, "primary")] : []),
    ...(mayStop ? [button("stop_turn", words.stopThat, running.turn)] : []),
  ];
  const choices = elements.length > 0 ? [actions(`waiting ${running.turn} ${ts}`, elements)] : [];
  await writer.postEphemeral(channel, person, { text, blocks: [section(text), ...choices] }, thread);
}
