import { LRUCache } from "lru-cache";
import { z } from "zod";
import { AppError, codeOf } from "../../core/errors.ts";
import { type ChannelId, channelId, type MessageTs, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { Secret } from "../../core/secret.ts";
import type { Directory } from "../../permissions/directory.ts";
import { type FoundMessage, type SlackSearch, searchFlag } from "../../plugins/slack-messages.ts";
import { type SlackReader, slackErrorCode } from "./slack-reader.ts";

/** How long the leave that comes with a question is kept, in milliseconds, and of how many questions in memory. It is Slack's, and short. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 10_000;
/** Longest text of one message that is given on, in characters. */
const LONGEST_MESSAGE = 4_000;

const event = z.object({ assistant_thread: z.object({ action_token: z.string().min(1).max(500) }) });
const answer = z.object({
  results: z.object({
    messages: z
      .array(
        z.object({
          author_user_id: z.string().optional().catch(undefined),
          channel_id: z.string().optional().catch(undefined),
          channel_name: z.string().optional().catch(undefined),
          message_ts: z.string().regex(/^\d+\.\d+$/),
          content: z.string(),
          permalink: z
            .url({ protocol: /^https$/ })
            .optional()
            .catch(undefined),
        }),
      )
      .catch([]),
  }),
});

/** A message that asks, and its author. */
export interface AskedMessage {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly person: PersonId;
}

/** Leaves that Slack has sent with messages of one tenant, for whichever process answers them. What is found with one is kept nowhere. */
export interface SearchLeaves {
  /** @param flag only where this is set: where nobody may search, no leave is kept */
  keep(message: AskedMessage, leave: Secret, flag: string, keptMs: number): Promise<void>;
  /** For exactly this message and its author, while it is fresh. */
  find(message: AskedMessage): Promise<Secret | undefined>;
}

export interface SlackSearchParts {
  leavesOf(tenant: TenantId): SearchLeaves;
  readonly log: Logger;
  slackOf(
    tenant: TenantId,
  ): Promise<{ readonly reader: Pick<SlackReader, "call">; readonly directory: Pick<Directory, "person" | "place"> }>;
}

/** Slack's real-time search, by the leave that Slack sends with each message that asks: whichever process was told of it. */
export class RealTimeSearch implements SlackSearch {
  readonly #parts: SlackSearchParts;
  readonly #leave = new LRUCache<string, { readonly person: PersonId; readonly token: Secret }>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(parts: SlackSearchParts) {
    this.#parts = parts;
  }

  /** A message has come in, perhaps with a leave to search for it. What is kept for other processes is written meanwhile: Slack waits for its acknowledgement. */
  note(tenant: TenantId, at: AskedMessage, payload: unknown): void {
    const { data } = event.safeParse(payload);
    if (!data) return;
    const { channel, ts, person } = at;
    const token = new Secret(data.assistant_thread.action_token);
    this.#leave.set(keyOf(tenant, channel, ts), { person, token });
    this.#parts
      .leavesOf(tenant)
      .keep({ channel, ts, person }, token, searchFlag, KEPT_MS)
      .catch((thrown: unknown) => this.#parts.log.warn("Slack's leave to search could not be kept.", { tenant, code: codeOf(thrown) }));
  }

  async #keptFor(tenant: TenantId, message: AskedMessage) {
    const token = await this.#parts.leavesOf(tenant).find(message);
    return token && { person: message.person, token };
  }

  async search(...[{ tenant, person, channel, message }, { words, limit }, signal]: Parameters<SlackSearch["search"]>) {
    const leave = this.#leave.get(keyOf(tenant, channel, message)) ?? (await this.#keptFor(tenant, { channel, ts: message, person }));
    if (leave?.person !== person)
      throw unavailable(
        "Slack gave no leave to search for this question, or it has run out. Say so: mentioning the bot again gives a new one.",
      );
    signal.throwIfAborted();
    const { reader, directory } = await this.#parts.slackOf(tenant);
    const raw = await reader
      .call("assistant.search.context", {
        ...{ query: words, limit, action_token: leave.token.reveal() },
        // Others read the answer, too.
        ...{ content_types: "messages", channel_types: "public_channel", include_bots: false },
      })
      .catch((thrown: unknown) => {
        throw unavailable(reasonOf(slackErrorCode(thrown)));
      });
    signal.throwIfAborted();
    const messages = answer.safeParse(raw).data?.results.messages ?? [];
    return Promise.all(
      messages
        .slice(0, limit)
        .map(async ({ author_user_id, channel_id, channel_name, message_ts, content, permalink }): Promise<FoundMessage> => {
          const author = author_user_id === undefined ? undefined : await directory.person(personId(author_user_id));
          const name = channel_name ?? (channel_id === undefined ? undefined : (await directory.place(channelId(channel_id)))?.name);
          return {
            text: content.slice(0, LONGEST_MESSAGE),
            at: new Date(Number(message_ts) * 1_000),
            ...(author && { author: author.displayName || author.name }),
            ...(name !== undefined && { channel: name }),
            ...(permalink !== undefined && { url: permalink }),
          };
        }),
    );
  }
}

const keyOf = (tenant: TenantId, channel: ChannelId, message: MessageTs): string => `${tenant} ${channel} ${message}`;

const unavailable = (why: string): AppError => new AppError("SLACK_SEARCH_UNAVAILABLE", why);

/** Only what somebody can do something about is told apart. */
function reasonOf(code: string | undefined): string {
  if (code === "missing_scope")
    return "The app may not search Slack here: whoever runs Footnote has to grant it the scope search:read.public.";
  if (code === "feature_not_enabled" || code === "not_allowed_token_type" || code === "access_denied")
    return "Slack does not offer its search to this workspace or this app.";
  return "Slack's search did not answer.";
}
