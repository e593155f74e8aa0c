import type { TaskUpdateChunk } from "@slack/types";
import type { Clock } from "../../../core/clock.ts";
import type { MessageTs } from "../../../core/ids.ts";
import type { AnswerTarget } from "../../ports.ts";
import type { ActivityLine } from "../../surfaces/answer/activity.ts";
import type { Words } from "../../surfaces/answer/words.ts";
import type { Part } from "../mrkdwn/run.ts";
import { slackFailure } from "../slack-failure.ts";
import type { MessageBody, SlackWriter } from "../slack-writer.ts";
import { closing, freshPen, jsonBytes, nextStroke, type Pen, type Stroke, WrittenLines } from "./pen.ts";
import { type StreamLine, streamPart } from "./stream-lines.ts";
import type { StreamContent } from "./stream-writer.ts";
import { TaskCards } from "./task-cards.ts";

/** What an answer shows now, for a stream. */
export interface StreamView {
  readonly activity: readonly ActivityLine[];
  /** While it grows: only what will not change any more. */
  readonly parts: readonly Part[];
  /** What stands below the text when it is complete. */
  readonly closing?: MessageBody;
}

export interface NativeAnswerParts {
  readonly writer: SlackWriter;
  readonly clock: Clock;
  readonly words: Words;
  readonly read: () => StreamView;
  /** Remembers that message `part` of the answer is `ts`. */
  readonly note: (part: number, ts: MessageTs) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** The answer cannot go on as a stream: what is on the screen has to be replaced by an edit. */
export class StreamLeft extends Error {
  constructor(why: string) {
    super(why);
    this.name = "StreamLeft";
  }
}

// Slack ends a stream after five minutes, and refuses more than about 11 kB (seen, not documented): both are kept well away from.
const longestLifeMs = 230_000;
const mostBytes = 9_000;
/** Bytes of a stream with the blocks at its end. */
const mostBytesClosed = 10_000;
/** Smallest size that is tried after a refusal for length, in bytes. */
const leastBytes = 2_000;
/** How often a stream may break off before the answer is edited instead. */
const mostBreaks = 6;

interface Live {
  readonly ts: MessageTs;
  readonly startedAt: number;
  pen: Pen;
}

/** An answer as native streams: one message after the other, each ended before Slack ends it. Only ever called by one worker. */
export class NativeAnswer {
  readonly #target: AnswerTarget;
  readonly #parts: NativeAnswerParts;
  readonly #cards: TaskCards;
  readonly #written = new WrittenLines();
  readonly #messages: MessageTs[] = [];
  #live: Live | undefined;
  #limit = mostBytes;
  #breaks = 0;
  #done = false;
  /** Whether a start may have succeeded without our knowing. */
  #uncertain = false;

  constructor(target: AnswerTarget, parts: NativeAnswerParts) {
    this.#target = target;
    this.#parts = parts;
    this.#cards = new TaskCards(parts.words);
  }

  /** When the live stream has to be ended, in monotonic milliseconds. */
  get endsAt(): number | undefined {
    return this.#live && this.#live.startedAt + longestLifeMs;
  }

