import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Feed, openFeed } from "../event-stream.ts";
import type { Workspace } from "../page-api.ts";
import type { Place } from "../place.ts";
import { type Session, SessionContext } from "../session.ts";
import { useUnread } from "../use-unread.ts";
import { ChannelView } from "./channel-view.tsx";
import { Rail } from "./rail.tsx";
import { ScreenLayer } from "./screen-layer.tsx";
import { Sidebar } from "./sidebar.tsx";
import { ThreadPanel } from "./thread-panel.tsx";

interface Props {
  readonly workspaces: readonly Workspace[];
  readonly place: Place;
  readonly go: (change: Partial<Place>) => void;
  readonly replace: (place: Place) => void;
}

/** One workspace as one of its people sees it. */
export function WorkspaceView({ workspaces, place, go, replace }: Props): JSX.Element | null {
  const [feed, setFeed] = useState<Feed>();
  const [menuOpen, setMenuOpen] = useState(false);
  const index = workspaces.findIndex(({ name }) => name === place.workspace);
  const workspace = workspaces[index];
  const person = workspace?.people.find(({ name }) => name === place.as);

  useEffect(() => {
    if (!workspace || !person) return;
    const opened = openFeed({ workspace: workspace.name, as: person.id });
    setFeed(opened);
    return () => opened.close();
  }, [workspace, person]);

  useEffect(() => {
    document.title = `${place.channel === "direct" || place.channel === "home" ? "Footnote" : `#${place.channel}`} · ${workspace?.title} · Footnote playground`;
  }, [place.channel, workspace?.title]);

  const [connected, setConnected] = useState(true);
  useEffect(() => feed?.onConnection(setConnected), [feed]);

  const channel = workspace?.channels.find(({ name }) => name === place.channel);
  const unread = useUnread(feed, workspace, channel?.id);
  if (!workspace || !person || !feed) return null;
  const session: Session = {
    workspace,
    person,
    viewer: { workspace: workspace.name, as: person.id },
    place,
    ...(channel && { channel }),
    names: {
      user: (id) => (id === workspace.bot.id ? "Footnote" : workspace.people.find((other) => other.id === id)?.displayName),
      channel: (id) => workspace.channels.find((other) => other.id === id)?.name,
    },
    feed,
    go: (change) => {
      setMenuOpen(false);
      go(change);
    },
    closeThread: () => replace({ workspace: place.workspace, as: place.as, channel: place.channel }),
  };
  return (
    <SessionContext.Provider value={session}>
      <div class="app" data-accent={index % 4} data-menu={menuOpen ? "open" : "closed"} data-thread={place.thread ? "open" : "closed"}>
        <Rail workspaces={workspaces} />
        <Sidebar unread={unread} />
        <button
          type="button"
          class="backdrop"
          aria-label="Close the menu"
          tabIndex={menuOpen ? 0 : -1}
          onClick={() => setMenuOpen(false)}
        />
        <ChannelView key={place.channel} onMenu={() => setMenuOpen(true)} />
        {place.thread && <ThreadPanel key={place.thread} thread={place.thread} />}
        <ScreenLayer />
        <p class="offline" role="status">
          {!connected && "The playground does not answer. Trying again…"}
        </p>
      </div>
    </SessionContext.Provider>
  );
}
