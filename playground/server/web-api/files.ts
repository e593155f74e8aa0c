import { ApiError } from "../api-error.ts";
import type { Json } from "../state.ts";
import { type BotMethod, channelOf } from "./call.ts";

/** files.*: what a bot needs to look a shared file up, and to list those of a channel. */
export const fileMethods: Readonly<Record<string, BotMethod>> = {
  "files.info": {
    tier: 4,
    scope: "files:read",
    required: ["file"],
    run: ({ workspace, args }) => {
      const file = workspace.files.get(args.need("file"));
      if (!file) throw new ApiError("file_not_found");
      if (file.mode === "tombstone") throw new ApiError("file_deleted");
      return { file, comments: [], response_metadata: { next_cursor: "" } };
    },
  },
  "files.list": {
    tier: 3,
    scope: "files:read",
    run: (call) => {
      const { workspace, args } = call;
      const channel = args.has("channel") ? channelOf(call).id : undefined;
      const hidden = args.flag("show_files_hidden_by_limit") === true;
      const found = [...workspace.files.values()]
        .filter((file) => channel === undefined || sharedIn(file).includes(channel))
        .filter(({ mode }) => hidden || mode !== "hidden_by_limit")
        .reverse();
      const [count, page] = [args.integer("count", 100), args.integer("page", 1)];
      if (count < 1 || count > 1000 || page < 1) throw new ApiError("invalid_arguments");
      const pages = Math.max(1, Math.ceil(found.length / count));
      return { files: found.slice((page - 1) * count, page * count), paging: { count, total: found.length, page, pages } };
    },
  },
};

/** Ids of the places in which a file is shared. */
const sharedIn = (file: Json): unknown[] => ["channels", "groups", "ims"].flatMap((kind) => (file[kind] as unknown[] | undefined) ?? []);
