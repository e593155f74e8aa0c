import type { Clock } from "../core/clock.ts";
import { AppError, codeOf, type ErrorCode } from "../core/errors.ts";
import { newId, type TenantId, type TraceId, traceId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Answering, Ending } from "./answering.ts";
import { withAttachments } from "./attachments.ts";
import { Budget } from "./budget.ts";
import { Citations } from "./citations/citations.ts";
import { within } from "./deadline.ts";
import type { AgentEvent, AnswerSink, Citation } from "./events.ts";
import { withoutModel } from "./fallback.ts";
import type { Limits } from "./limits.ts";
import { agentLoop } from "./loop.ts";
import { conversation } from "./memory/history.ts";
import { summariser } from "./memory/summariser.ts";
import type { Model } from "./model/model.ts";
import type { Question, TenantAgentPorts } from "./ports.ts";
import { ReadSoFar } from "./reading.ts";
import { type Foreseen, openSession, type Session, type ToolRegistry } from "./session.ts";
import { budgetNotice, budgetState } from "./spending.ts";
import type { CitationStyle } from "./templates/template.ts";
import { ResultCache } from "./tools/result-cache.ts";
import type { TraceRecord } from "./trace.ts";
import { TraceRecorder } from "./trace-recorder.ts";

/** What became of a question, for callers that want it in one piece. */
export interface Answer {
  readonly status: TraceRecord["status"];
  /** Markdown with [n] markers; what there is of it when the answer was stopped or broke off. */
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly tools: readonly { readonly name: string; readonly status: "success" | "error" | "denied"; readonly ms: number }[];
  readonly traceId: TraceId;
  /** Present exactly when status is "error". */
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
}

/** Everything the agent is given at start. */
export interface AgentParts {
  readonly registry: ToolRegistry;
  model(tenant: TenantId): Model;
  /** Another model of the same endpoint, for templates that name one; undefined when the operator does not allow it. */
  namedModel?(name: string): Model | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: Limits;
  forTenant(tenant: TenantId): TenantAgentPorts;
}

/** Who asks or where is known to nobody, or Slack cannot say at the moment: asking again may help. */
const doubtful: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["PERSON_UNKNOWN", "CHANNEL_UNKNOWN"]);
/** Refused rather than failed; but for the doubtful ones asking again would give the same. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...doubtful,
  "PERSON_DEACTIVATED",
  "PERSON_IS_BOT",
  "PERSON_IS_OUTSIDER",
  "PLACE_HAS_OUTSIDERS",
  "QUESTION_EMPTY",
]);

const begunAnew = "Who reads along here has changed, so this answer was begun anew.";

/** The one door to the agent: Slack, the terminal and the API differ only in the sink they bring. */
export class AgentClient {
  readonly #parts: AgentParts;
  readonly #results: ResultCache;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#results = new ResultCache(parts.clock);
  }

  /**
   * Answers one question. Never throws: the sink gets events in order and exactly one end, whatever happens, and the trace is saved.
   * Does not wait for a slow sink; a sink that throws costs its own reader the answer, not the run.
   * @param foreseen what was begun to be read for it a moment ago
   */
  async ask(question: Question, sink: AnswerSink, signal: AbortSignal, foreseen?: Foreseen): Promise<Answer> {
    const run = new Run(question, sink, signal, foreseen, this.#parts, this.#results);
    try {
      await run.make();
    } finally {
      await run.saveTrace();
    }
    return run.answer();
  }
}

type EndEvent = Extract<AgentEvent, { type: "answer-end" | "answer-stopped" | "answer-error" }>;

