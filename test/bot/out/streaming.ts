import { expect } from "@jest/globals";
import { DraftParts } from "../../../src/bot/out/mrkdwn/draft-parts.ts";
import { splitGraphemes } from "../../../src/bot/out/mrkdwn/width.ts";
import { type MrkdwnOptions, toParts } from "../../../src/bot/out/mrkdwn.ts";
import { closing, freshPen, nextStroke, type Pen, WrittenLines } from "../../../src/bot/out/native/pen.ts";
import { type StreamLine, streamPart } from "../../../src/bot/out/native/stream-lines.ts";
import { longAnswer } from "./generated-answers.ts";

/** A source that generated answers cite. */
const cited = { allowed: new Set(["https://docs.test/1"]), citations: new Map([[1, "https://docs.test/1"]]) };

/** What a stream shows of an answer that arrives in these pieces. */
export interface Streamed {
  /** The messages at the end, in Slack's Markdown. */
  readonly messages: readonly string[];
  /** Every state on the way, all messages of it together. */
  readonly states: readonly string[];
  /** Whether the final text could be reached without taking anything back. */
  readonly reached: boolean;
}

/** A text in pieces of about this length that end between characters as readers see them: the agent sees to that. */
export const deltasOf = (text: string, length: number): string[] =>
  splitGraphemes(text).reduce<string[]>((deltas, char) => {
    if ((deltas.at(-1)?.length ?? length) >= length) deltas.push("");
    deltas.push((deltas.pop() ?? "") + char);
    return deltas;
  }, []);

/** Streams deltas as the bot does, without a Slack. */
export function streamed(deltas: readonly string[], options: MrkdwnOptions = {}, limit = 9_000): Streamed {
  const stable = { allowed: new Set<string>(), ...options };
  const draft = new DraftParts();
  const written = new WrittenLines();
  const messages: string[] = [];
  const states: string[] = [];
  let pen: Pen = freshPen;
  let current = "";
  const put = (lines: readonly StreamLine[], growing: boolean) => {
    if (written.compare(lines) !== "goes-on") return;
    for (;;) {
      const stroke = nextStroke(lines, written.position, pen, limit, growing);
      current += stroke.text;
      pen = stroke.pen;
      written.note(lines, stroke.position);
      if (!stroke.more) break;
      messages.push(current + closing(pen));
      [current, pen] = ["", freshPen];
    }
    states.push([...messages, current].join("\n\n"));
  };
  const linesOf = (parts: ReturnType<typeof toParts>) => parts.flatMap((part) => streamPart(part).lines);
  let text = "";
  for (const delta of deltas) {
    text += delta;
    put(linesOf([...draft.readSteady(text, stable)]), true);
  }
  const final = linesOf(toParts(text, stable));
  const reached = written.compare(final) === "goes-on";
  put(final, false);
  if (current) messages.push(current + closing(pen));
  return { messages, states, reached };
}

/** Streams the beginning of a generated answer in pieces of a length, and expects that every word of it arrives once, in order. */
export function expectStreamedWhole(seed: number, piece: number, length = Number.POSITIVE_INFINITY): void {
  const { markdown, marks } = longAnswer(seed);
  const text = markdown.slice(0, length);
  const { messages, reached } = streamed(deltasOf(text, piece), cited);
  expect(reached).toBe(true);
  expect(messages.join("\n").match(/w\d+x\d+z/g)).toEqual(marks.filter((mark) => text.includes(mark)));
  for (const message of messages) {
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(9_010);
    expect((message.match(/^```/gm) ?? []).length % 2).toBe(0);
  }
}
