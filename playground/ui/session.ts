import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Feed } from "./event-stream.ts";
import type { Names } from "./mrkdwn/render.tsx";
import type { Channel, Person, Viewer, Workspace } from "./page-api.ts";
import type { Place } from "./place.ts";

/** What every part of the page may need to know: who looks at what, and how to go elsewhere. */
export interface Session {
  readonly workspace: Workspace;
  readonly person: Person;
  readonly viewer: Viewer;
  readonly place: Place;
  /** Absent in the direct message. */
  readonly channel?: Channel;
  readonly names: Names;
  readonly feed: Feed;
  go(place: Partial<Place>): void;
  closeThread(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession outside a session");
  return session;
}

/** Whether an event's channel is the one shown. The direct message is the only conversation the workspace does not list. */
export const isShown = (session: Session, channelId: string): boolean =>
  session.channel ? session.channel.id === channelId : !session.workspace.channels.some(({ id }) => id === channelId);
