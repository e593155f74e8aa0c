import { z } from "zod";
import { channelId, isUuid, personId, turnId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const clicked = z.object({ user: z.object({ id: z.string() }), channel: z.object({ id: z.string() }) });
const button = z.object({ value: z.string().refine(isUuid) });

/** The Retry button under a failed answer. Its value is the turn's id, which proves nothing: only the asker's click counts, and once. */
export const retryTurn: Listener = {
  on: { action: "retry_turn" },
  policy: "person-click",
  async handle({ installation, payload, body }, inbox) {
    const where = clicked.safeParse(body).data;
    const turn = button.safeParse(payload).data?.value;
    if (!where || !turn) return;
    await inbox.retry(installation.tenant, turnId(turn), { channel: channelId(where.channel.id), person: personId(where.user.id) });
  },
};
