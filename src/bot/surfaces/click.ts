import { z } from "zod";
import { type ChannelId, channelId, type MessageTs, messageTs, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import { namedFiles } from "../documents/named-file.ts";
import type { OpenView } from "../out/slack-views.ts";

/** Somebody used a button or a menu, or sent a form. Who and where is Slack's word; everything else may be forged. */
export interface Click {
  readonly tenant: TenantId;
  readonly person: PersonId;
  /** Of the element, or of the form. */
  readonly action: string;
  /** Of the block that holds the element. */
  readonly block?: string;
  /** What the element carries or what was chosen; "" when nothing. */
  readonly value: string;
  /** Good for one view within three seconds. Also the same for every delivery of one click. */
  readonly trigger: string;
  /** Where it was clicked or typed; absent in modals and App Home. */
  readonly at?: { readonly channel: ChannelId; readonly thread?: MessageTs };
  /** The modal or App Home it was in, with what we had written into it. */
  readonly view?: OpenView & { readonly kind: "modal" | "home"; readonly metadata: string };
  /** The message on which a shortcut was used, with what Slack says of it. */
  readonly message?: {
    readonly ts: MessageTs;
    readonly author: string;
    /** In Slack's own form. */
    readonly text: string;
    /** Slack's id and name of each, divided by a blank. */
    readonly files: readonly string[];
  };
  /** Slack's address for an answer that only this person sees. */
  readonly responseUrl?: string;
  /** Of a form: what was entered, by action id; several choices on a line each. */
  readonly entered: ReadonlyMap<string, string>;
}

const text = z.string().max(3_000);
const option = z.object({ value: text });
/** What is entered in one element of a form; users and options where a menu takes several. */
const field = z.object({
  value: text.nullish(),
  selected_option: option.nullish(),
  selected_users: z.array(z.string().max(100)).max(100).nullish(),
  selected_options: z.array(option).max(10_000).nullish(),
});
const body = z.object({
  user: z.object({ id: z.string().min(1).max(100) }),
  trigger_id: z.string().min(1).max(500),
  response_url: z.string().max(1_000).optional(),
  channel: z.object({ id: z.string().min(1).max(100) }).optional(),
  container: z.object({ thread_ts: z.string().max(50).optional() }).optional(),
  view: z
    .object({
      id: z.string().max(100),
      hash: z.string().max(200),
      type: z.enum(["modal", "home"]),
      callback_id: z.string().max(255).default(""),
      private_metadata: text.default(""),
      state: z
        .object({
          values: z.record(z.string(), z.record(z.string(), field)),
        })
        .optional(),
    })
    .optional(),
});
const element = z.object({
  action_id: z.string().max(255),
  block_id: z.string().max(255).optional(),
  value: text.optional(),
  selected_option: option.nullish(),
});

const enteredIn = ({ value, selected_option: one, selected_options: several, selected_users: people }: z.infer<typeof field>): string =>
  several || people ? [...(several ?? []).map((each) => each.value), ...(people ?? [])].join("\n") : (one?.value ?? value ?? "");

/** Reads a `block_actions` or `view_submission` delivery; undefined when it has not the form that Slack gives it. */
export function readClick(tenant: TenantId, payload: unknown, raw: unknown): Click | undefined {
  const { data } = body.safeParse(raw);
  if (!data) return undefined;
  const used = element.safeParse(payload).data;
  const { user, trigger_id: trigger, response_url: responseUrl, channel, container, view } = data;
  return {
    tenant,
    person: personId(user.id),
    action: used?.action_id ?? view?.callback_id ?? "",
    value: used?.selected_option?.value ?? used?.value ?? "",
    trigger,
    ...(used?.block_id !== undefined && { block: used.block_id }),
    ...(channel && { at: { channel: channelId(channel.id), ...(container?.thread_ts && { thread: messageTs(container.thread_ts) }) } }),
    ...(view && { view: { id: view.id, hash: view.hash, kind: view.type, metadata: view.private_metadata } }),
    ...(responseUrl && { responseUrl }),
    entered: new Map(
      Object.values(view?.state?.values ?? {}).flatMap((block) =>
        Object.entries(block).map(([action, given]) => [action, enteredIn(given)] as const),
      ),
    ),
  };
}

const shortcut = z.object({
  callback_id: z.string().min(1).max(255),
  user: z.object({ id: z.string().min(1).max(100) }),
  trigger_id: z.string().min(1).max(500),
  response_url: z.string().max(1_000).optional(),
  channel: z.object({ id: z.string().min(1).max(100) }),
  message: z.object({
    ts: z.string().regex(/^\d+\.\d+$/),
    thread_ts: z
      .string()
      .regex(/^\d+\.\d+$/)
      .optional(),
    user: z.string().max(100).nullish(),
    text: z.string().nullish(),
    files: z.array(z.unknown()).nullish(),
  }),
});

/** Names what a click does, so that it is done once however often Slack delivers it. @param part where one click does several things */
export const clickKey = ({ trigger }: Pick<Click, "trigger">, part?: string): string =>
  `click ${trigger}${part === undefined ? "" : ` ${part}`}`;

/** Reads a `message_action` delivery; undefined when it has not the form that Slack gives it. */
export function readShortcut(tenant: TenantId, raw: unknown): Click | undefined {
  const { data } = shortcut.safeParse(raw);
  if (!data) return undefined;
  const { message, response_url: responseUrl } = data;
  const thread = message.thread_ts === undefined ? {} : { thread: messageTs(message.thread_ts) };
  return {
    ...{ tenant, person: personId(data.user.id), action: data.callback_id, value: "", trigger: data.trigger_id, entered: new Map() },
    at: { channel: channelId(data.channel.id), ...thread },
    message: {
      ts: messageTs(message.ts),
      ...{ author: message.user ?? "", text: message.text ?? "", files: namedFiles(message.files ?? []) },
    },
    ...(responseUrl && { responseUrl }),
  };
}
