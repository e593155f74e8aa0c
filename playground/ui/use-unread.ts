import { useEffect, useState } from "preact/hooks";
import type { Feed } from "./event-stream.ts";
import type { Workspace } from "./page-api.ts";

/** Ids of channels where something was written since the person last looked; "direct" for the direct message. */
export function useUnread(feed: Feed | undefined, workspace: Workspace | undefined, shown: string | undefined): ReadonlySet<string> {
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const here = shown ?? "direct";
  useEffect(() => {
    setUnread((before) => new Set([...before].filter((id) => id !== here)));
    return feed?.onEvent((event) => {
      if (event.type === "view") return;
      const id = workspace?.channels.some((channel) => channel.id === event.channel) ? event.channel : "direct";
      if (event.type === "message" && id !== here) setUnread((before) => new Set([...before, id]));
    });
  }, [feed, workspace, here]);
  return unread;
}