  /**
   * Brings Slack up to date, one append at most while the answer grows. Throws StreamLeft or SlackFailure when it has to be edited
   * instead; then `leave` is due.
   * @returns whether anything was written
   */
  async write(): Promise<boolean> {
    for (let wrote = false; ; wrote = true) {
      this.#parts.signal.throwIfAborted();
      if (this.#done) return wrote;
      const view = this.#parts.read();
      const lines = this.#linesOf(view);
      if (!this.#live) {
        if (!this.#remains(view, lines)) return wrote;
        await this.#begin(view, lines);
        continue;
      }
      const stroke = this.#stroke(view, lines, this.#live);
      if (view.closing || stroke.more || this.#expired) await this.#breaking(() => this.#end());
      else if (stroke.text === "" && this.#changedCards(view).length === 0) return wrote;
      else {
        await this.#breaking(() => this.#append());
        if (this.#live) return true;
      }
    }
  }

  /** Whether any of the answer's text is on the screen. */
  get hasText(): boolean {
    return this.#written.position.lines > 0;
  }

  /** Ends what is still live, as far as Slack lets us. @returns the answer's messages, in order, for whoever edits them now */
  async leave(): Promise<readonly MessageTs[]> {
    try {
      if (this.#live) await this.#endAsItIs(this.#live.ts);
      if (this.#uncertain) await this.#findLost();
    } catch (thrown) {
      this.#parts.signal.throwIfAborted();
      slackFailure(thrown);
    }
    this.#live = undefined;
    return this.#messages;
  }

  async #endAsItIs(ts: MessageTs): Promise<boolean> {
    const known = this.#messages.indexOf(ts);
    const mark = this.#mark(known >= 0 ? known : this.#messages.length);
    return this.#parts.writer.streams.end(this.#target.channel, ts, mark, this.#parts.signal);
  }

  /** A start that nobody answered may have begun a stream all the same. */
  async #findLost(): Promise<void> {
    const { writer, note, signal } = this.#parts;
    for (const ts of await writer.findStreams(this.#target.channel, this.#target.thread, signal)) {
      if (this.#messages.includes(ts) || !(await this.#endAsItIs(ts))) continue;
      this.#messages.push(ts);
      await note(this.#messages.length - 1, ts);
    }
  }

  get #expired(): boolean {
    return this.#parts.clock.monotonic() >= (this.endsAt ?? Number.POSITIVE_INFINITY);
  }

  /** The view's lines, if they go on with what is on the screen. */
  #linesOf({ parts, closing: end }: StreamView): readonly StreamLine[] {
    const written = parts.map(streamPart);
    const lines = written.flatMap((part) => part.lines);
    const relation = this.#written.compare(lines);
    if (relation === "differs" || (end && relation !== "goes-on")) throw new StreamLeft("The text has changed.");
    if (end && !written.every(({ exact }) => exact)) throw new StreamLeft("An edited message shows it better.");
    return lines;
  }

  #stroke({ closing: end }: StreamView, lines: readonly StreamLine[], { pen }: Live): Stroke {
    if (this.#written.compare(lines) === "goes-on") return nextStroke(lines, this.#written.position, pen, this.#limit, !end);
    return { text: "", pen, position: this.#written.position, more: false };
  }

  #changedCards({ activity, closing: end }: StreamView): TaskUpdateChunk[] {
    return this.#cards.changed(activity, !end && this.#written.position.lines === 0);
  }

  /** Whether a new message is needed for what is not on the screen yet. */
  #remains(view: StreamView, lines: readonly StreamLine[]): boolean {
    if (this.#messages.length === 0 || view.closing) return true;
    const running = view.activity.some(({ state }) => state === "running");
    return nextStroke(lines, this.#written.position, freshPen, this.#limit, true).text !== "" || running;
  }

  async #begin(view: StreamView, lines: readonly StreamLine[]): Promise<void> {
    const { writer, clock, note } = this.#parts;
    const { channel, thread, person, recipientTeam } = this.#target;
    const live = { startedAt: clock.monotonic(), pen: freshPen };
    const stroke = this.#stroke(view, lines, { ...live, ts: thread });
    if (view.closing && stroke.text === "") return this.#postClosing(view.closing);
    if (!writer.streams.mayStart(channel)) throw new StreamLeft("No stream may be started now.");
    this.#cards.turn();
    const cards = this.#changedCards(view);
    const ts = await writer.streams
      .start(channel, thread, { user: person, team: recipientTeam }, { text: stroke.text, cards })
      .catch((thrown: unknown) => {
        this.#uncertain = slackFailure(thrown).kind === "transient";
        throw thrown;
      });
    this.#live = { ...live, ts };
    this.#advance(lines, stroke, cards);
    this.#messages.push(ts);
    await note(this.#messages.length - 1, ts);
  }

  async #append(): Promise<void> {
    const live = this.#live as Live;
    let advance = () => {};
    const content = (): StreamContent | undefined => {
      const view = this.#parts.read();
      if (view.closing) return undefined;
      const lines = this.#linesOf(view);
      const stroke = this.#stroke(view, lines, live);
      const cards = this.#changedCards(view);
      advance = () => this.#advance(lines, stroke, cards);
      return stroke.text === "" && cards.length === 0 ? undefined : { text: stroke.text, cards };
    };
    const { writer, signal } = this.#parts;
    if (await writer.streams.append(this.#target.channel, live.ts, content, { signal })) advance();
  }

  /** Ends the live stream with as much as it holds: with everything, if that is all there is. */
  async #end(): Promise<void> {
    const live = this.#live as Live;
    const { writer, signal } = this.#parts;
    let after = () => {};
    const content = () => {
      const view = this.#parts.read();
      const lines = this.#linesOf(view);
      const stroke = this.#stroke(view, lines, live);
      const cards = this.#changedCards(view);
      const text = stroke.text + closing(stroke.pen);
      const bytes = stroke.pen.bytes + sizeOf(cards);
      const last = view.closing !== undefined && !stroke.more;
      const blocks = last && bytes + sizeOf(view.closing.blocks) <= mostBytesClosed ? view.closing.blocks : [];
      after = () => {
        this.#advance(lines, stroke, cards);
        this.#live = undefined;
        this.#done = last && blocks.length === view.closing?.blocks.length;
      };
      return { text, cards, blocks };
    };
    const options = { mark: this.#mark(this.#messages.length - 1), final: () => this.#parts.read().closing !== undefined, signal };
    if (await writer.streams.stop(this.#target.channel, live.ts, content, options)) after();
  }

  /** What a stream did not hold, or no stream is left for, as a message of its own. */
  async #postClosing(body: MessageBody): Promise<void> {
    const { writer, note, signal } = this.#parts;
    const { channel, thread } = this.#target;
    const part = this.#messages.length;
    const ts = await writer.post(channel, thread, () => body, { mark: this.#mark(part), final: () => true, signal });
    if (ts) {
      this.#messages.push(ts);
      await note(part, ts);
    }
    this.#done = true;
  }

  #advance(lines: readonly StreamLine[], stroke: Stroke, cards: readonly TaskUpdateChunk[]): void {
    this.#written.note(lines, stroke.position);
    this.#cards.note(cards);
    if (this.#live) this.#live.pen = { ...stroke.pen, bytes: stroke.pen.bytes + sizeOf(cards) };
  }

  /** Goes on in another message when Slack has closed this one or finds it too long. */
  async #breaking(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (thrown) {
      if (thrown instanceof StreamLeft || this.#parts.signal.aborted) throw thrown;
      const failure = slackFailure(thrown);
      const live = this.#live as Live;
      this.#breaks += 1;
      if (this.#breaks > mostBreaks) throw failure;
      if (failure.code === "message_not_in_streaming_state") this.#live = undefined;
      else if (failure.kind === "too-long" && this.#limit > leastBytes) {
        this.#limit = Math.max(leastBytes, Math.min(this.#limit, live.pen.bytes) >> 1);
        await this.#endAsItIs(live.ts);
        this.#live = undefined;
      } else throw failure;
    }
  }

  #mark(part: number) {
    return { turn: this.#target.turn, part };
  }
}

const sizeOf = (chunks: readonly object[]): number => (chunks.length === 0 ? 0 : jsonBytes(JSON.stringify(chunks)));
