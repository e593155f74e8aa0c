import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/canonical-json.ts";
import { newId } from "../../core/ids.ts";
import type { FormField, ServiceQuestion, Tool, WritingRequest, Written } from "../../plugins/contract.ts";
import type { Budget } from "../budget.ts";
import type { CallToAllow } from "../ports.ts";
import { requestedTokens, type SideCallParts, sideCall } from "../side-call.ts";
import { type ClickParts, fingerprintOf } from "./approvals.ts";
import { waitingFor } from "./refusal.ts";
import { whileWaiting } from "./waiting.ts";

/** Questions of one call that people are asked: who is asked again and again clicks without reading. */
const MOST_QUESTIONS = 5;
/** Longest text that a model writes for a service, in tokens, and how long it may take, in milliseconds. */
const MOST_TOKENS = 2_000;
const WRITING_MS = 60_000;

/** All that the model is told beside the service's own words. */
const task = [
  "You write a text for a program, which has asked for it in the middle of its work.",
  "Everything below are that program's own words. You have no tools, and you know nothing of whoever uses the program.",
].join(" ");

export interface QuestionParts extends ClickParts {
  /** What a model writes for a service with, and what counts that. Absent: nothing is written for any. */
  readonly writer?: Omit<SideCallParts, "clock"> & { readonly budget: Pick<Budget, "inputLeft" | "outputLeft"> };
}

/** Nobody waits for the answer to a question any more. Named like the end of a time limit, since that is how people are told of it. */
const over = new DOMException("The call is over.", "TimeoutError");

/**
 * What a service may ask of whoever asked, in the middle of one call: one thing at a time, not more often than somebody reads carefully, and
 * nothing more once they have said no. When the call is over its questions are.
 */
export class ServiceQuestions {
  readonly #tool: Tool;
  readonly #parts: QuestionParts;
  readonly #over = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #refused = false;

  constructor(tool: Tool, parts: QuestionParts) {
    this.#tool = tool;
    this.#parts = parts;
  }

  /** Whether anybody was asked anything: what the service gives then is for them. */
  get asked(): boolean {
    return this.#asked > 0;
  }

  /** Gives exactly what the asker confirms or fills in. Rejects with the signal's reason when the call is stopped. */
  confirm(question: ServiceQuestion, withdrawn?: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { message, values, fields } = question;
    const card = { about: "question", title: `${this.#title}: ${message}`, values, form: fields } as const;
    return this.#inTurn(withdrawn, (signal) => this.#put(card, waitingFor.answer, signal));
  }

  /** Has the answer's model write something from the service's own words alone: a click before, and another before it is given. */
  writeFor(request: WritingRequest, withdrawn?: AbortSignal): Promise<Written | undefined> {
    return this.#inTurn(withdrawn, (signal) => this.#write(request, signal));
  }

  close(): void {
    this.#over.abort(over);
  }

  get #title(): string {
    return this.#tool.annotations?.title ?? this.#tool.name;
  }

  #inTurn<T>(withdrawn: AbortSignal | undefined, ask: (signal: AbortSignal) => Promise<T | undefined>): Promise<T | undefined> {
    const turn = this.#last.then(async () => {
      const own = new AbortController();
      const end = () => own.abort(over);
      const ends = [this.#over.signal, ...(withdrawn ? [withdrawn] : [])];
      for (const signal of ends) signal.addEventListener("abort", end, { once: true });
      if (ends.some(({ aborted }) => aborted)) end();
      const signal = AbortSignal.any([this.#parts.signal, own.signal]);
      try {
        signal.throwIfAborted();
        if (this.#refused || this.#asked >= MOST_QUESTIONS) return undefined;
        this.#asked += 1;
        const given = await ask(signal);
        this.#refused = given === undefined;
        return given;
      } finally {
        for (const signal of ends) signal.removeEventListener("abort", end);
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write({ system, messages, maxTokens }: WritingRequest, signal: AbortSignal): Promise<Written | undefined> {
    const { writer, clock } = this.#parts;
    if (!writer || writer.model.quotesOnly) return undefined;
    const { budget } = writer;
    const most = Math.min(maxTokens, MOST_TOKENS, budget.outputLeft);
    const request = { system: system ? `${task}\n\n${system}` : task, messages, maxOutputTokens: most };
    if (most < 1 || requestedTokens(request) > budget.inputLeft) return undefined;
    // What is sent is what was shown: whoever made the request may change it meanwhile.
    const values = { ...(system && { system }), messages: messages.map(({ role, content }) => ({ role, content })) };
    const asks = { about: "model-request", title: this.#title, values, form: [], tokens: most } as const;
    const allowed = await this.#put(asks, waitingFor.model, signal);
    if (!allowed) return undefined;
    const { text, finish } = await sideCall(
      { ...writer, clock },
      { ...request, messages: values.messages },
      { ms: WRITING_MS, what: "for a server", signal },
    );
    signal.throwIfAborted();
    if (text.trim() === "" || (finish !== "stop" && finish !== "length")) return undefined;
    const reply = { about: "model-reply", title: this.#title, values: { text }, form: [] } as const;
    return (await this.#put(reply, waitingFor.reply, signal)) && { text, complete: finish === "stop" };
  }

  /** One card. Gives what its asker has allowed, which is what it shows or what they have filled in. */
  async #put(card: QuestionCard, label: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { session, reading, approvals } = this.#parts;
    const tool = this.#tool;
    if (!approvals) return undefined;
    const { values, ...shown } = card;
    const call: CallToAllow = {
      ...shown,
      tool: tool.name,
      ...(tool.server !== undefined && { server: tool.server }),
      effect: "read-outside",
      // Every question is a card of its own: nobody knows what the same words are about the next time.
      fingerprint: createHash("sha256")
        .update(`${fingerprintOf(tool)} ${newId()}`)
        .digest("hex"),
      arguments: canonicalJson(values),
      mayRemember: false,
      // What a service learned by somebody's own log-in may stand in its words.
      confidential: reading.state.private || tool.login !== undefined,
    };
    const permission = await whileWaiting(label, this.#parts, (asked) => approvals.ask(session.question, call, signal, asked));
    if (permission.verdict !== "allowed" || !(await permission.begin())) return undefined;
    await permission.finished();
    return JSON.parse(permission.edited ?? call.arguments) as Readonly<Record<string, unknown>>;
  }
}

interface QuestionCard {
  readonly about: NonNullable<CallToAllow["about"]>;
  readonly title: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly form: readonly FormField[];
  readonly tokens?: number;
}
