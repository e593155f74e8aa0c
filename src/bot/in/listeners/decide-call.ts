import { z } from "zod";
import { channelId, isUuid, messageTs, personId } from "../../../core/ids.ts";
import { approvalActions } from "../../approvals/approval-card.ts";
import type { Decision } from "../../approvals/approval-store.ts";
import { editedForm } from "../../approvals/edit-form.ts";
import { readClick } from "../../surfaces/click.ts";
import type { SubmittedForm } from "../../surfaces/surface.ts";
import type { Listener } from "./listener.ts";

const clicked = z.object({
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  message: z.object({ thread_ts: z.string().optional() }).optional(),
});
const button = z.object({ value: z.string().refine(isUuid) });

const decides = (action: string, decision: Decision): Listener => ({
  on: { action },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { approvals }) {
    const where = clicked.safeParse(body).data;
    const id = button.safeParse(payload).data?.value;
    if (!where || !id) return;
    const thread = where.message?.thread_ts;
    await approvals.clicked({
      ...{ tenant: installation.tenant, id, decision },
      person: personId(where.user.id),
      channel: channelId(where.channel.id),
      ...(thread !== undefined && { thread: messageTs(thread) }),
    });
  },
});

/** The button that opens the modal in which a call is changed. */
const edits: Listener = {
  on: { action: approvalActions.edit },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { approvals }) {
    const click = readClick(installation.tenant, payload, body);
    if (!click?.at || !isUuid(click.value)) return;
    const { tenant, person, value: id, trigger, at } = click;
    await approvals.editing({ tenant, person, id, trigger, ...at });
  },
};

/** That modal was sent. */
const edited: Listener = {
  on: { form: editedForm },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { approvals }): Promise<SubmittedForm | undefined> {
    const click = readClick(installation.tenant, payload, body);
    const id = click?.view?.metadata ?? "";
    if (!click || !isUuid(id)) return undefined;
    const errors = await approvals.edited({ tenant: click.tenant, person: click.person, id, entered: click.entered });
    const begin = () => undefined;
    return Object.keys(errors).length > 0 ? { answer: { response_action: "errors", errors }, begin } : { begin };
  },
};

/** The buttons of a card that asks to allow a call. Whoever did not ask the question decides nothing. */
export const decideCall: readonly Listener[] = [
  decides(approvalActions.once, "once"),
  decides(approvalActions.thread, "thread"),
  decides(approvalActions.deny, "deny"),
  edits,
  edited,
];
