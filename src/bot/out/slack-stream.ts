import type { AgentEvent } from "../../agent/events.ts";
import { type Clock, notNeeded } from "../../core/clock.ts";
import type { MessageTs } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { AnswerJournal, AnswerTarget, SlackAnswerSink } from "../ports.ts";
import { english, type Words } from "../surfaces/answer/words.ts";
import { AnswerState } from "./answer-state.ts";
import { EditedAnswer } from "./edited-answer.ts";
import { webAddressesIn } from "./mrkdwn/addresses.ts";
import { NativeAnswer, StreamLeft, type StreamView } from "./native/native-answer.ts";
import { type SlackFailure, slackFailure } from "./slack-failure.ts";
import type { SlackWriter } from "./slack-writer.ts";

export interface SlackStreamParts {
  /** Bound to the answer's workspace. */
  readonly writer: SlackWriter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly words?: Words;
  /** False keeps to posting and editing. True when absent: Slack's own streams are used where they work. */
  readonly streaming?: boolean;
}

/** Shortest time between two drafts of one answer, in milliseconds. The first text and the end do not wait for it. */
const draftInterval = 750;
/** How long an answer without any message waits for its own end when the workspace has hardly any edits left, in milliseconds. */
const scarceWait = 5_000;
/** Milliseconds before the next try after one of these. */
const setbackPause = 200;

/**
 * An answer in a Slack thread: streamed where Slack does that, otherwise posted at the first event and edited until its final text is
 * there; a stream that cannot go on is edited too. Events only change the state; one worker per answer writes, one call after the
 * other, always the newest state at the moment of sending.
 */
export class SlackStream implements SlackAnswerSink {
  readonly #target: AnswerTarget;
  readonly #journal: AnswerJournal;
  readonly #parts: SlackStreamParts;
  readonly #words: Words;
  readonly #state: AnswerState;
  readonly #closed = new AbortController();
  #revision = 0;
  #delivered = 0;
  #streamed: { revision: number; view: StreamView } | undefined;
  readonly #edited: EditedAnswer;
  #native: NativeAnswer | undefined;
  #prepared = false;
  #worker: Promise<void> | undefined;
  /** The end of the stream that is watched already. */
  #watched: number | undefined;
  readonly #watching = new AbortController();
  #hurry = new AbortController();
  #nextDraftAt = 0;
  #textShown = false;
  #failure: SlackFailure | undefined;

  constructor(target: AnswerTarget, journal: AnswerJournal, parts: SlackStreamParts) {
    this.#target = target;
    this.#journal = journal;
    // Timers are late in a busy process: the right to write is looked at before each call instead.
    const writer = journal.stillOurs ? parts.writer.while(journal.stillOurs) : parts.writer;
    this.#parts = { ...parts, writer };
    this.#words = parts.words ?? english;
    this.#state = new AnswerState(target, webAddressesIn(target.question ?? ""));
    this.#edited = new EditedAnswer(target, journal, {
      writer,
      anyhow: parts.writer,
      log: parts.log,
      words: this.#words,
      read: () => ({ view: this.#state.view(), revision: this.#revision }),
      signal: this.#closed.signal,
    });
  }

