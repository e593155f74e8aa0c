import type { KnownBlock } from "@slack/types";
import type { StopCause } from "../../../agent/events.ts";
import { defaultLimits, paginate, type Sections, sectionText, type TextLimits } from "../../out/mrkdwn/split.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { context, section } from "../blocks.ts";
import { actionBlocks } from "./actions.ts";
import { activityText } from "./activity.ts";
import type { AnswerView } from "./answer-view.ts";
import { compactSourceLines, sourceLines } from "./source-list.ts";
import { tableBlock } from "./table.ts";
import type { Words } from "./words.ts";

// Slack refuses messages of more than about 13,200 characters over all blocks (seen, not documented); an edit's text holds 4,000.
const fallbackLimit = 3_900;

export interface AnswerLimits {
  readonly text: TextLimits;
  /** Whether a complete answer shows tables as Slack's tables; otherwise they are text. */
  readonly tables: boolean;
}

/** The messages that show an answer, in order; at least one. */
export function answerMessages(view: AnswerView, words: Words, { text: limits, tables }: AnswerLimits): MessageBody[] {
  const pages = withSources(paginate(view.parts, limits, tables && view.end !== undefined), sourceSections(view, words, limits));
  return pages.map(({ text, sources }, index) => {
    const first = index === 0;
    const last = index === pages.length - 1;
    const activity = first ? activityText(view.activity, words) : undefined;
    const status = last ? statusLines(view, words) : [];
    const blocks: KnownBlock[] = [
      ...(activity ? [context(activity)] : []),
      ...text.map((one) => (typeof one === "string" ? section(one) : tableBlock(one.cells))),
      ...sourceBlocks(sources),
      ...(last ? endBlocks(view, status, words) : []),
    ];
    return {
      text: fallback([
        ...text.map(sectionText),
        ...sources,
        ...status,
        ...(text.length + status.length === 0 && activity ? [activity] : []),
      ]),
      blocks,
    };
  });
}

/** An answer's text and sources alone, message by message, tables as text. */
export const contentBodies = (view: Pick<AnswerView, "parts" | "citations" | "citationStyle">, words: Words): MessageBody[] =>
  withSources(paginate(view.parts), sourceSections(view, words, defaultLimits)).map(({ text, sources }) => ({
    text: fallback([...text.map(sectionText), ...sources]),
    blocks: [...text.map((one) => section(sectionText(one))), ...sourceBlocks(sources)],
  }));

/** What stands below a streamed answer when it is complete: sources, how it ended, the way to its trace. */
export function closingBody(view: AnswerView, words: Words): MessageBody {
  const status = statusLines(view, words);
  const sources = sourceSections(view, words, { ...defaultLimits, message: Number.POSITIVE_INFINITY }).flat();
  const trace = `${words.trace} \`${view.traceId}\``;
  return {
    text: fallback(sources.length + status.length === 0 ? [trace] : [...sources, ...status]),
    blocks: [...sourceBlocks(sources), ...endBlocks(view, status, words)],
  };
}

const sourceBlocks = (sources: readonly string[]): KnownBlock[] =>
  sources.length > 0 ? [{ type: "divider" }, ...sources.map(section)] : [];

const endBlocks = (view: AnswerView, status: readonly string[], words: Words): KnownBlock[] => [
  ...status.map((line) => (view.end?.kind === "error" ? section(line) : context(line))),
  ...actionBlocks(view, words),
  ...(view.traceId && view.end ? [context(smallPrint(view.traceId, view, words))] : []),
];

/** The same whatever was found, and whatever was not: it must not tell that there is more. */
function smallPrint(trace: string, { reach, end }: AnswerView, words: Words): string {
  const said = end?.kind === "error" || reach?.kind !== "channel" ? undefined : words.drawnFrom[reach.rights];
  return [`${words.trace} \`${trace}\``, ...(said === undefined ? [] : [said])].join(" \u00B7 ");
}

/** The source list as section texts, message by message. */
function sourceSections(
  { citations, citationStyle = "list" }: Pick<AnswerView, "citations" | "citationStyle">,
  words: Words,
  limits: TextLimits,
): string[][] {
  const heading = `*${words.sources}*`;
  if (citations.length === 0) return [];
  const [first = "", ...further] = compactSourceLines(citations, words);
  const lines = citationStyle === "list" ? [heading, ...sourceLines(citations, words)] : [`${heading}  ${first}`, ...further];
  const list = lines.map((prefix) => ({ prefix, rest: "", runs: [] }));
  return paginate([{ kind: "text", gap: false, lines: list }], limits).map((sections) => sections.map(sectionText));
}

interface Page {
  readonly text: Sections;
  readonly sources: readonly string[];
}

/** Puts the source list below the text, or into further messages when it does not fit there. */
function withSources(messages: readonly Sections[], lists: readonly string[][]): Page[] {
  const pages: Page[] = messages.map((text) => ({ text, sources: [] }));
  if (pages.length === 0) pages.push({ text: [], sources: [] });
  const [first = [], ...others] = lists;
  const last = pages.pop() as Page;
  return [...pages, { ...last, sources: first }, ...others.map((sources) => ({ text: [], sources }))];
}

/** What is said below the text: that it is still growing, how it ended, what went wrong. */
function statusLines(view: AnswerView, words: Words): string[] {
  const notices = view.notices.map((notice) => plainMrkdwn(words.said(notice)));
  const { end } = view;
  if (!end)
    return [...notices, view.parts.length > 0 ? words.writing : view.activity.length > 0 ? "" : words.starting].filter(
      (line) => line !== "",
    );
  if (end.kind === "error") {
    const known = view.traceId === undefined || /id:/i.test(end.message);
    return [...notices, plainMrkdwn(words.said(end.message)) + (known ? "" : ` ${words.errorId}: \`${view.traceId}\``)];
  }
  const closing =
    end.kind === "stopped" ? [stoppedLine(end.cause, words)] : end.kind === "limited" && notices.length === 0 ? [words.limited] : [];
  const empty = view.parts.length === 0 && end.kind !== "stopped" ? [words.empty] : [];
  return [...empty, ...notices, ...closing];
}

function stoppedLine(cause: StopCause | undefined, words: Words): string {
  if (cause?.kind === "question-deleted") return words.questionDeleted;
  // Slack puts the name in. An id is Slack's, but a mention is not made of anything that does not look like one.
  return cause && /^[UW][A-Z0-9]+$/.test(cause.person) ? words.stoppedBy(`<@${cause.person}>`) : words.stopped;
}

/** The text beside the blocks: all of it when it fits, else as many whole lines as do. */
function fallback(texts: readonly string[]): string {
  let out = "";
  let fenced = false;
  for (const line of texts.join("\n").split("\n")) {
    if (out.length + line.length + 5 > fallbackLimit) return `${out}${fenced ? "\n```" : ""}\n\u2026`;
    if (line === "```") fenced = !fenced;
    out += out === "" ? line : `\n${line}`;
  }
  return out;
}
