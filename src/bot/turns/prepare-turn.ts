import type { Attachment, Attachments } from "../../agent/ports.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Person } from "../../permissions/directory.ts";
import { takesPart } from "../../permissions/roles.ts";
import type { Reach } from "../audience/reach.ts";
import { readNamedFile } from "../documents/named-file.ts";
import { escapeMarkdown } from "../out/mrkdwn/escape.ts";
import type { SlackReader } from "../workspace/slack-reader.ts";
import { slackErrorCode } from "../workspace/slack-reader.ts";
import { earlierMessages } from "./earlier-messages.ts";
import type { Prepared } from "./prepared.ts";
import { type Names, questionText } from "./question-text.ts";
import { splitQuoted } from "./quoted-message.ts";
import { type NameSource, namesIn } from "./thread-memory.ts";
import type { StartedTurn, ThreadRows } from "./turn-store.ts";

/** One tenant's means to understand a question. */
export interface PrepareParts {
  readonly directory: Omit<NameSource, "person"> & { person(id: PersonId): Promise<Person | undefined> };
  readonly rows: ThreadRows;
  readonly slack: SlackReader;
  readonly bot: PersonId;
  /** What to say to a message that holds nothing but the mention. */
  readonly counterQuestion: string;
  /** What to say to files that come without a word; their names are Markdown. */
  askAboutFiles?(names: string): string;
  /** Reads the files of a question. Never rejects. */
  readFiles?(turn: StartedTurn): Promise<Attachments>;
  /** Who will read the answer. */
  reach?(turn: StartedTurn, asker: Person): Promise<Reach>;
  readonly log: Logger;
}

/** Finds out who asks and what is meant, and fetches what was said in a thread before the bot was called into it. */
export async function prepareTurn(turn: StartedTurn, parts: PrepareParts): Promise<Prepared> {
  const [asker, names] = await Promise.all([
    parts.directory.person(turn.person),
    namesIn(turn.text, parts.directory),
    turn.joinsThread ? recall(turn, parts) : undefined,
  ]);
  if (!asker) return { kind: "refuse", code: "PERSON_UNKNOWN" };
  if (asker.isBot || asker.deactivated) return { kind: "ignore" };
  if (!takesPart(asker)) return { kind: "refuse", code: "PERSON_IS_OUTSIDER" };
  const { own, quoted } = splitQuoted(turn.text);
  const text = questionText(own, parts.bot, names);
  const files = turn.files ?? [];
  if (text === "") {
    const named = files.map((file) => escapeMarkdown(readNamedFile(file).name)).join(", ");
    return { kind: "reply", text: (files.length > 0 && parts.askAboutFiles?.(named)) || parts.counterQuestion };
  }
  const read = files.length > 0 ? await parts.readFiles?.(turn) : undefined;
  const about = quoted && messageOf(quoted, questionText(quoted.text, "", names), names);
  const attachments = about ? { read: [about, ...(read?.read ?? [])], notes: read?.notes ?? [] } : read;
  const reach = await parts.reach?.(turn, asker);
  return { kind: "ask", text, ...(asker.teamId && { team: asker.teamId }), ...(reach && { reach }), ...(attachments && { attachments }) };
}

/** The message that a question is about, as it is read along. */
const messageOf = ({ author }: { readonly author: string }, passage: string, names: Names): Attachment => ({
  id: "message",
  name: `Message of @${names.person(author) ?? author}`,
  passages: [{ passage }],
});

/** Without it the answer only knows less, so a refusal of Slack's is no reason to fail. */
async function recall({ channel, thread, ts }: StartedTurn, { slack, rows, bot, log }: PrepareParts): Promise<void> {
  try {
    await rows.add(channel, thread, await earlierMessages(slack, { channel, thread, before: ts, bot }));
  } catch (error) {
    log.warn("What was said earlier in a thread could not be read.", {
      method: "conversations.replies",
      code: slackErrorCode(error) ?? "failed",
    });
  }
}
