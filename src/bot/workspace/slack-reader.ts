import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import type { Clock } from "../../core/clock.ts";

/** Slack recommends at most 200 a page; every method accepts 1,000, and fewer calls meet fewer limits. */
const pageSize = 1_000;
/** A list that goes on beyond this many pages is not read to its end: it counts as incomplete. */
const maxPages = 50;
/** A limited call is tried once more when Slack asks for no longer a wait than this. */
const longestWaitSeconds = 5;
/** Work in the background waits longer, and more often. */
const patience = { seconds: 120, times: 10 } as const;

type Arguments = Readonly<Record<string, string | number | boolean>>;

/** Slack's list methods and where their items are. */
const listKeys = {
  "users.list": "members",
  "users.conversations": "channels",
  "conversations.list": "channels",
  "conversations.members": "members",
  "auth.teams.list": "teams",
} as const;

/** Read-only calls of one workspace: repeated once when limited, lists to their end. */
export class SlackReader {
  readonly #client: WebClient;
  readonly #clock: Clock;

  constructor(client: WebClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** One call. Rejects as the SDK does. */
  async call(method: string, args: Arguments): Promise<Readonly<Record<string, unknown>>> {
    try {
      return { ...(await this.#client.apiCall(method, args)) };
    } catch (error) {
      if (!(error instanceof WebAPIRateLimitedError) || error.retryAfter > longestWaitSeconds) throw error;
      await this.#clock.sleep(error.retryAfter * 1_000);
      return { ...(await this.#client.apiCall(method, args)) };
    }
  }

  /** One call that nobody waits for: a limit is waited out, as long as Slack says. */
  async callPatiently(method: string, args: Arguments, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    for (let times = 0; ; times++) {
      signal.throwIfAborted();
      try {
        return { ...(await this.#client.apiCall(method, args)) };
      } catch (error) {
        const limited = error instanceof WebAPIRateLimitedError && error.retryAfter <= patience.seconds && times < patience.times;
        if (!limited) throw error;
        await this.#clock.sleep(error.retryAfter * 1_000, signal);
      }
    }
  }

  /** All items of a list, following its cursor. Rejects when the list cannot be read to its end: half a list is no answer. */
  async list<Item>(method: keyof typeof listKeys, args: Arguments = {}): Promise<readonly Item[]> {
    const items: Item[] = [];
    let cursor = "";
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await this.call(method, { ...args, limit: pageSize, ...(cursor ? { cursor } : {}) });
      const found = answer[listKeys[method]];
      if (!Array.isArray(found)) throw new Error(`${method} gave no list`);
      items.push(...(found as Item[]));
      cursor = (answer.response_metadata as { next_cursor?: string } | undefined)?.next_cursor ?? "";
      if (!cursor) return items;
    }
    throw new Error(`${method} has too many pages`);
  }
}

/** Slack's error code, when Slack answered with one. */
export const slackErrorCode = (error: unknown): string | undefined =>
  error instanceof WebAPIPlatformError ? error.data.error : error instanceof WebAPIRateLimitedError ? "ratelimited" : undefined;
