import type { KnownBlock } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { Clock } from "../../core/clock.ts";
import { type ChannelId, type MessageTs, messageTs, type PersonId, type TurnId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { slackFailure } from "./slack-failure.ts";
import type { BudgetedCall, WorkspaceBudget } from "./workspace-budget.ts";

/** What a message shows. `text` is what notifications and screen readers get; both are already inert mrkdwn. */
export interface MessageBody {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Which piece of which answer a message is: written into its metadata, so that it can be found again. */
export interface MessageMark {
  readonly turn: TurnId;
  /** 0-based. */
  readonly part: number;
}

export interface WriteOptions {
  readonly mark?: MessageMark;
  /** The last state of an answer: goes before drafts and may use the reserve. */
  readonly final?: () => boolean;
  readonly signal?: AbortSignal;
}

/** Asked for at the moment of sending, after any wait, so that what is sent is never out of date. Undefined: nothing to send any more. */
export type BodySource = () => MessageBody | undefined;

const eventType = "footnote_answer";
/** Links and pictures are never fetched, names never resolved: the text is not ours. */
const inert = { unfurl_links: false, unfurl_media: false, parse: "none", link_names: false } as const;
/** Seconds between tries after a failure of which the outcome is unknown. */
const backoff = [0.5, 1, 2, 4, 8] as const;
/** The only place that writes text to one workspace's Slack. Throws SlackFailure, never for a rate limit: that it waits out. */
export class SlackWriter {
  readonly #client: WebClient;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly budget: WorkspaceBudget;

  /** @param client rejects rate-limited calls and retries nothing (see slackClient): waiting and trying again happen here */
  constructor(client: WebClient, budget: WorkspaceBudget, clock: Clock, log: Logger) {
    this.#client = client;
    this.budget = budget;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Posts a message, once. When a call's outcome is unknown and the message has a mark, the thread is searched for it before posting again.
   * @returns its timestamp, or undefined when the source had nothing to send any more
   */
  async post(
    channel: ChannelId,
    thread: MessageTs | undefined,
    body: BodySource,
    options: WriteOptions = {},
  ): Promise<MessageTs | undefined> {
    const call: BudgetedCall = { method: "chat.postMessage", channel, final: options.final ?? never };
    const send = async (content: MessageBody) => {
      const answer = await this.#client.chat.postMessage({
        channel,
        ...(thread ? { thread_ts: thread } : {}),
        ...inert,
        ...payload(content, options.mark),
      });
      return messageTs(String(answer.ts));
    };
    const lookUp = async () => (options.mark && thread ? this.findPosted(channel, thread, options.mark, options.signal) : undefined);
    return this.#persist(call, body, send, lookUp, options.signal);
  }

  /** Replaces a message's content. @returns false when the source had nothing to send any more */
  async update(channel: ChannelId, ts: MessageTs, body: BodySource, options: WriteOptions = {}): Promise<boolean> {
    const call: BudgetedCall = { method: "chat.update", channel, final: options.final ?? never };
    const send = async (content: MessageBody) => {
      await this.#client.chat.update({ channel, ts, parse: "none", link_names: false, ...payload(content, options.mark) });
      return true;
    };
    return (await this.#persist(call, body, send, async () => undefined, options.signal)) ?? false;
  }

  /** Takes a message of ours away. One that is gone already is fine. */
  async remove(channel: ChannelId, ts: MessageTs, signal?: AbortSignal): Promise<void> {
    const send = async () => {
      await this.#client.chat.delete({ channel, ts });
      return true;
    };
    try {
      await this.#persist(
        { method: "chat.delete", channel, final: always },
        () => nothing,
        send,
        async () => undefined,
        signal,
      );
    } catch (thrown) {
      if (slackFailure(thrown).kind !== "message-gone") throw thrown;
    }
  }

  /** A notice that only one person sees. Slack may not deliver it: never for content that matters. */
  async postEphemeral(channel: ChannelId, person: PersonId, body: MessageBody, thread?: MessageTs, signal?: AbortSignal): Promise<void> {
    const send = async (content: MessageBody) => {
      const to = { channel, user: person, ...(thread ? { thread_ts: thread } : {}) };
      await this.#client.chat.postEphemeral({ ...to, parse: "none", link_names: false, ...payload(content) });
      return true;
    };
    await this.#persist(
      { method: "chat.postEphemeral", channel, final: never },
      () => body,
      send,
      async () => undefined,
      signal,
    );
  }

  /** The message of a thread that carries this mark, if Slack has it. */
  async findPosted(channel: ChannelId, thread: MessageTs, mark: MessageMark, signal?: AbortSignal): Promise<MessageTs | undefined> {
    const call: BudgetedCall = { method: "conversations.replies", channel, final: always };
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const read = () =>
        this.#client.conversations.replies({ channel, ts: thread, limit: 200, include_all_metadata: true, ...(cursor ? { cursor } : {}) });
      const answer = await this.#persist(
        call,
        () => nothing,
        read,
        async () => undefined,
        signal,
      );
      const found = answer?.messages?.find((message) => carries(message, mark));
      if (found?.ts) return messageTs(found.ts);
      cursor = answer?.response_metadata?.next_cursor || undefined;
      if (!cursor) return undefined;
    }
    return undefined;
  }

  /** Calls until Slack took it or refused: waits for the budget and for Retry-After, tries again after failures without an answer. */
  async #persist<T>(
    call: BudgetedCall,
    body: BodySource,
    send: (body: MessageBody) => Promise<T>,
    lookUp: () => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    for (let failures = 0; ; ) {
      await this.budget.take(call, signal);
      const content = body();
      if (content === undefined) return undefined;
      try {
        return await send(content);
      } catch (thrown) {
        const failure = slackFailure(thrown);
        this.#log.warn("Slack refused a call", { method: call.method, code: failure.code, attempt: failures + 1 });
        if (failure.kind === "rate-limited") {
          this.budget.limited(call, failure.retryAfter);
          continue;
        }
        const wait = backoff[failures++];
        if (failure.kind !== "transient" || wait === undefined) throw failure;
        await this.#clock.sleep(wait * 1_000, signal);
        const found = await lookUp().catch(unlessUseless);
        if (found !== undefined) return found;
      }
    }
  }
}

/** A thread that cannot be read cannot show a doubled post either; better twice than silence. */
function unlessUseless(thrown: unknown): undefined {
  if (slackFailure(thrown).kind !== "refused") throw thrown;
}

const always = () => true;
const never = () => false;
const nothing: MessageBody = { text: "", blocks: [] };

const payload = (body: MessageBody, mark?: MessageMark) => ({
  text: body.text,
  blocks: [...body.blocks],
  ...(mark ? { metadata: { event_type: eventType, event_payload: { turn_id: mark.turn, part: mark.part } } } : {}),
});

function carries(message: object, mark: MessageMark): boolean {
  const { metadata } = message as { metadata?: { event_type?: string; event_payload?: { turn_id?: unknown; part?: unknown } } };
  return (
    metadata?.event_type === eventType &&
    metadata.event_payload?.turn_id === mark.turn &&
    Number(metadata.event_payload?.part) === mark.part
  );
}
