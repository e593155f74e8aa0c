import { text } from "node:stream/consumers";
import type { Clock } from "../../core/clock.ts";
import { sseData } from "./sse.ts";

/** How long a server may take to end a reply that it has called done, in milliseconds. */
const LINGER_MS = 100;

interface Watcher {
  onBytes(): void;
  /** The server has ended the reply: the connection is free. */
  onEnd(): void;
}

/**
 * The data of a reply's events, read to its end or until the server has called it done. A server that ignored `stream` answers with
 * one JSON object, which is one event. Throws what the connection throws.
 */
export function replyData(response: Response, clock: Clock, watcher: Watcher): AsyncGenerator<string> {
  const bytes = watched(response, watcher);
  const whole = response.headers.get("content-type")?.includes("application/json");
  return untilDone(whole ? oneEvent(bytes) : sseData(bytes), clock);
}

async function* watched({ body }: Response, { onBytes, onEnd }: Watcher): AsyncGenerator<Uint8Array> {
  for await (const bytes of body ?? []) {
    onBytes();
    yield bytes;
  }
  onEnd();
}

async function* oneEvent(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  yield await text(bytes);
}

/** After [DONE] only the end of the body follows: it is read, so that the connection can be used again, but not waited for long. */
async function* untilDone(events: AsyncGenerator<string>, clock: Clock): AsyncGenerator<string> {
  for (let done = false; ; ) {
    const next = events.next();
    const event: IteratorResult<string> | undefined = done
      ? await Promise.race([next, clock.sleep(LINGER_MS).then(() => undefined)])
      : await next;
    if (!event || event.done) return;
    done = event.value.trim() === "[DONE]";
    yield event.value;
  }
}
