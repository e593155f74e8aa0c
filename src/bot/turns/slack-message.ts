import { z } from "zod";

/** What is read of Slack's `app_mention` and `message` events; Slack sends many more fields, and adds to them. */
const messageEvent = z.object({
  type: z.enum(["app_mention", "message"]),
  subtype: z.string().optional(),
  hidden: z.boolean().optional(),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  user: z.string().min(1),
  bot_id: z.string().nullish(),
  bot_profile: z.unknown().optional(),
  edited: z.unknown().optional(),
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: z
    .string()
    .regex(/^\d+\.\d+$/)
    .nullish(),
  text: z.string().nullish(),
});

/** A message with an author, as Slack sent it. */
export type SlackMessage = z.infer<typeof messageEvent>;

/** Reads an event that may be a message. Undefined for notices without an author, changes, deletions and anything malformed. */
export function readMessage(event: unknown): SlackMessage | undefined {
  const parsed = messageEvent.safeParse(event);
  return parsed.success ? parsed.data : undefined;
}

/** The kinds of message that people write. Joins, topics, pins, changes, reminders and kinds yet unknown are none. */
const written: ReadonlySet<string> = new Set(["file_share", "thread_broadcast", "me_message"]);

const SLACKBOT = "USLACKBOT";

/**
 * Why a message can be nobody's question, whatever it says; undefined for the first sending of a person's own words.
 * Bots never start anything: two of them in one thread would answer each other without end.
 */
export function notByAPerson(message: SlackMessage, botUserId: string): string | undefined {
  if (message.user === botUserId) return "own message";
  if (message.bot_id || message.bot_profile || message.user === SLACKBOT) return "message of a bot";
  if (message.hidden) return "hidden";
  if (message.subtype !== undefined && !written.has(message.subtype)) return "a notice, not written by a person";
  if (message.edited) return "an edit";
  return undefined;
}
