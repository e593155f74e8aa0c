import { z } from "zod";
import type { Listener } from "./listener.ts";

const deleted = z.object({
  file_id: z
    .string()
    .regex(/^F[A-Z0-9]+$/)
    .max(100),
});

/** A file was deleted in Slack. It is not said by whom; what was read of it goes, too. */
export const fileDeleted: Listener = {
  on: { event: "file_deleted" },
  policy: "slack-says",
  async handle({ installation, payload }, _inbox, { documents }) {
    const { data } = deleted.safeParse(payload);
    if (data) await documents.deleted(installation.tenant, data.file_id);
  },
};
