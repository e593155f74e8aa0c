import type { Clock } from "../../core/clock.ts";
import { codeOf } from "../../core/errors.ts";
import { type ChannelId, newId, type PersonId, passageId, type TenantId, traceId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Source, Tool, ToolResult } from "../../plugins/contract.ts";
import type { Limits } from "../limits.ts";
import type { Question, TenantAgentPorts } from "../ports.ts";
import { ReadSoFar } from "../reading.ts";
import { openSession, type Session, type ToolRegistry } from "../session.ts";
import { TraceRecorder } from "../trace-recorder.ts";
import { labelOf, runTool, toolLimit } from "./tool-runner.ts";

/** In whose name tools are called, and the place whose readers see the results: the person's own direct message. */
export interface Caller {
  readonly tenant: TenantId;
  readonly person: PersonId;
  readonly channel: ChannelId;
}

export interface AccessParts {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: Limits;
  forTenant(tenant: TenantId): TenantAgentPorts;
}

/** One call with what it needs to run. */
export interface SingleCall {
  readonly name: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  progress(words: string): void;
}

/**
 * Tools called one by one in a person's name, by a program of theirs instead of a model of ours. The same conjunction decides which there
 * are, at every call anew. Nobody can be asked here, so what needs a click is refused; tools of external servers are left to their owners.
 */
export class ToolAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** In name order. @throws AppError PERSON_UNKNOWN and the like: whoever has left has no tools */
  async list(caller: Caller): Promise<readonly Tool[]> {
    return (await this.#session(caller)).tools;
  }

  /**
   * Runs one call and keeps its trace. What goes wrong is a result, as in an answer.
   * @returns with it, where each of its sources can be opened
   * @throws AppError PERSON_UNKNOWN and the like
   */
  async call(
    caller: Caller,
    { name, params, signal, progress }: SingleCall,
  ): Promise<{ result: ToolResult; addressOf(source: Source): string | undefined }> {
    const { clock, log, limits, forTenant } = this.#parts;
    const session = await this.#session(caller);
    const tool = session.tools.find((tool) => tool.name === name);
    const trace = new TraceRecorder(traceId(newId()), session.question, clock);
    const call = { id: newId(), name, params };
    const label = labelOf(call, tool);
    trace.note({ type: "step-start", step: 1 });
    trace.note({ type: "tool-start", call, label });
    const began = clock.monotonic();
    const result = await runTool(call, {
      ...{ session, clock, log, limits, signal, progress, approvals: undefined, logins: undefined },
      // What the program at the other end has read is its own affair: it acts for the person, who may read all of it.
      reading: new ReadSoFar(session.place, "", false),
      msLeft: tool ? toolLimit(tool, limits) : 0,
      wait: () => () => undefined,
    });
    trace.note({ type: "tool-end", call, label, result, ms: clock.monotonic() - began });
    trace.note({ type: "answer-end", text: "", outcome: "answered" });
    const { traces, links } = forTenant(caller.tenant);
    await traces.save(trace.record()).catch((thrown) => log.error("A trace could not be saved.", { code: codeOf(thrown) }));
    const addressOf = ({ url, documentId, id }: Source) => (documentId === undefined ? url : links.passage(passageId(id), caller));
    return { result, addressOf };
  }

  async #session(caller: Caller): Promise<Session> {
    const { registry, forTenant } = this.#parts;
    const { external: _left, approvals: _nobody, logins: _nowhere, templates: _none, ...ports } = forTenant(caller.tenant);
    const question: Question = { ...caller, text: "" };
    const session = await openSession(question, registry, ports);
    await session.refresh();
    return session;
  }
}
