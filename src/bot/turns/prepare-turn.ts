import type { PersonId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Person } from "../../permissions/directory.ts";
import { takesPart } from "../../permissions/roles.ts";
import type { Reach } from "../audience/reach.ts";
import type { ReadFiles } from "../documents/attachments.ts";
import { readNamedFile } from "../documents/named-file.ts";
import type { SlackReader } from "../workspace/slack-reader.ts";
import { slackErrorCode } from "../workspace/slack-reader.ts";
import { earlierMessages } from "./earlier-messages.ts";
import type { Prepared } from "./prepared.ts";
import { questionText } from "./question-text.ts";
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
  /** What to say to files that come without a word, and what the model is told of files that come with one. */
  readonly aboutFiles?: { readonly ask: (names: string) => string; readonly unread: (names: string) => string };
  /** Reads the files of a question. Never rejects. */
  readFiles?(turn: StartedTurn): Promise<ReadFiles>;
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
  const text = questionText(turn.text, parts.bot, names);
  const files = turn.files?.map((file) => readNamedFile(file).name).join(", ") ?? "";
  if (text === "") return { kind: "reply", text: (files !== "" && parts.aboutFiles?.ask(files)) || parts.counterQuestion };
  const read = files === "" ? undefined : await parts.readFiles?.(turn);
  const told = read?.notes.map((note) => `(${note})`) ?? (files !== "" && parts.aboutFiles ? [parts.aboutFiles.unread(files)] : []);
  const unread = told.length > 0 ? `\n\n${told.join("\n")}` : "";
  const attachments = read && read.attachments.length > 0 ? { attachments: read.attachments } : {};
  const reach = await parts.reach?.(turn, asker);
  return { kind: "ask", text: text + unread, ...(asker.teamId && { team: asker.teamId }), ...(reach && { reach }), ...attachments };
}

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