  /** Returns at once; Slack is written to in the background. */
  write(event: AgentEvent): void {
    if (this.#failure || this.#closed.signal.aborted || !this.#state.apply(event)) return;
    this.#revision++;
    if (this.#state.ended || (this.#state.hasText && !this.#textShown)) this.#hurry.abort(notNeeded);
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
    this.#watching.abort(notNeeded);
  }

  /** Keeps one worker running for as long as there is something to write. */
  #start(): void {
    if (!this.#pending) {
      this.#watch();
      return;
    }
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
      this.#start();
    });
  }

  /** Wakes the worker when a stream has to be ended although there is no news. */
  #watch(): void {
    const endsAt = this.#native?.endsAt;
    if (endsAt === undefined || endsAt === this.#watched || this.#failure || this.#state.ended) return;
    this.#watched = endsAt;
    const { clock } = this.#parts;
    const wake = () => {
      if (this.#native?.endsAt !== endsAt) return;
      this.#revision++;
      this.#start();
    };
    clock.sleep(Math.max(0, endsAt - clock.monotonic()), this.#watching.signal).then(wake, () => undefined);
  }

  get #pending(): boolean {
    return this.#delivered < this.#revision && !this.#failure && !this.#closed.signal.aborted;
  }

  async #work(): Promise<void> {
    while (this.#pending) {
      try {
        await this.#prepare();
        await this.#pause();
        const revision = this.#revision;
        if (!(await this.#stream())) await this.#edit();
        this.#delivered = revision;
        if (this.#state.ended && revision === this.#revision) this.#watching.abort(notNeeded);
      } catch (thrown) {
        if (this.#closed.signal.aborted) return;
        const failure = slackFailure(thrown);
        if (this.#edited.recover(failure)) await this.#parts.clock.sleep(setbackPause, this.#closed.signal).catch(() => undefined);
        else this.#giveUp(failure);
      }
    }
  }

  #giveUp(failure: SlackFailure): void {
    this.#failure = failure;
    this.#watching.abort(notNeeded);
    this.#parts.log.error("An answer could not be written to Slack.", { turn: this.#target.turn, code: failure.code });
  }

  /** Takes over what an earlier attempt left, or chooses between a stream and edits. An answer that is ready is simply posted. */
  async #prepare(): Promise<void> {
    if (this.#prepared) return;
    // A first attempt has left nothing to take over.
    if (this.#target.attempt > 0) this.#edited.adopt(await this.#journal.posted());
    if (this.#parts.streaming === false) this.#prepared = true;
    else if (this.#target.attempt > 0) await this.#endStreams();
    else if (!this.#state.ended) this.#native = this.#openStream();
    this.#prepared = true;
  }

  #openStream(): NativeAnswer | undefined {
    const { writer, clock } = this.#parts;
    if (!writer.streams.support.works(this.#target.channel)) return undefined;
    const note = (part: number, ts: MessageTs) => this.#edited.note(part, ts);
    const read = () => this.#streamView();
    return new NativeAnswer(this.#target, { writer, clock, words: this.#words, read, note, signal: this.#closed.signal });
  }

  /** A stream that an earlier attempt was cut off in is ended, so that it can be edited; also one it had no time to note. */
  async #endStreams(): Promise<void> {
    const { writer } = this.#parts;
    const { channel, thread, turn } = this.#target;
    const { signal } = this.#closed;
    for (const ts of await writer.findStreams(channel, thread, signal)) {
      const { messages } = this.#edited;
      const noted = messages.indexOf(ts);
      const part = noted >= 0 ? noted : messages.length;
      const ours = await writer.streams.end(channel, ts, { turn, part }, signal);
      if (ours && noted < 0) await this.#edited.note(part, ts);
    }
  }

  /** Streams what is new. @returns false when the answer is to be edited from now on */
  async #stream(): Promise<boolean> {
    const native = this.#native;
    if (!native) return false;
    try {
      if (await native.write()) this.#nextDraftAt = this.#parts.clock.monotonic() + draftInterval;
      this.#textShown ||= native.hasText;
      return true;
    } catch (thrown) {
      this.#closed.signal.throwIfAborted();
      const code = thrown instanceof StreamLeft ? "left" : slackFailure(thrown).code;
      this.#parts.log.info("An answer goes on by editing instead of streaming.", { turn: this.#target.turn, code });
    }
    this.#native = undefined;
    this.#edited.adopt(await native.leave());
    return false;
  }

  async #edit(): Promise<void> {
    const hadText = this.#state.hasText;
    if (await this.#edited.write()) this.#nextDraftAt = this.#parts.clock.monotonic() + draftInterval;
    this.#textShown ||= hadText;
  }

  #streamView(): StreamView {
    if (this.#streamed?.revision !== this.#revision) {
      this.#streamed = { revision: this.#revision, view: this.#state.streamView(this.#words) };
    }
    return this.#streamed.view;
  }

  /** Waits until the next draft is due; not at all for the first text and for the end. */
  async #pause(): Promise<void> {
    const { clock, writer } = this.#parts;
    if (this.#state.ended) return;
    if (!this.#native && this.#edited.messages.length === 0 && writer.budget.scarce) {
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
}