/** One question on its way. */
class Run {
  readonly #id = traceId(newId());
  readonly #question: Question;
  readonly #sink: AnswerSink;
  readonly #signal: AbortSignal;
  /** Used once: an answer that is begun anew reads everything anew. */
  #foreseen: Foreseen | undefined;
  readonly #parts: AgentParts;
  readonly #results: ResultCache;
  readonly #log: Logger;
  readonly #trace: TraceRecorder;
  #sinkFailed = false;
  #shown = "";
  /** How many sources the sink knows to be cited. */
  #citedCount = 0;
  readonly #notices = new Set<string>();
  #citations: Citations | undefined;
  #cited: readonly Citation[] = [];
  #style: CitationStyle | undefined;
  #end: EndEvent | undefined;

  constructor(
    question: Question,
    sink: AnswerSink,
    signal: AbortSignal,
    foreseen: Foreseen | undefined,
    parts: AgentParts,
    results: ResultCache,
  ) {
    this.#question = question;
    this.#sink = sink;
    this.#signal = signal;
    this.#foreseen = foreseen;
    this.#parts = parts;
    this.#results = results;
    this.#log = parts.log.with({ tenant: question.tenant, trace: this.#id });
    this.#trace = new TraceRecorder(this.#id, question, parts.clock);
  }

