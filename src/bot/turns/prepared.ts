import type { Attachments } from "../../agent/ports.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { Reach } from "../audience/reach.ts";

/** What is to be done with a question once its words and its asker are known. */
export type Prepared =
  /** `team` is the asker's own workspace, when known; `reach` says who will read the answer. */
  | {
      readonly kind: "ask";
      readonly text: string;
      readonly team?: string;
      readonly reach?: Reach;
      readonly attachments?: Attachments;
    }
  /** Answered without the agent: a counter-question. */
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "refuse"; readonly code: ErrorCode }
  /** Not for us after all: another bot, an account that is closed. */
  | { readonly kind: "ignore" };
