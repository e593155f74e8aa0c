import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Words } from "./words.ts";

/** One tool call as people see it. */
export interface ActivityLine {
  readonly callId: string;
  /** What it does with what query, in the tool's own words. */
  readonly label: string;
  readonly state: "running" | "done" | "failed" | "denied";
  /** How many results it had. */
  readonly count?: number;
  readonly ms?: number;
  /** Why it failed, as a sentence. */
  readonly reason?: string;
}

// Queries may be long, and sixty steps must not push the answer out of its own message.
const longestLabel = 160;
const longestReason = 120;
const mostLines = 5;

const signs = { running: ":hourglass_flowing_sand:", done: ":white_check_mark:", failed: ":warning:", denied: ":no_entry:" } as const;

/** The newest tool calls in mrkdwn, one a line; undefined when there are none. */
export function activityText(lines: readonly ActivityLine[], words: Words): string | undefined {
  if (lines.length === 0) return undefined;
  const hidden = lines.length - mostLines;
  const shown = lines.slice(-mostLines).map((line) => lineText(line, words));
  return [...(hidden > 0 ? [words.earlierSteps(hidden)] : []), ...shown].join("\n");
}

function lineText(line: ActivityLine, words: Words): string {
  const text = [shorten(words.said(line.label), longestLabel), ...activityFacts(line, words)].join(" \u00B7 ");
  return `${signs[line.state]} ${plainMrkdwn(text)}${line.state === "running" ? " \u2026" : ""}`;
}

/** What is to be said of a call beside its label: how it ended, with how many results, how long it took. */
export const activityFacts = (line: ActivityLine, words: Words): string[] => [
  ...(line.state === "failed" ? [line.reason ? `${words.failed}: ${shorten(line.reason, longestReason)}` : words.failed] : []),
  ...(line.state === "denied" ? [words.notAllowed] : []),
  ...(line.state === "done" && line.count !== undefined ? [words.results(line.count)] : []),
  ...(line.ms !== undefined ? [words.seconds(line.ms)] : []),
];

/** A text cut to a length with an ellipsis, on one line. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length
    ? line
    : `${Array.from(line)
        .slice(0, length - 1)
        .join("")
        .trimEnd()}\u2026`;
}
