import type { AgentEvent } from "../../agent/events.ts";
import type { Clock } from "../../core/clock.ts";
import type { MessageTs } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { AnswerJournal, AnswerTarget, SlackAnswerSink } from "../ports.ts";
import { AnswerState } from "./answer-state.ts";
import type { AllowedAddresses } from "./mrkdwn/addresses.ts";
import { defaultLimits, type TextLimits } from "./mrkdwn/split.ts";
import { type SlackFailure, slackFailure } from "./slack-failure.ts";
import type { MessageBody, SlackWriter } from "./slack-writer.ts";
import { answerMessages } from "./views/answer.ts";
import { english, type Words } from "./views/words.ts";

export interface SlackStreamParts {
  /** Bound to the answer's workspace. */
  readonly writer: SlackWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** Addresses that may become links although no source has them: those in the question. See webAddressesIn. */
  readonly allowed?: AllowedAddresses;
  readonly words?: Words;
}

/** Shortest time between two drafts of one answer, in milliseconds. The first text and the end do not wait for it. */
const draftInterval = 750;
/** How long an answer without any message waits for its own end when the workspace has hardly any edits left, in milliseconds. */
const scarceWait = 5_000;
/** Smallest message that is tried before a refusal for length is taken as final, in characters. */
const smallestMessage = 1_500;
/** How often a message may vanish, or Slack be out of order for a whole round of tries, before the answer is given up. */
const mostSetbacks = 8;
/** Milliseconds before the next try after one of these. */
const setbackPause = 200;

/** One message of the answer as Slack has it. `shown` is undefined when that is unknown (an earlier attempt wrote it). */
interface Sent {
  readonly ts: MessageTs;
  shown?: string | undefined;
}

/**
 * An answer in a Slack thread: posted at the first event, then edited until its final text is there. Events only change the
 * state; one worker per answer writes, one call after the other, always the newest state at the moment of sending.
 */
export class SlackStream implements SlackAnswerSink {
  readonly #target: AnswerTarget;
  readonly #journal: AnswerJournal;
  readonly #parts: SlackStreamParts;
  readonly #words: Words;
  readonly #state: AnswerState;
  readonly #sent: (Sent | undefined)[] = [];
  readonly #closed = new AbortController();
  #limits: TextLimits = defaultLimits;
  #revision = 0;
  #delivered = 0;
  #rendered: { revision: number; bodies: MessageBody[] } | undefined;
  #adopted = false;
  #worker: Promise<void> | undefined;
  #hurry = new AbortController();
  #nextDraftAt = 0;
  #textShown = false;
  #textOnly = false;
  #setbacks = 0;
  /** The message that is being written, or was last. */
  #writing = 0;
  #failure: SlackFailure | undefined;

  constructor(target: AnswerTarget, journal: AnswerJournal, parts: SlackStreamParts) {
    this.#target = target;
    this.#journal = journal;
    this.#parts = parts;
    this.#words = parts.words ?? english;
    this.#state = new AnswerState(target.turn, parts.allowed ?? new Set());
  }

