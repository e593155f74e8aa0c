import type { Clock } from "../core/clock.ts";
import type { TraceId } from "../core/ids.ts";
import type { AgentEvent, Citation } from "./events.ts";
import type { Usage } from "./model/model.ts";
import type { Question } from "./ports.ts";
import { redacted } from "./redaction.ts";
import type { CitedSource, TraceEntry, TraceRecord } from "./trace.ts";

type ToolEntry = Extract<TraceEntry, { kind: "tool" }>;

/** Notes what happens during one answer; gives the record at its end. Keeps no text of the answer. */
export class TraceRecorder {
  readonly #id: TraceId;
  readonly #question: Question;
  readonly #clock: Clock;
  readonly #startedAt: Date;
  readonly #started: number;
  readonly #entries: TraceEntry[] = [];
  readonly #byCall = new Map<string, number>();
  #step = 0;
  #status: TraceRecord["status"] = "error";
  #errorCode: string | undefined;
  #cited: readonly CitedSource[] = [];

  constructor(id: TraceId, question: Question, clock: Clock) {
    this.#id = id;
    this.#question = question;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#started = clock.monotonic();
  }

  /** The tool calls so far, for the caller of the agent. */
  get tools(): readonly ToolEntry[] {
    return this.#entries.filter((entry) => entry.kind === "tool");
  }

  note(event: AgentEvent) {
    if (event.type === "step-start") this.#step = event.step;
    if (event.type === "tool-start") this.#reserve(event);
    if (event.type === "tool-end") this.#noteTool(event);
    if (event.type === "message-added") this.#entries.push({ kind: "added", step: this.#step, message: event.message });
    if (event.type === "sources-ready") this.#cited = event.sources.map(citedSource);
    if (event.type === "answer-end") this.#status = event.outcome;
    if (event.type === "answer-stopped") this.#status = "stopped";
    if (event.type === "answer-error") this.#errorCode = event.code;
  }

  /** One model call, which is no event for people. */
  noteModel(call: { readonly model: string; readonly ms: number; readonly usage: Usage; readonly finish: string }) {
    const { model, ms, usage, finish } = call;
    this.#entries.push({ kind: "model", step: this.#step, model, ms: Math.round(ms), ...usage, finish });
  }

  /** How much of a call's result the model was given, in characters. */
  noteHanded(callId: string, size: number) {
    const at = this.#byCall.get(callId);
    const entry = at === undefined ? undefined : this.#entries[at];
    if (at !== undefined && entry?.kind === "tool") this.#entries[at] = { ...entry, size };
  }

  record(): TraceRecord {
    const { person, channel, thread, message } = this.#question;
    const sum = (field: "inputTokens" | "outputTokens") =>
      this.#entries.reduce((total, entry) => total + (entry.kind === "model" ? entry[field] : 0), 0);
    return {
      id: this.#id,
      person,
      channel,
      ...(thread && { thread }),
      ...(message && { message }),
      startedAt: this.#startedAt,
      ms: Math.round(this.#clock.monotonic() - this.#started),
      status: this.#status,
      ...(this.#errorCode && { errorCode: this.#errorCode }),
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      entries: [...this.#entries],
      ...(this.#cited.length > 0 && { cited: this.#cited }),
    };
  }

  /** Calls stand in the order in which they were made, whichever finishes first. */
  #reserve({ call }: Extract<AgentEvent, { type: "tool-start" }>) {
    this.#byCall.set(call.id, this.#entries.length);
    const unfinished = { verdict: "enabled", status: "error", errorCode: "ABORTED", ms: 0, size: 0, sources: 0 } as const;
    this.#entries.push({ kind: "tool", step: this.#step, tool: call.name, arguments: redacted(call.params ?? null), ...unfinished });
  }

  #noteTool({ call, result, ms }: Extract<AgentEvent, { type: "tool-end" }>) {
    const at = this.#byCall.get(call.id);
    const entry = at === undefined ? undefined : this.#entries[at];
    if (at === undefined || entry?.kind !== "tool") return;
    const { errorCode: _unfinished, ...started } = entry;
    this.#entries[at] = {
      ...started,
      verdict: result.status === "denied" ? result.content : "enabled",
      status: result.status,
      ...(result.error && { errorCode: result.error.code }),
      ms: Math.round(ms),
      size: result.content.length,
      sources: result.metadata.sources?.length ?? 0,
      ...(result.metadata.cached && { savedMs: result.metadata.cached.savedMs }),
    };
  }
}

/** Longest passage kept of a source that is no document, in characters: enough to be quoted. */
const LONGEST_KEPT = 2_000;

function citedSource({ n, source }: Citation): CitedSource {
  const { id, relevance, documentId, title, url, passage, transient } = source;
  if (documentId !== undefined) return { n, id, relevance, documentId };
  return { n, id, relevance, title, ...(url !== undefined && { url }), passage: transient ? "" : passage.slice(0, LONGEST_KEPT) };
}
