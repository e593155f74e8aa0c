import type { AnyBlock, TaskUpdateChunk } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import { type ChannelId, type MessageTs, messageTs, type PersonId } from "../../../core/ids.ts";
import { type MessageMark, metadataOf, type WriteOptions } from "../message-mark.ts";
import type { SlackCaller } from "../slack-caller.ts";
import { slackFailure } from "../slack-failure.ts";
import type { BudgetedCall } from "../workspace-budget.ts";
import type { StreamSupport } from "./stream-support.ts";

/** What one call adds to a stream. */
export interface StreamContent {
  /** Slack's Markdown, already inert. */
  readonly text: string;
  readonly cards: readonly TaskUpdateChunk[];
}

/** What a stream ends with. */
export interface StreamEnd extends StreamContent {
  /** Shown below everything else. */
  readonly blocks: readonly AnyBlock[];
}

/** For whom a stream is; Slack wants to know it in channels. */
export interface StreamReader {
  readonly user: PersonId;
  /** The person's own workspace. */
  readonly team: string | undefined;
}

/**
 * One workspace's native streams. An append cannot be repeated without doubling text, so that a failure of unknown outcome is thrown
 * like a refusal (SlackFailure): whoever writes has to put the message right by an edit.
 */
export class StreamWriter {
  readonly #client: WebClient;
  readonly #caller: SlackCaller;
  /** Where streams work, as far as known. */
  readonly support: StreamSupport;

  constructor(client: WebClient, caller: SlackCaller, support: StreamSupport) {
    this.#client = client;
    this.#caller = caller;
    this.support = support;
  }

  /** Whether a stream may be started now, without waiting. It then counts as started. */
  mayStart(channel: ChannelId): boolean {
    return this.support.works(channel) && this.#caller.budget.takeNow(startIn(channel));
  }

  /** Begins a stream; only after `mayStart`. One try. */
  async start(channel: ChannelId, thread: MessageTs, { user, team }: StreamReader, content: StreamContent): Promise<MessageTs> {
    await this.#caller.allowed();
    try {
      const reader = { recipient_user_id: user, ...(team !== undefined && { recipient_team_id: team }) };
      const answer = await this.#client.chat.startStream({ channel, thread_ts: thread, ...reader, ...payload(content) });
      this.support.worked();
      return messageTs(String(answer.ts));
    } catch (thrown) {
      const failure = this.#caller.noted(startIn(channel), thrown);
      this.support.failed(channel, failure);
      throw failure;
    }
  }

  /** @returns false when there was nothing to add any more when its turn came */
  async append(channel: ChannelId, ts: MessageTs, content: () => StreamContent | undefined, options: WriteOptions = {}): Promise<boolean> {
    const send = async (added: StreamContent) => {
      await this.#client.chat.appendStream({ channel, ts, ...payload(added) } as Parameters<WebClient["chat"]["appendStream"]>[0]);
      return true;
    };
    const call = { method: "chat.appendStream", channel, final: options.final ?? never, content, send } as const;
    return (await this.#caller.persist(call, options.signal)) ?? false;
  }

  /** Ends a stream. @returns false when the source no longer wanted to */
  async stop(channel: ChannelId, ts: MessageTs, content: () => StreamEnd | undefined, options: WriteOptions = {}): Promise<boolean> {
    const send = async (end: StreamEnd) => {
      await this.#client.chat.stopStream({ channel, ts, ...payload(end), ...blocksOf(end), ...metadataOf(options.mark) });
      return true;
    };
    const call = { method: "chat.stopStream", channel, final: options.final ?? never, content, send } as const;
    return (await this.#caller.persist(call, options.signal)) ?? false;
  }

  /** Ends a stream as it is, whatever its state. @returns whether it is ours and no longer live */
  async end(channel: ChannelId, ts: MessageTs, mark?: MessageMark, signal?: AbortSignal): Promise<boolean> {
    const send = async () => {
      await this.#client.chat.stopStream({ channel, ts, ...metadataOf(mark) });
      return true;
    };
    const call = { method: "chat.stopStream", channel, final: always, content: always, send, lookUp: async () => undefined } as const;
    try {
      return (await this.#caller.persist(call, signal)) ?? false;
    } catch (thrown) {
      const { code } = slackFailure(thrown);
      if (notLive.has(code)) return true;
      if (notOurs.has(code)) return false;
      throw thrown;
    }
  }
}

const notLive: ReadonlySet<string> = new Set(["message_not_in_streaming_state", "stopped_by_user"]);
const notOurs: ReadonlySet<string> = new Set(["message_not_owned_by_app", "message_not_found"]);

const startIn = (channel: ChannelId): BudgetedCall => ({ method: "chat.startStream", channel, final: never });

/** Markdown alone, or chunks when there are cards: Slack takes one of both. */
function payload({ text, cards }: StreamContent) {
  if (cards.length === 0) return text === "" ? {} : { markdown_text: text };
  return { chunks: [...cards, ...(text === "" ? [] : [{ type: "markdown_text" as const, text }])] };
}

const blocksOf = ({ blocks }: StreamEnd) => (blocks.length > 0 ? { blocks: [...blocks] } : {});
const always = () => true;
const never = () => false;
