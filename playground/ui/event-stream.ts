import { eventsUrl, type PageEvent, type Viewer } from "./page-api.ts";

/** Milliseconds before a stream that the server refused is tried again; the browser itself retries a broken one. */
const retryAfterMs = 2000;

export interface Feed {
  /** Hears every event. Returns a function that ends it. */
  onEvent(listener: (event: PageEvent) => void): () => void;
  /** Called whenever the stream is open, for the first time too: events before that may have been missed, so load what there is. */
  onOpen(listener: () => void): () => void;
  /** Called with whether the stream is open. */
  onConnection(listener: (open: boolean) => void): () => void;
  close(): void;
}

/** What happens in everything this person can read, as it happens. Reconnects for ever. */
export function openFeed(viewer: Viewer): Feed {
  const listeners = {
    event: new Set<(event: PageEvent) => void>(),
    open: new Set<() => void>(),
    connection: new Set<(open: boolean) => void>(),
  };
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    source = new EventSource(eventsUrl(viewer));
    source.onopen = () => {
      for (const listener of listeners.connection) listener(true);
      for (const listener of listeners.open) listener();
    };
    source.onerror = () => {
      for (const listener of listeners.connection) listener(false);
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryAfterMs);
    };
    source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as PageEvent);
  };
  const hear = (event: PageEvent) => {
    for (const listener of listeners.event) listener(event);
  };

  connect();
  return {
    onEvent: (listener) => listen(listeners.event, listener),
    onOpen: (listener) => listen(listeners.open, listener),
    onConnection: (listener) => listen(listeners.connection, listener),
    close: () => {
      clearTimeout(retry);
      source?.close();
    },
  };
}

function listen<Listener>(set: Set<Listener>, listener: Listener): () => void {
  set.add(listener);
  return () => set.delete(listener);
}
