import { z } from "zod";
import { channelId, isUuid, personId, turnId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const clicked = z.object({ user: z.object({ id: z.string() }), channel: z.object({ id: z.string() }) });
const button = z.object({ value: z.string().max(100) });

/**
 * The button for another answer. Its value is the turn's id and how often it had been tried before this answer, so that each answer
 * offers it once; only its asker's click counts.
 */
export const regenerateTurn: Listener = {
  on: { action: "regenerate_turn" },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { control }) {
    const where = clicked.safeParse(body).data;
    const [turn, attempt] = button.safeParse(payload).data?.value.split(" ") ?? [];
    if (!where || !turn || !isUuid(turn) || !/^\d{1,6}$/.test(attempt ?? "")) return;
    const click = { channel: channelId(where.channel.id), person: personId(where.user.id), attempt: Number(attempt) };
    await control.again(installation.tenant, turnId(turn), click);
  },
};
