import { codeOf } from "../../core/errors.ts";
import type { MessageTs } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { AnswerJournal, AnswerTarget } from "../ports.ts";
import { answerMessages } from "../surfaces/answer/answer.ts";
import type { AnswerView } from "../surfaces/answer/answer-view.ts";
import type { Words } from "../surfaces/answer/words.ts";
import { defaultLimits, type TextLimits } from "./mrkdwn/split.ts";
import { type SlackFailure, slackFailure } from "./slack-failure.ts";
import type { MessageBody, SlackWriter } from "./slack-writer.ts";

export interface EditedAnswerParts {
  readonly writer: SlackWriter;
  /** Takes our own message away also when the answer is not ours to write any more. */
  readonly anyhow: Pick<SlackWriter, "remove">;
  readonly log: Logger;
  readonly words: Words;
  /** How the answer is to be shown now. `revision` tells when that has changed. */
  readonly read: () => { readonly view: AnswerView; readonly revision: number };
  readonly signal: AbortSignal;
}

/** Smallest message that is tried before a refusal for length is taken as final, in characters. */
const smallestMessage = 1_500;
/** How often a message may vanish, or Slack be out of order for a whole round of tries, before the answer is given up. */
const mostSetbacks = 8;

/** One message of the answer as Slack has it. `shown` is undefined when that is unknown (an earlier attempt wrote it). */
interface Sent {
  readonly ts: MessageTs;
  shown?: string | undefined;
}

/** An answer as ordinary messages that are edited until they show it. */
export class EditedAnswer {
  readonly #target: AnswerTarget;
  readonly #journal: AnswerJournal;
  readonly #parts: EditedAnswerParts;
  readonly #sent: (Sent | undefined)[] = [];
  #limits: TextLimits = defaultLimits;
  #rendered: { revision: number; bodies: MessageBody[] } | undefined;
  #tables = true;
  #textOnly = false;
  #refusals = 0;
  #setbacks = 0;
  /** The message that is being written, or was last. */
  #writing = 0;

  constructor(target: AnswerTarget, journal: AnswerJournal, parts: EditedAnswerParts) {
    this.#target = target;
    this.#journal = journal;
    this.#parts = parts;
  }

  /** Messages that show something of this answer already, in order. */
  get messages(): readonly (MessageTs | undefined)[] {
    return this.#sent.map((sent) => sent?.ts);
  }

  /** Takes such messages over: nobody knows exactly what they show. */
  adopt(messages: readonly MessageTs[]): void {
    for (const [part, ts] of messages.entries()) this.#sent[part] = { ts };
  }

  /** Brings every message of the answer up to date, in order, and takes away those that are not needed any more. @returns whether anything was written */
  async write(): Promise<boolean> {
    let wrote = false;
    for (let part = 0; part < this.#bodies().length; part++) wrote = (await this.#writePart(part)) || wrote;
    if (!this.#ended) return wrote;
    for (let part = this.#bodies().length; part < this.#sent.length; part++) {
      const extra = this.#sent[part];
      this.#sent[part] = undefined;
      if (extra) await this.#remove(extra.ts, this.#parts.writer, this.#parts.signal);
    }
    return wrote;
  }

  get #ended(): boolean {
    return this.#parts.read().view.end !== undefined;
  }

  /** What cannot be taken away stays: the answer itself is complete. */
  async #remove(ts: MessageTs, writer: Pick<SlackWriter, "remove">, signal?: AbortSignal): Promise<void> {
    try {
      await writer.remove(this.#target.channel, ts, signal);
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
      const ts = await writer.findPosted(channel, thread, { turn, part }, this.#parts.signal);
      if (ts) sent = await this.note(part, ts);
    }
    let content: string | undefined;
    const newest = () => {
      const body = this.#parts.signal.aborted ? undefined : this.#bodies()[part];
      const key = body && JSON.stringify(body);
      if (key === sent?.shown) return undefined;
      content = key;
      return body;
    };
    if (sent && newest() === undefined) return false;
    const options = { mark: { turn, part }, final: () => this.#ended, signal: this.#parts.signal };
    if (sent) await writer.update(channel, sent.ts, newest, options);
    else {
      const ts = await writer.post(channel, thread, newest, options);
      if (ts) sent = await this.note(part, ts);
    }
    if (sent && content !== undefined) sent.shown = content;
    return content !== undefined;
  }

  /** Remembers that message `part` of the answer is `ts`, also for the time after a crash. */
  async note(part: number, ts: MessageTs): Promise<Sent> {
    const sent: Sent = { ts };
    this.#sent[part] = sent;
    try {
      await this.#journal.note(part, ts);
    } catch (thrown) {
      // The mark in the message's metadata finds it again; the answer goes on.
      this.#parts.log.warn("A posted message could not be noted.", { turn: this.#target.turn, count: part });
      if (codeOf(thrown) === "LEASE_LOST") await this.#withdraw(part, ts);
    }
    return sent;
  }

  /** Another process writes this answer now. It has not found a message that was on its way when it looked, and has one of its own. */
  async #withdraw(part: number, ts: MessageTs): Promise<void> {
    const theirs = await this.#journal.posted().catch((): readonly MessageTs[] => []);
    if (theirs[part] !== undefined && !theirs.includes(ts)) await this.#remove(ts, this.#parts.anyhow);
  }

  #bodies(): MessageBody[] {
    const { view, revision } = this.#parts.read();
    if (this.#rendered?.revision !== revision) {
      const bodies = answerMessages(view, this.#parts.words, { text: this.#limits, tables: this.#tables });
      this.#rendered = { revision, bodies: this.#textOnly ? bodies.map((body) => ({ ...body, blocks: [] })) : bodies };
    }
    return this.#rendered.bodies;
  }

  /** Changes what can be changed after a refusal. @returns false when there is no way on */
  recover(failure: SlackFailure): boolean {
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
        return this.#afterRefusal(failure);
      default:
        return true;
    }
  }

  /**
   * A refusal that Slack may have invented since this was written must not leave a draft behind as the last word: first without
   * tables, then once more the same, then plain text (a block may be what it does not take), then a message of its own.
   */
  #afterRefusal({ code }: SlackFailure): boolean {
    if (this.#tables && this.#parts.read().view.parts.some(({ table }) => table)) {
      this.#tables = false;
      return true;
    }
    this.#refusals += 1;
    if (this.#refusals === 1 && code !== "invalid_blocks") return true;
    if (!this.#textOnly) {
      this.#textOnly = true;
      return true;
    }
    const edited = this.#sent[this.#writing] !== undefined;
    this.#sent[this.#writing] = undefined;
    return edited;
  }
}