  /** Returns at once; Slack is written to in the background. */
  write(event: AgentEvent): void {
    if (this.#failure || this.#closed.signal.aborted || !this.#state.apply(event)) return;
    this.#revision++;
    if (this.#state.ended || (this.#state.hasText && !this.#textShown)) this.#hurry.abort();
    if (this.#state.ended) this.#parts.writer.budget.reconsider();
    this.#start();
  }

  async settled(): Promise<void> {
    while (this.#worker) await this.#worker;
    if (this.#failure) throw this.#failure;
  }

  /** Writes nothing any more: the answer belongs to another process now. */
  close(): void {
    this.#closed.abort();
  }

  /** Keeps one worker running for as long as there is something to write. */
  #start(): void {
    if (!this.#pending) return;
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
      this.#start();
    });
  }

  get #pending(): boolean {
    return this.#delivered < this.#revision && !this.#failure && !this.#closed.signal.aborted;
  }

  async #work(): Promise<void> {
    while (this.#pending) {
      try {
        await this.#adopt();
        await this.#pause();
        const revision = this.#revision;
        await this.#writeAll();
        this.#delivered = revision;
      } catch (thrown) {
        if (this.#closed.signal.aborted) return;
        const failure = slackFailure(thrown);
        if (this.#recover(failure)) await this.#parts.clock.sleep(setbackPause, this.#closed.signal).catch(() => undefined);
        else this.#giveUp(failure);
      }
    }
  }

  #giveUp(failure: SlackFailure): void {
    this.#failure = failure;
    this.#parts.log.error("An answer could not be written to Slack.", { turn: this.#target.turn, code: failure.code });
  }

  /** Takes over the messages of an earlier attempt. */
  async #adopt(): Promise<void> {
    if (this.#adopted) return;
    for (const [part, ts] of (await this.#journal.posted()).entries()) this.#sent[part] = { ts };
    this.#adopted = true;
  }

  /** Waits until the next draft is due; not at all for the first text and for the end. */
  async #pause(): Promise<void> {
    const { clock, writer } = this.#parts;
    if (this.#state.ended) return;
    if (this.#sent.length === 0 && writer.budget.scarce) {
      // A message now would need an edit later, and those are nearly used up: better one post with the answer in it.
      const until = clock.monotonic() + scarceWait;
      while (!this.#state.ended && clock.monotonic() < until) await this.#rest(until - clock.monotonic());
    }
    while (!this.#state.ended && (this.#textShown || !this.#state.hasText) && clock.monotonic() < this.#nextDraftAt) {
      await this.#rest(this.#nextDraftAt - clock.monotonic());
    }
  }

  /** Sleeps until the time is over, the first text or the end is there, or the stream is closed. */
  async #rest(ms: number): Promise<void> {
    this.#hurry = new AbortController();
    await this.#parts.clock.sleep(ms, AbortSignal.any([this.#hurry.signal, this.#closed.signal])).catch(() => undefined);
    this.#closed.signal.throwIfAborted();
  }

  /** Brings every message of the answer up to date, in order, and takes away those that are not needed any more. */
  async #writeAll(): Promise<void> {
    for (let part = 0; part < this.#bodies().length; part++) {
      const hadText = this.#state.hasText;
      if (await this.#writePart(part)) this.#nextDraftAt = this.#parts.clock.monotonic() + draftInterval;
      if (hadText) this.#textShown = true;
    }
    if (!this.#state.ended) return;
    for (let part = this.#bodies().length; part < this.#sent.length; part++) {
      const extra = this.#sent[part];
      this.#sent[part] = undefined;
      if (extra) await this.#remove(extra.ts);
    }
  }

  /** What cannot be taken away stays: the answer itself is complete. */
  async #remove(ts: MessageTs): Promise<void> {
    try {
      await this.#parts.writer.remove(this.#target.channel, ts, this.#closed.signal);
    } catch (thrown) {
      this.#parts.log.warn("A message that is not needed any more stays.", { turn: this.#target.turn, code: slackFailure(thrown).code });
    }
  }

  /** @returns whether a message was written */
  async #writePart(part: number): Promise<boolean> {
    this.#writing = part;
    const { writer } = this.#parts;
    const { channel, thread, turn, attempt } = this.#target;
    let sent = this.#sent[part];
    if (!sent && attempt > 0 && this.#setbacks === 0) {
      const ts = await writer.findPosted(channel, thread, { turn, part }, this.#closed.signal);
      if (ts) sent = await this.#note(part, { ts });
    }
    let content: string | undefined;
    const newest = () => {
      const body = this.#closed.signal.aborted ? undefined : this.#bodies()[part];
      const key = body && JSON.stringify(body);
      if (key === sent?.shown) return undefined;
      content = key;
      return body;
    };
    if (sent && newest() === undefined) return false;
    const options = { mark: { turn, part }, final: () => this.#state.ended, signal: this.#closed.signal };
    if (sent) await writer.update(channel, sent.ts, newest, options);
    else {
      const ts = await writer.post(channel, thread, newest, options);
      if (ts) sent = await this.#note(part, { ts });
    }
    if (sent && content !== undefined) sent.shown = content;
    return content !== undefined;
  }

  async #note(part: number, sent: Sent): Promise<Sent> {
    this.#sent[part] = sent;
    try {
      await this.#journal.note(part, sent.ts);
    } catch {
      // The mark in the message's metadata finds it again; the answer goes on.
      this.#parts.log.warn("A posted message could not be noted.", { turn: this.#target.turn, count: part });
    }
    return sent;
  }

  #bodies(): MessageBody[] {
    if (this.#rendered?.revision !== this.#revision) {
      const bodies = answerMessages(this.#state.view(), this.#words, this.#limits);
      this.#rendered = { revision: this.#revision, bodies: this.#textOnly ? bodies.map((body) => ({ ...body, blocks: [] })) : bodies };
    }
    return this.#rendered.bodies;
  }

  /** Changes what can be changed after a refusal. @returns false when there is no way on */
  #recover(failure: SlackFailure): boolean {
    if (failure.final || ++this.#setbacks > mostSetbacks) return false;
    this.#rendered = undefined;
    switch (failure.kind) {
      case "too-long":
        if (this.#limits.message <= smallestMessage) return false;
        this.#limits = {
          section: Math.max(1_400, this.#limits.section >> 1),
          message: Math.max(smallestMessage, this.#limits.message >> 1),
        };
        return true;
      case "message-gone":
        this.#sent[this.#writing] = undefined;
        return true;
      case "refused":
        // Most likely a block that Slack does not take: plain text is better than nothing.
        if (this.#textOnly || failure.code !== "invalid_blocks") return false;
        this.#textOnly = true;
        return true;
      default:
        return true;
    }
  }
}
