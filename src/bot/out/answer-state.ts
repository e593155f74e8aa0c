import type { AgentEvent, Citation } from "../../agent/events.ts";
import type { CitationStyle } from "../../agent/templates/template.ts";
import type { TraceId, TurnId } from "../../core/ids.ts";
import type { ToolResult } from "../../plugins/contract.ts";
import type { Reach } from "../audience/reach.ts";
import type { AnswerTarget } from "../ports.ts";
import type { ActivityLine } from "../surfaces/answer/activity.ts";
import { addedLabel } from "../surfaces/answer/added-label.ts";
import { closingBody } from "../surfaces/answer/answer.ts";
import type { AnswerEnd, AnswerView } from "../surfaces/answer/answer-view.ts";
import { webAddress } from "../surfaces/answer/source-list.ts";
import type { Words } from "../surfaces/answer/words.ts";
import type { AllowedAddresses } from "./mrkdwn/addresses.ts";
import { DraftParts } from "./mrkdwn/draft-parts.ts";
import type { Part } from "./mrkdwn/run.ts";
import { type MrkdwnOptions, toParts } from "./mrkdwn.ts";
import type { StreamView } from "./native/native-answer.ts";

/** What an answer shows, folded from the agent's events. Pure book-keeping: writes nothing. */
export class AnswerState {
  readonly #turn: TurnId;
  readonly #attempt: number;
  readonly #reach: Reach | undefined;
  readonly #withFiles: boolean | undefined;
  readonly #allowed: AllowedAddresses;
  #traceId: TraceId | undefined;
  #activity: ActivityLine[] = [];
  #text = "";
  #citations: readonly Citation[] = [];
  #citationStyle: CitationStyle | undefined;
  #notices: string[] = [];
  #end: AnswerEnd | undefined;
  #draft = new DraftParts();
  #options: MrkdwnOptions;
  /** What `view` gave last; the same until something happens. */
  #shown: AnswerView | undefined;

  /**
   * @param attempt how often the turn had been tried before
   * @param allowed addresses that may be links beside those of cited sources: what the asker wrote
   */
  constructor(
    { turn, attempt, reach, withFiles }: Pick<AnswerTarget, "turn" | "attempt" | "reach" | "withFiles">,
    allowed: AllowedAddresses,
  ) {
    this.#turn = turn;
    this.#reach = reach;
    this.#withFiles = withFiles;
    this.#attempt = attempt;
    this.#allowed = allowed;
    this.#options = { allowed };
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  get hasText(): boolean {
    return this.#text.trim() !== "";
  }

  /** Takes in an event. Nothing changes after the end. @returns whether there is anything new to see */
  apply(event: AgentEvent): boolean {
    if (this.#end) return false;
    this.#shown = undefined;
    switch (event.type) {
      case "answer-start":
        this.#traceId = event.traceId;
        return true;
      case "step-start":
        return false;
      case "tool-start":
        this.#activity.push({ callId: event.call.id, label: event.label, state: "running" });
        return true;
      case "tool-progress":
        this.#amend(event.callId, (line) => ({ ...line, label: event.label }));
        return true;
      case "tool-end": {
        const finished = { callId: event.call.id, label: event.label, ms: event.ms, ...outcomeOf(event.result) };
        if (!this.#amend(event.call.id, () => finished)) this.#activity.push(finished);
        return true;
      }
      case "message-added":
        this.#activity.push({ callId: `added ${event.message}`, label: addedLabel, state: "done" });
        return true;
      case "text-delta":
        this.#text += event.text;
        if (event.cited) this.#options = { allowed: this.#allowed, citations: numbered(event.cited) };
        return true;
      case "text-reset":
        this.#text = "";
        this.#draft = new DraftParts();
        return true;
      case "notice":
        if (!this.#notices.includes(event.text)) this.#notices.push(event.text);
        return true;
      case "sources-ready":
        this.#citations = event.sources;
        this.#citationStyle = event.style;
        this.#options = this.#linking(event.sources);
        return true;
      case "answer-end":
        return this.#finish({ kind: event.outcome }, event.text);
      case "answer-stopped":
        return this.#finish({ kind: "stopped", cause: event.cause }, event.text);
      case "answer-error":
        return this.#finish({ kind: "error", message: event.message, retryable: event.retryable }, this.#text);
      default:
        event satisfies never;
        return false;
    }
  }

  /** How it is to be shown now in messages that are edited. The final text is converted as a whole; a draft is healed first. */
  view(): AnswerView {
    this.#shown ??= this.#view(this.#end ? toParts(this.#text, this.#options) : this.#draft.read(this.#text, this.#options));
    return this.#shown;
  }

  /** How it is to be shown in a stream, where nothing can be taken back. */
  streamView(words: Words): StreamView {
    const parts = this.#end ? toParts(this.#text, this.#options) : this.#draft.readSteady(this.#text, this.#options);
    const view = this.#view(parts);
    return { activity: view.activity, parts, ...(view.end && { closing: closingBody(view, words) }) };
  }

  #view(parts: readonly Part[]): AnswerView {
    return {
      turn: this.#turn,
      attempt: this.#attempt,
      traceId: this.#traceId,
      reach: this.#reach,
      withFiles: this.#withFiles,
      activity: this.#end ? this.#activity.map(settle) : this.#activity,
      parts,
      citations: this.#citations,
      citationStyle: this.#citationStyle,
      notices: this.#notices,
      end: this.#end,
    };
  }

  #finish(end: AnswerEnd, text: string): true {
    this.#text = text;
    this.#end = end;
    return true;
  }

  #amend(callId: string, change: (line: ActivityLine) => ActivityLine): boolean {
    const at = this.#activity.findIndex((line) => line.callId === callId);
    const line = this.#activity[at];
    if (line) this.#activity[at] = change(line);
    return line !== undefined;
  }

  #linking(sources: readonly Citation[]): MrkdwnOptions {
    const addresses = sources.flatMap(({ url, source }) => [url, source.url].filter((one) => one !== undefined));
    return {
      allowed: new Set([...this.#allowed, ...addresses]),
      citations: numbered(sources),
    };
  }
}

const numbered = (sources: readonly Citation[]) => new Map(sources.map(({ n, url }) => [n, webAddress(url)]));

function outcomeOf(result: ToolResult): Pick<ActivityLine, "state" | "count" | "reason"> {
  if (result.status === "denied") return { state: "denied" };
  if (result.status === "error") return { state: "failed", ...(result.error ? { reason: result.error.message } : {}) };
  return { state: "done", ...(result.metadata.count !== undefined ? { count: result.metadata.count } : {}) };
}

/** After the end nothing runs any more. */
const settle = (line: ActivityLine): ActivityLine => (line.state === "running" ? { ...line, state: "failed" } : line);
