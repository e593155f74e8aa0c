import type { Citation, StopCause } from "../../../agent/events.ts";
import type { CitationStyle } from "../../../agent/templates/template.ts";
import type { TraceId, TurnId } from "../../../core/ids.ts";
import type { Reach } from "../../audience/reach.ts";
import type { Part } from "../../out/mrkdwn/run.ts";
import type { ActivityLine } from "./activity.ts";

/** An answer as it stands at one moment. */
export interface AnswerView {
  readonly turn: TurnId;
  /** How often the turn had been tried before. */
  readonly attempt?: number;
  readonly traceId?: TraceId | undefined;
  /** Whether files came with the question. */
  readonly withFiles?: boolean | undefined;
  /** Who reads it. Absent where that is nobody's business: then nothing is said or offered about it. */
  readonly reach?: Reach | undefined;
  readonly activity: readonly ActivityLine[];
  readonly parts: readonly Part[];
  readonly citations: readonly Citation[];
  readonly citationStyle?: CitationStyle | undefined;
  readonly notices: readonly string[];
  readonly end?: AnswerEnd | undefined;
}

export type AnswerEnd =
  | { readonly kind: "answered" | "limited" | "fallback" }
  | { readonly kind: "stopped"; readonly cause?: StopCause | undefined }
  | { readonly kind: "error"; readonly message: string; readonly retryable: boolean };
