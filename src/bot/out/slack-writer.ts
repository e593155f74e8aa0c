import type { KnownBlock } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { Clock } from "../../core/clock.ts";
import { type ChannelId, type MessageTs, messageTs, type PersonId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { carries, type MessageMark, metadataOf, type WriteOptions } from "./message-mark.ts";
import { StreamSupport } from "./native/stream-support.ts";
import { StreamWriter } from "./native/stream-writer.ts";
import { SlackCaller } from "./slack-caller.ts";
import { slackFailure } from "./slack-failure.ts";
import type { WorkspaceBudget } from "./workspace-budget.ts";

/** What a message shows. `text` is what notifications and screen readers get; both are already inert mrkdwn. */
export interface MessageBody {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Asked for at the moment of sending, after any wait, so that what is sent is never out of date. Undefined: nothing to send any more. */
export type BodySource = () => MessageBody | undefined;

/** Links and pictures are never fetched, names never resolved: the text is not ours. */
const inert = { unfurl_links: false, unfurl_media: false, parse: "none", link_names: false } as const;

/** What writers of one workspace have in common beside its budget. */
interface Shared {
  readonly caller: SlackCaller;
  readonly support: StreamSupport;
}

/** The only place that writes text to one workspace's Slack. Throws SlackFailure, never for a rate limit: that it waits out. */
export class SlackWriter {
  readonly #client: WebClient;
  readonly #caller: SlackCaller;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly budget: WorkspaceBudget;
  /** Answers that arrive in pieces, where Slack has that. */
  readonly streams: StreamWriter;

  /** @param client rejects rate-limited calls and retries nothing (see slackClient): waiting and trying again happen here */
  constructor(client: WebClient, budget: WorkspaceBudget, clock: Clock, log: Logger, { caller, support }: Partial<Shared> = {}) {
    this.#client = client;
    this.budget = budget;
    this.#clock = clock;
    this.#log = log;
    this.#caller = caller ?? new SlackCaller(budget, clock, log);
    this.streams = new StreamWriter(client, this.#caller, support ?? new StreamSupport(clock));
  }

  /** The same for somebody who may not always write: every call is made only after `allowed` has let it, and fails for its reason. */
  while(allowed: SlackCaller["allowed"]): SlackWriter {
    const caller = new SlackCaller(this.budget, this.#clock, this.#log, allowed);
    return new SlackWriter(this.#client, this.budget, this.#clock, this.#log, { caller, support: this.streams.support });
  }

  /**
   * Posts a message. When a call's outcome is unknown it is posted again: better twice than not at all. With a mark and a thread never twice,
   * since the thread is searched for it before.
   * @returns its timestamp, or undefined when the source had nothing to send any more
   */
  async post(
    channel: ChannelId,
    thread: MessageTs | undefined,
    content: BodySource,
    options: WriteOptions = {},
  ): Promise<MessageTs | undefined> {
    const { mark, signal, final = never } = options;
    const send = async (body: MessageBody) => {
      const place = { channel, ...(thread ? { thread_ts: thread } : {}) };
      const answer = await this.#client.chat.postMessage({ ...place, ...inert, ...payload(body, mark) });
      return messageTs(String(answer.ts));
    };
    const lookUp = async () => (mark && thread ? this.findPosted(channel, thread, mark, signal) : undefined);
    return this.#caller.persist({ method: "chat.postMessage", channel, final, content, send, lookUp }, signal);
  }

  /** Replaces a message's content. @returns false when the source had nothing to send any more */
  async update(channel: ChannelId, ts: MessageTs, content: BodySource, options: WriteOptions = {}): Promise<boolean> {
    const { mark, signal, final = never } = options;
    const send = async (body: MessageBody) => {
      await this.#client.chat.update({ channel, ts, parse: "none", link_names: false, ...payload(body, mark) });
      return true;
    };
    return (await this.#caller.persist({ method: "chat.update", channel, final, content, send, lookUp: unknown }, signal)) ?? false;
  }

  /** Takes a message of ours away. One that is gone already is fine. */
  async remove(channel: ChannelId, ts: MessageTs, signal?: AbortSignal): Promise<void> {
    const send = async () => this.#client.chat.delete({ channel, ts });
    try {
      await this.#caller.persist({ method: "chat.delete", channel, final: always, content: always, send, lookUp: unknown }, signal);
    } catch (thrown) {
      if (slackFailure(thrown).kind !== "message-gone") throw thrown;
    }
  }

  /** A notice that only one person sees. Slack may not deliver it: never for content that matters. */
  async postEphemeral(channel: ChannelId, person: PersonId, body: MessageBody, thread?: MessageTs, signal?: AbortSignal): Promise<void> {
    const send = async () => {
      const to = { channel, user: person, ...(thread ? { thread_ts: thread } : {}) };
      return this.#client.chat.postEphemeral({ ...to, parse: "none", link_names: false, ...payload(body) });
    };
    await this.#caller.persist({ method: "chat.postEphemeral", channel, final: never, content: always, send, lookUp: unknown }, signal);
  }

  /** The message of a thread that carries this mark, if Slack has it. */
  async findPosted(channel: ChannelId, thread: MessageTs, mark: MessageMark, signal?: AbortSignal): Promise<MessageTs | undefined> {
    for await (const message of this.#thread(channel, thread, signal)) {
      if (message.ts && carries(message, mark)) return messageTs(message.ts);
    }
    return undefined;
  }

  /** Messages of a thread that still are streams, in order. They may be another app's. */
  async findStreams(channel: ChannelId, thread: MessageTs, signal?: AbortSignal): Promise<MessageTs[]> {
    const live: MessageTs[] = [];
    for await (const message of this.#thread(channel, thread, signal)) {
      const { streaming_state: state } = message as { streaming_state?: string };
      if (message.ts && state === "in_progress") live.push(messageTs(message.ts));
    }
    return live;
  }

  async *#thread(channel: ChannelId, thread: MessageTs, signal?: AbortSignal) {
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const place = { channel, ts: thread, limit: 200, include_all_metadata: true, ...(cursor ? { cursor } : {}) };
      const send = async () => this.#client.conversations.replies(place);
      const call = { method: "conversations.replies", channel, final: always, content: always, send, lookUp: unknown } as const;
      const answer = await this.#caller.persist(call, signal);
      yield* answer?.messages ?? [];
      cursor = answer?.response_metadata?.next_cursor || undefined;
      if (!cursor) return;
    }
  }
}

/** Longest thread that is searched, in pages of 200. */
const mostPages = 20;

const always = () => true;
const never = () => false;
/** Doing it again does no harm, so that nobody needs to know whether it was done. */
const unknown = async () => undefined;

const payload = (body: MessageBody, mark?: MessageMark) => ({ text: body.text, blocks: [...body.blocks], ...metadataOf(mark) });
