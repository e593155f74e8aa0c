import { z } from "zod";
import { channelId, isUuid, messageTs, personId } from "../../../core/ids.ts";
import { approvalActions } from "../../approvals/approval-card.ts";
import type { Decision } from "../../approvals/approval-store.ts";
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

/** The buttons of a card that asks to allow a call. Whoever did not ask the question decides nothing. */
export const decideCall: readonly Listener[] = [
  decides(approvalActions.once, "once"),
  decides(approvalActions.thread, "thread"),
  decides(approvalActions.deny, "deny"),
];
