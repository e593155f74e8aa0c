import { z } from "zod";
import { type ChannelId, channelId, type MessageTs, messageTs, type PersonId, personId, type TenantId } from "../../core/ids.ts";
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
  /** Slack's address for an answer that only this person sees. */
  readonly responseUrl?: string;
  /** Of a form: what was entered, by action id; several choices on a line each. */
  readonly entered: ReadonlyMap<string, string>;
}

const text = z.string().max(3_000);
const option = z.object({ value: text });
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
          values: z.record(
            z.string(),
            z.record(
              z.string(),
              z.object({
                value: text.nullish(),
                selected_option: option.nullish(),
                selected_options: z.array(option).max(10_000).nullish(),
              }),
            ),
          ),
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

type Entered = Readonly<{
  value?: string | null | undefined;
  selected_option?: { readonly value: string } | null | undefined;
  selected_options?: readonly { readonly value: string }[] | null | undefined;
}>;

const enteredIn = ({ value, selected_option: one, selected_options: several }: Entered): string =>
  several ? several.map((each) => each.value).join("\n") : (one?.value ?? value ?? "");

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
