import type { ToolResult } from "../../plugins/contract.ts";
import { failure } from "../../plugins/define.ts";

/** What people read beside an answer when a call waited for them and was not made, or may have been made. In English; surfaces translate. */
export const notices = {
  noClick: "A call was not made, because nobody allowed it within ten minutes.",
  outcomeUnknown:
    "The answer was interrupted while a call was running, so whether it took effect is not known. Please look before you ask for it again.",
  doneBefore: "A call had already run before the answer was interrupted, and was not made again.",
  noLogin: "A call was not made, because nobody logged in within ten minutes.",
} as const;

/** The line of a call that waits for somebody. In English; surfaces translate. */
export const waitingFor = {
  click: "Waiting for your click",
  answer: "Waiting for your answer to a question of the server",
  model: "Waiting for your click: the server wants our model to write something",
  reply: "Waiting for your click: it shows what the model has written for the server",
  login: "Waiting for you to log in",
} as const;

/** A call that was not made. @param message for the model @param notice for people */
export function refused(code: string, message: string, notice?: string): ToolResult {
  const result = failure(code, message, { status: "denied" });
  return notice === undefined ? result : { ...result, metadata: { notices: [notice] } };
}
