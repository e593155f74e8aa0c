import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { ModelEvent } from "../../../src/agent/model/model.ts";
import { ReplyAssembly } from "../../../src/agent/model/reply-assembly.ts";
import { sseData } from "../../../src/agent/model/sse.ts";

/** A stream of our own with all that a cut can hurt: letters of two to four bytes, reasoning, two calls, the length of which is told. */
const own = [
  { choices: [{ delta: { role: "assistant", content: "" }, finish_reason: null }] },
  { choices: [{ delta: { content: "<think>plan</think>Blåbær " } }] },
  { choices: [{ delta: { content: "🫐 日本" } }] },
  { choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: { name: "search", arguments: '{"q":"日' } }] } }] },
  { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '本"}' } }] } }] },
  { choices: [{ delta: { tool_calls: [{ index: 1, id: "b", function: { name: "now", arguments: "{}" } }] } }] },
  { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  { choices: [], usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 } },
];
const ownStream = `: hello\r\n\r\n${own.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join("")}data: [DONE]\r\n\r\n`;

interface Recorded {
  readonly id: string;
  readonly sse?: string;
  readonly status?: number;
}
const path = join(process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../../shared"), "data/llm-streams/cases.json");
const recorded = existsSync(path)
  ? (JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[]).filter(({ sse, status = 200 }) => sse && status === 200)
  : [];
async function* inPieces(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** What the adapter makes of a body that arrives in these pieces and then ends. */
async function read(...pieces: readonly Uint8Array[]) {
  const reply = new ReplyAssembly(false, "m");
  const events: ModelEvent[] = [];
  const failed = () => events.at(-1)?.type === "model-error";
  for await (const data of sseData(inPieces(...pieces))) {
    events.push(...reply.take(data));
    if (failed()) break;
  }
  if (!failed()) events.push(...reply.end(new Set(), () => ({ inputTokens: 0, outputTokens: 0 })));
  const text = events.reduce((whole, event) => (event.type === "text-delta" ? whole + event.text : whole), "");
  // Ids that a server left out are made up anew each time.
  const calls = events.flatMap((event) => (event.type === "tool-call" ? [{ name: event.call.name, params: event.call.params }] : []));
  return { text, calls, end: events.at(-1) };
}

/** Whether the server has said within these bytes that the reply is complete. Reads them in another way than the adapter does. */
function saysComplete(bytes: Buffer): boolean {
  return bytes
    .toString("utf8")
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .some((line) => {
      const data = line.slice(5).trim();
      if (data === "[DONE]") return true;
      try {
        return (JSON.parse(data) as { choices?: { finish_reason?: string }[] }).choices?.some((choice) => Boolean(choice.finish_reason));
      } catch {
        return false;
      }
    });
}

/** Tests of our own stream, cut at every byte, and of the recorded ones, cut at every byte or only at every so many-th. */
export function testCuts(every: number): void {
  // Said in the test's name, so that it is seen in the report.
  if (recorded.length === 0)
    test("recorded streams: not cut, because FOOTNOTE_SHARED does not lead to them", () => expect(existsSync(path)).toBe(false));
  describe.each([{ id: "own", sse: ownStream }, ...recorded])("$id, cut at places of every kind", ({ id, sse = "" }) => {
    const bytes = Buffer.from(sse);
    // Our own is short and has everything that a cut can hurt.
    const step = id === "own" ? 1 : every;

    test("cut off there: nothing half is handed out, and it is complete only if the server said so (F14, H5-LLM-02)", async () => {
      const whole = await read(bytes);
      const wrong: unknown[] = [];
      for (let at = 0; at < bytes.length; at += step) {
        const { text, calls, end } = await read(bytes.subarray(0, at));
        const complete = whole.end?.type === "model-end" && saysComplete(bytes.subarray(0, at));
        const right =
          whole.text.startsWith(text) &&
          !text.includes("\uFFFD") &&
          end?.type === (complete ? "model-end" : "model-error") &&
          JSON.stringify(calls) === JSON.stringify(complete ? whole.calls : []) &&
          (!complete || text === whole.text);
        if (!right) wrong.push({ at, text, calls, end, complete });
      }
      expect(wrong).toEqual([]);
    });

    test("arriving in two pieces: the same as in one (H5-LLM-10)", async () => {
      const whole = await read(bytes);
      const wrong: unknown[] = [];
      for (let at = 1; at < bytes.length; at += step) {
        const read2 = await read(bytes.subarray(0, at), bytes.subarray(at));
        if (JSON.stringify(read2) !== JSON.stringify(whole)) wrong.push({ at, ...read2 });
      }
      expect(wrong).toEqual([]);
    });
  });
}
