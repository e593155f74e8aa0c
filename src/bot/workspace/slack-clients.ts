import { LogLevel, type Logger as SlackLogger, type WebAPICallResult, WebClient, type WebClientOptions } from "@slack/web-api";
import { lightFetch } from "../../core/light-fetch.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";

/** A call that takes longer is given up. The SDK has no limit of its own. */
const callTimeoutMs = 10_000;
/** Calls of one workspace at once; the budget of writes is kept elsewhere. */
const concurrentCalls = 20;

/**
 * Options for every client of Slack's Web API. The SDK must not retry: it would repeat writes that Slack has stored already, and pause
 * a whole workspace for one limited method. `headers` is never set: the SDK shares that object between tenants and writes tokens into it.
 * @param apiUrl ends in /api/; Slack itself when absent
 */
export function slackClientOptions(log: Logger, apiUrl?: string): WebClientOptions {
  return {
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: callTimeoutMs,
    fetch: lightFetch,
    maxRequestConcurrency: concurrentCalls,
    allowAbsoluteUrls: false,
    logger: slackLogger(log),
  };
}

/**
 * A client for one workspace.
 * @param teamId given for an organisation's token: every call then says which of its workspaces is meant
 * @param onFailure told what a call threw, whoever made it
 */
export const slackClient = (
  token: Secret,
  log: Logger,
  apiUrl?: string,
  { teamId, onFailure = () => undefined }: { readonly teamId?: string | undefined; readonly onFailure?: (thrown: unknown) => void } = {},
): WebClient => new WatchedClient(token, { ...slackClientOptions(log, apiUrl), ...(teamId !== undefined && { teamId }) }, onFailure);

/** A client that tells every failure of its calls to somebody else as well. */
class WatchedClient extends WebClient {
  readonly #onFailure: (thrown: unknown) => void;

  constructor(token: Secret, options: WebClientOptions, onFailure: (thrown: unknown) => void) {
    super(token.reveal(), options);
    this.#onFailure = onFailure;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(method, options);
    } catch (thrown) {
      this.#onFailure(thrown);
      throw thrown;
    }
  }
}

/** What the SDK says that helps an operator and holds nothing of anybody's. Everything else it logs may carry bodies or tokens. */
const known: readonly (readonly [beginning: string, sentence: string])[] = [
  ["A ping wasn't received", "Slack's pings have stopped; the connection is renewed."],
  ["A pong wasn't received", "Slack does not answer pings; the connection is renewed."],
  ["Failed to retrieve a new WSS URL", "Slack gave no address for a connection."],
  ["Failed to send a message", "A delivery could not be acknowledged because the connection is gone; Slack will deliver it again."],
  ["Failed to parse and verify", "A request that was not signed by Slack was refused."],
  ["Request body exceeded", "A request that was too large was refused."],
  ["WebSocket error", "The connection to Slack failed."],
  ["http request failed", "A call to Slack failed."],
];

/** The SDK's logger, reduced to sentences of our own. */
export function slackLogger(log: Logger): SlackLogger {
  const tell = (level: "warn" | "error") => (message: unknown) => {
    const match = known.find(([beginning]) => String(message).startsWith(beginning));
    if (match) log[level](match[1]);
    else log.debug("The Slack SDK reported something.");
  };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: tell("warn"),
    error: tell("error"),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
