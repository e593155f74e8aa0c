import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import type { Secret } from "../../core/secret.ts";
import { signedBySlack } from "./slack-signature.ts";

/** Slack's largest deliveries are far smaller. */
const bodyLimit = 2 * 1024 * 1024;
/** As long as a signature is accepted. */
const rememberedMs = 600_000;

/**
 * The door for signed deliveries: reads the body, checks its signature over the raw bytes, and only then lets Bolt see it.
 * Answers 401 to anything that Slack did not sign, 413 to bodies over the limit.
 * @param next Bolt's own listener, given a request whose body is at `rawBody`
 */
export function signedRequests(next: RequestListener, secret: Secret, clock: Clock): RequestListener {
  // Events are stored once whatever happens, and Slack repeats them with the same signature; clicks and commands come once.
  const used = new LRUCache<string, true>({ max: 50_000, ttl: rememberedMs });
  return (request, response) => {
    void (async () => {
      const body = await readBody(request);
      if (!body) return answer(response, 413);
      if (encoded(request) || !signedBySlack(request.headers, body, secret, clock)) return answer(response, 401);
      if (isForm(request)) {
        const signature = String(request.headers["x-slack-signature"]);
        if (used.has(signature)) return answer(response, 401);
        used.set(signature, true);
      }
      next(Object.assign(request, { rawBody: body }), response);
    })().catch(() => answer(response, 400));
  };
}

/** Undefined when it is over the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > bodyLimit) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

const encoded = ({ headers }: IncomingMessage): boolean => (headers["content-encoding"] ?? "identity") !== "identity";

const isForm = ({ headers }: IncomingMessage): boolean => headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  response.writeHead(status, { connection: "close" });
  response.end();
}
