import { createHmac, randomBytes } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Clock } from "../../src/core/clock.ts";
import type { Attempt, EnvelopeKind, Transport } from "./delivery.ts";
import type { Json } from "./state.ts";

/** A request in the form Slack sends it, signed. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Slack's requests over HTTP: signed with the v0 scheme, JSON for events, a form for commands and interactions. */
export class HttpEvents implements Transport {
  readonly #url: string;
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(url: string, signingSecret: string, clock: Clock) {
    this.#url = url;
    this.#secret = signingSecret;
    this.#clock = clock;
  }

  async send({ kind, payload, retry, retryReason, timeoutMs, signal }: Parameters<Transport["send"]>[0]): Promise<Attempt> {
    const signed = this.sign(kind, payload);
    const retries: Record<string, string> =
      retry > 0 ? { "x-slack-retry-num": String(retry), "x-slack-retry-reason": retryReason ?? "unknown_error" } : {};
    const timer = new AbortController();
    const done = new AbortController();
    const late = this.#clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal])).then(
      () => timer.abort("late"),
      () => timer.abort("stopped"),
    );
    try {
      const response = await post(this.#url, { ...signed.headers, ...retries }, signed.body, timer.signal);
      if (response.status < 200 || response.status > 299)
        return { outcome: "http_error", final: response.headers["x-slack-no-retry"] === "1" };
      const body = parse(response.body);
      return { outcome: "acknowledged", ...(body && { body }) };
    } catch {
      return { outcome: timer.signal.reason === "late" ? "http_timeout" : "connection_failed" };
    } finally {
      done.abort();
      await late;
    }
  }

  /** Whether the app answers Slack's challenge for its request URL. */
  async verifyUrl(): Promise<boolean> {
    const challenge = randomBytes(24).toString("base64url");
    const signed = this.sign("events_api", { token: "playground", challenge, type: "url_verification" });
    const { status, body } = await post(this.#url, signed.headers, signed.body);
    return status === 200 && (body === challenge || parse(body)?.challenge === challenge);
  }

  /** Signs a payload as Slack does, so that tests can also send spoiled ones. */
  sign(kind: EnvelopeKind, payload: Json): SignedRequest {
    const body = bodyOf(kind, payload);
    const timestamp = String(Math.floor(this.#clock.now().getTime() / 1000));
    const signature = createHmac("sha256", this.#secret).update(`v0:${timestamp}:${body}`).digest("hex");
    return {
      body,
      headers: {
        "content-type": kind === "events_api" ? "application/json" : "application/x-www-form-urlencoded",
        "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${signature}`,
      },
    };
  }
}

/** One POST on a connection of its own: a pool would keep spare connections open, which a server waits for when it stops. */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const options = { method: "POST", agent: false, headers: { ...headers, "content-length": length }, ...(signal && { signal }) };
    const outgoing = request(url, options, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }), reject);
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

function bodyOf(kind: EnvelopeKind, payload: Json): string {
  if (kind === "events_api") return JSON.stringify(payload);
  if (kind === "interactive") return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return new URLSearchParams(Object.entries(payload).map(([key, value]): [string, string] => [key, String(value)])).toString();
}

/** The app's answer: a JSON object, a bare text (a slash command's reply), or nothing. */
function parse(answer: string): Json | undefined {
  if (!answer.trim()) return undefined;
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === "object" && value !== null ? (value as Json) : { text: answer };
  } catch {
    return { text: answer };
  }
}
