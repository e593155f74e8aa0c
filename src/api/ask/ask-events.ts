import type { ServerResponse } from "node:http";
import type { AgentEvent, AnswerSink } from "../../agent/events.ts";
import type { CitationReport } from "../../operations.ts";
import { citationReport } from "./ask-report.ts";

/** Version of the events below; a change that could break a reader gets another number. Sent as the header Footnote-Events. */
const eventsVersion = "1";

/** What a reader of the stream gets: the agent's events without what is meant for the model alone. docs/api.md lists them. */
export type AskEvent =
  | { readonly type: "answer-start"; readonly traceId: string }
  | { readonly type: "step-start"; readonly step: number }
  | { readonly type: "tool-start"; readonly callId: string; readonly tool: string; readonly label: string }
  | { readonly type: "tool-progress"; readonly callId: string; readonly label: string }
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly tool: string;
      readonly label: string;
      readonly status: "success" | "error" | "denied";
      readonly ms: number;
      /** Hits, where the tool counts them. */
      readonly count?: number;
    }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "text-reset" }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "sources-ready"; readonly citations: readonly CitationReport[] }
  | { readonly type: "answer-end"; readonly outcome: "answered" | "limited" | "fallback"; readonly text: string }
  | { readonly type: "answer-stopped"; readonly text: string }
  | { readonly type: "answer-error"; readonly code: string; readonly message: string; readonly retryable: boolean };

/** The reader's view of one event, field by field: what the agent adds for other readers stays inside. */
function askEvent(event: AgentEvent): AskEvent | undefined {
  switch (event.type) {
    case "tool-start":
      return { type: "tool-start", callId: event.call.id, tool: event.call.name, label: event.label };
    case "tool-end": {
      const { call, label, ms, result } = event;
      const { count } = result.metadata;
      return {
        type: "tool-end",
        ...{ callId: call.id, tool: call.name, label, status: result.status, ms: Math.round(ms) },
        ...(count !== undefined && { count }),
      };
    }
    case "sources-ready":
      return { type: "sources-ready", citations: event.sources.map(citationReport) };
    case "answer-start":
      return { type: "answer-start", traceId: event.traceId };
    case "step-start":
      return { type: "step-start", step: event.step };
    case "tool-progress":
      return { type: "tool-progress", callId: event.callId, label: event.label };
    case "text-delta":
      return { type: "text-delta", text: event.text };
    case "text-reset":
      return { type: "text-reset" };
    case "notice":
      return { type: "notice", text: event.text };
    case "answer-end":
      return { type: "answer-end", outcome: event.outcome, text: event.text };
    case "answer-stopped":
      return { type: "answer-stopped", text: event.text };
    case "answer-error":
      return { type: "answer-error", code: event.code, message: event.message, retryable: event.retryable };
    case "message-added":
      // Only in Slack something can be added to a question.
      return undefined;
    default:
      return event satisfies never;
  }
}

/** Writes an answer's events as server-sent events, numbered from 1. Ends the response with the answer. */
export class EventStreamSink implements AnswerSink {
  readonly #response: ServerResponse;
  #id = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Footnote-Events": eventsVersion,
      // Some proxies collect a response before they pass it on.
      "X-Accel-Buffering": "no",
    });
    response.flushHeaders();
  }

  write(event: AgentEvent): void {
    const shown = askEvent(event);
    if (!shown) return;
    const { type, ...data } = shown;
    this.#send(`id: ${++this.#id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** A comment that keeps connections open through proxies. */
  keepAlive(): void {
    this.#send(": still working\n\n");
  }

  end(): void {
    this.#response.end();
  }

  #send(text: string): void {
    if (this.#response.writable) this.#response.write(text);
  }
}