  async make(): Promise<void> {
    try {
      this.#emit({ type: "answer-start", traceId: this.#id });
      this.#close(await this.#workOrAnew());
    } catch (thrown) {
      if (this.#signal.aborted) return this.#close({ type: "stopped", text: this.#shown });
      const code = codeOf(thrown);
      if (!refusals.has(code)) this.#log.error("An answer failed.", { code });
      // What was written was for the eyes of others.
      if (code === "AUDIENCE_CHANGED" || code === "PLACE_HAS_OUTSIDERS") this.#emit({ type: "text-reset" });
      this.#close({ type: "failed", text: this.#shown, code });
    }
  }

  async saveTrace(): Promise<void> {
    try {
      await this.#parts.forTenant(this.#question.tenant).traces.save(this.#trace.record());
    } catch (thrown) {
      this.#log.error("A trace could not be saved.", { code: codeOf(thrown) });
    }
  }

  answer(): Answer {
    const { status } = this.#trace.record();
    const end = this.#end;
    return {
      status,
      text: end && end.type !== "answer-error" ? end.text : this.#shown,
      citations: this.#cited,
      tools: this.#trace.tools.map(({ tool, status, ms }) => ({ name: tool, status, ms })),
      traceId: this.#id,
      ...(end?.type === "answer-error" && { error: { code: end.code, message: end.message, retryable: end.retryable } }),
    };
  }

  /** Somebody who may not see all of it has begun to read along: what was written is taken back, and the answer begun anew, once. */
  async #workOrAnew(): Promise<Ending> {
    try {
      return await this.#work();
    } catch (thrown) {
      if (codeOf(thrown) !== "AUDIENCE_CHANGED" || this.#signal.aborted) throw thrown;
      this.#log.warn("An answer is begun anew: others read along now.", { code: "AUDIENCE_CHANGED" });
      this.#emit({ type: "text-reset" });
      this.#emit({ type: "notice", text: begunAnew });
      return this.#work();
    }
  }

  async #work(): Promise<Ending> {
    const { registry, clock, limits } = this.#parts;
    if (this.#question.text.trim() === "") throw new AppError("QUESTION_EMPTY");
    const ports = this.#parts.forTenant(this.#question.tenant);
    const budget = new Budget(limits, clock);
    const model = this.#parts.model(this.#question.tenant);
    const summarise = model.quotesOnly ? undefined : summariser({ model, clock, log: this.#log, budget, trace: this.#trace });
    const foreseen = this.#foreseen;
    this.#foreseen = undefined;
    const opened = await within(limits.wallMs, clock, this.#signal, async (signal) => {
      const session = await openSession(this.#question, registry, ports, foreseen);
      const { answerTokens, monthTokens } = session.template?.budget ?? {};
      if (answerTokens !== undefined) budget.narrow(answerTokens);
      // Before an older part of the thread is summarised, which costs tokens, too.
      const spending = summarise && ports.spending && (await budgetState(ports.spending, this.#question, monthTokens));
      const talk = await conversation(this.#question, ports, limits, spending?.usedUp ? undefined : summarise?.(signal));
      return { session, spending, ...talk };
    });
    if (opened.ended === "aborted") return { type: "stopped", text: "" };
    if (opened.ended !== "done") throw new AppError("INTERNAL");

    const { session, messages, notice, spending } = opened.value;
    this.#style = session.template?.citations;
    if (notice) this.#emit({ type: "notice", text: notice });
    this.#citations = new Citations(ports.links, this.#question);
    const { attachments } = this.#question;
    const conversing = attachments ? withAttachments(messages, attachments, this.#citations) : messages;
    const answering: Answering = {
      session,
      model: this.#modelFor(session, model),
      clock,
      log: this.#log,
      limits,
      budget,
      citations: this.#citations,
      reading: new ReadSoFar(session.place, this.#question.text, messages.length > 1 || attachments !== undefined),
      approvals: ports.approvals,
      logins: ports.logins,
      results: this.#results,
      trace: this.#trace,
      signal: this.#signal,
      emit: (event) => this.#emit(event),
    };
    if (spending && !spending.usedUp) this.#emit({ type: "notice", text: budgetNotice(spending) });
    const ending = spending?.usedUp ? await withoutModel(answering, spending) : await agentLoop(answering, conversing);
    if (ending.text !== "") await session.recheck();
    return ending;
  }

  /** The template's model, else the usual one: an operator may take a model away while templates still name it. */
  #modelFor({ template }: Session, usual: Model): Model {
    if (template?.model === undefined) return usual;
    const own = this.#parts.namedModel?.(template.model);
    if (!own) this.#emit({ type: "notice", text: `This channel's model, ${template.model}, is not available, so ${usual.name} answers.` });
    return own ?? usual;
  }

  /** The line that every event passes. Nothing comes after an end, and no notice comes twice. */
  #emit(happened: AgentEvent) {
    const event = happened.type === "text-delta" ? this.#withCited(happened) : happened;
    if (this.#end || (event.type === "notice" && this.#notices.has(event.text))) return;
    if (event.type === "notice") this.#notices.add(event.text);
    if (event.type === "text-delta") this.#shown += event.text;
    if (event.type === "text-reset") {
      this.#shown = "";
      this.#citedCount = 0;
    }
    if (event.type === "answer-end" || event.type === "answer-stopped" || event.type === "answer-error") this.#end = event;
    this.#trace.note(event);
    this.#write(event);
  }

  #withCited(event: Extract<AgentEvent, { type: "text-delta" }>): AgentEvent {
    const cited = this.#citations?.cited ?? [];
    if (cited.length === this.#citedCount) return event;
    this.#citedCount = cited.length;
    return { ...event, cited };
  }

  #close(ending: Ending) {
    if (ending.text !== "") {
      this.#cited = this.#citations?.cited ?? [];
      this.#emit({ type: "sources-ready", sources: this.#cited, ...(this.#style && { style: this.#style }) });
    }
    if (ending.type === "answered") this.#emit({ type: "answer-end", text: ending.text, outcome: ending.outcome });
    else if (ending.type === "stopped") this.#emit({ type: "answer-stopped", text: ending.text });
    else {
      const message = new AppError(ending.code).message;
      const retryable = !refusals.has(ending.code) || doubtful.has(ending.code);
      this.#emit({ type: "answer-error", code: ending.code, message, retryable });
    }
  }

  /** A sink must not throw; one that does is noted once and the work goes on. */
  #write(event: AgentEvent) {
    const failed = () => {
      if (!this.#sinkFailed) this.#log.error("A sink failed.", { code: "INTERNAL" });
      this.#sinkFailed = true;
    };
    try {
      this.#sink.write(event)?.catch(failed);
    } catch {
      failed();
    }
  }
}
