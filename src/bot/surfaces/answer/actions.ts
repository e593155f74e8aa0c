import type { Button, KnownBlock } from "@slack/types";
import type { AnswerView } from "./answer-view.ts";
import type { Words } from "./words.ts";

/** One button below an answer; undefined where it has no place. */
type ActionButton = (view: AnswerView, words: Words) => Button | undefined;

const retry: ActionButton = ({ end, turn }, words) =>
  end?.kind === "error" && end.retryable ? button(words.retry, "retry_turn", turn, words.retryHint) : undefined;

const stop: ActionButton = ({ end, turn }, words) => (end ? undefined : button(words.stop, "stop_turn", turn, words.stopHint));

/** Not below a counter-question, which has no trace. */
const regenerate: ActionButton = ({ end, turn, attempt = 0, traceId }, words) => {
  const deleted = end?.kind === "stopped" && end.cause?.kind === "question-deleted";
  if (!end || end.kind === "error" || deleted || (!traceId && end.kind !== "stopped")) return undefined;
  return button(words.regenerate, "regenerate_turn", `${turn} ${attempt}`, words.regenerateHint);
};

const sources: ActionButton = ({ end, citations, traceId }, words) =>
  end && traceId && citations.length > 0 ? button(words.sources, "show_sources", traceId, words.sourcesHint) : undefined;

const tools: ActionButton = ({ end, turn }, words) =>
  end && end.kind !== "error" ? button(words.tools, "show_tools", turn, words.toolsHint) : undefined;

/** Below every answer in a channel, whatever was found: its being there must say nothing. */
const searchPrivately: ActionButton = ({ end, turn, traceId, reach }, words) =>
  traceId && end && end.kind !== "error" && reach?.kind === "channel"
    ? button(words.searchPrivately, "search_privately", turn, words.searchPrivatelyHint)
    : undefined;

const share: ActionButton = ({ end, traceId, reach }, words) =>
  traceId && end && end.kind !== "error" && reach?.kind === "direct" && reach.sharesTo !== undefined
    ? button(words.share, "share_answer", traceId, words.shareHint)
    : undefined;

/** Below a counter-question about files, too. */
const keepFiles: ActionButton = ({ end, turn, withFiles }, words) =>
  withFiles && end && end.kind !== "error" ? button(words.keepFiles, "keep_files", turn, words.keepFilesHint) : undefined;

/** Every button, in the order in which they stand. */
const buttons: readonly ActionButton[] = [stop, retry, sources, keepFiles, searchPrivately, share, tools, regenerate];

/** The row of buttons below an answer, in its last message; no block where none has a place. */
export function actionBlocks(view: AnswerView, words: Words): KnownBlock[] {
  const elements = buttons.map((make) => make(view, words)).filter((made) => made !== undefined);
  return [...(elements.length > 0 ? [{ type: "actions" as const, elements }] : []), ...thumbs(view, words)];
}

/** Below what was answered: whether it was any good. */
function thumbs({ end, traceId }: AnswerView, words: Words): KnownBlock[] {
  if (!traceId || !end || end.kind === "error" || end.kind === "stopped") return [];
  const side = (label: string, value: string) => ({
    text: { type: "plain_text" as const, text: label },
    value: `${value} ${traceId}`,
    accessibility_label: label,
  });
  const [positive_button, negative_button] = [side(words.goodAnswer, "up"), side(words.badAnswer, "down")];
  return [
    { type: "context_actions", elements: [{ type: "feedback_buttons", action_id: "rate_answer", positive_button, negative_button }] },
  ];
}

/**
 * @param value an opaque id of at most 2,000 characters, which proves nothing: rights are checked at the click
 * @param hint what a screen reader says, at most 75 characters
 */
const button = (label: string, action: string, value: string, hint: string): Button => ({
  type: "button",
  text: { type: "plain_text", text: label },
  action_id: action,
  value,
  accessibility_label: hint,
});
