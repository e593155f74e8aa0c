import { z } from "zod";
import { personId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const opened = z.object({ user: z.string().min(1).max(100), tab: z.string().optional() });

/** Somebody opens the app's Home tab. Its messages tab is another matter. */
export const homeOpened: Listener = {
  on: { event: "app_home_opened" },
  policy: "person-event",
  async handle({ installation, payload }, _inbox, { surface }) {
    const { data } = opened.safeParse(payload);
    if (data && data.tab !== "messages") surface.homeOpened(installation.tenant, personId(data.user));
  },
};
