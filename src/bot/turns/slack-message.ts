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
  files: z.array(z.object({ id: z.string().nullish(), name: z.string().nullish() })).nullish(),
});

/** A message with an author, as Slack sent it. */
export type SlackMessage = z.infer<typeof messageEvent>;

/** Reads an event that may be a message. Undefined for notices without an author, changes, deletions and anything malformed. */
export function readMessage(event: unknown): SlackMessage | undefined {
  const parsed = messageEvent.safeParse(event);
  return parsed.success ? parsed.data : undefined;
}

/** A message that was edited or deleted, as it was written; Slack sends both as events about it. */
export type MessageChange =
  | { readonly kind: "edited"; readonly message: SlackMessage; readonly editedTs: string }
  | { readonly kind: "deleted"; readonly message: SlackMessage };

const changeEvent = z.object({
  type: z.literal("message"),
  subtype: z.enum(["message_changed", "message_deleted"]),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  message: z
    .looseObject({ subtype: z.string().optional(), edited: z.object({ ts: z.string().regex(/^\d+\.\d+$/) }).optional() })
    .optional(),
  previous_message: z.looseObject({}).optional(),
});

/**
 * Reads an event about a message. Undefined for all other events, and for changes that are not its author's: previews of addresses,
 * replies that are counted. A message with replies is not deleted in Slack but leaves a tombstone.
 */
export function readChange(event: unknown): MessageChange | undefined {
  const { data } = changeEvent.safeParse(event);
  if (!data) return undefined;
  const place = { type: "message", channel: data.channel, channel_type: data.channel_type, edited: undefined, hidden: undefined };
  const deleted = data.subtype === "message_deleted" || data.message?.subtype === "tombstone";
  const message = readMessage({ ...(deleted ? data.previous_message : data.message), ...place });
  if (!message) return undefined;
  if (deleted) return { kind: "deleted", message };
  const editedTs = data.message?.edited?.ts;
  return editedTs === undefined ? undefined : { kind: "edited", message, editedTs };
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
