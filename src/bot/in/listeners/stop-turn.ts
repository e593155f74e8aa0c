import { z } from "zod";
import { channelId, isUuid, newId, personId, turnId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const clicked = z.object({ user: z.object({ id: z.string() }), channel: z.object({ id: z.string() }), trigger_id: z.string().default("") });
const button = z.object({ value: z.string().refine(isUuid) });

/** The Stop button under an answer that is being written. Its value is the turn's id, which proves nothing: rights are checked where it acts. */
export const stopTurn: Listener = {
  on: { action: "stop_turn" },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { control }) {
    const where = clicked.safeParse(body).data;
    const turn = button.safeParse(payload).data?.value;
    if (!where || !turn) return;
    await control.stop(installation.tenant, {
      channel: channelId(where.channel.id),
      turn: turnId(turn),
      person: personId(where.user.id),
      // A click that cannot be told from another one counts.
      key: `stop ${where.trigger_id || newId()}`,
      // The answer it stands under has ended: that is plain to see.
      addressed: false,
    });
  },
};
