import { z } from "zod";
import { personId } from "../../../core/ids.ts";
import type { Listener } from "./listener.ts";

const asked = z.object({ user: z.object({ id: z.string().min(1).max(100) }), value: z.string().max(200).default("") });

/** The menu of templates in App Home asks for those that hold what was typed. */
export const templateSuggestions: Listener = {
  on: { suggestions: "channel_template" },
  policy: "person-click",
  async handle({ installation, body }, _inbox, { surface }) {
    const { data } = asked.safeParse(body);
    return data ? surface.suggest({ tenant: installation.tenant, person: personId(data.user.id), typed: data.value }) : [];
  },
};
