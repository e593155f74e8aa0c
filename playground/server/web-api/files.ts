import { ApiError } from "../api-error.ts";
import type { BotMethod } from "./call.ts";

/** files.*: only what a bot needs to look a shared file up. */
export const fileMethods: Readonly<Record<string, BotMethod>> = {
  "files.info": {
    tier: 4,
    scope: "files:read",
    required: ["file"],
    run: ({ workspace, args }) => {
      const file = workspace.files.get(args.need("file"));
      if (!file) throw new ApiError("file_not_found");
      return { file, comments: [], response_metadata: { next_cursor: "" } };
    },
  },
};
