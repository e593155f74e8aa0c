import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Budget } from "./budget.ts";
import type { Citations } from "./citations/citations.ts";
import type { AgentEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Model } from "./model/model.ts";
import type { Approvals, PersonLogins } from "./ports.ts";
import type { ReadSoFar } from "./reading.ts";
import type { Session } from "./session.ts";
import type { ResultCache } from "./tools/result-cache.ts";
import type { TraceRecorder } from "./trace-recorder.ts";

/** All that the making of one answer shares: model calls, tool calls and the fallback work on the same one. */
export interface Answering {
  readonly session: Session;
  readonly model: Model;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: Limits;
  readonly budget: Budget;
  readonly citations: Citations;
  readonly reading: ReadSoFar;
  readonly approvals: Approvals | undefined;
  readonly logins: PersonLogins | undefined;
  readonly results: ResultCache;
  readonly trace: TraceRecorder;
  /** Aborts when the asker stops the answer. */
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** How an answer came to its end. */
export type Ending =
  | { readonly type: "answered"; readonly text: string; readonly outcome: "answered" | "limited" | "fallback" }
  | { readonly type: "stopped"; readonly text: string }
  | { readonly type: "failed"; readonly text: string; readonly code: ErrorCode };
