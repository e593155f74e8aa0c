import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Block, Message } from "../../playground/ui/page-api.ts";
import { type RunningProgram, startProgram } from "./program.ts";
import type { SeedQuestion } from "./seed-question.ts";

jest.setTimeout(600_000);

const questions = JSON.parse(readFileSync("playground/seed/questions.json", "utf8")) as readonly SeedQuestion[];
let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program?.stop());

/** Everything a reader sees of a message. */
const shown = ({ text, blocks = [] }: Message): string => [text, ...blocks.flatMap(wordsOf)].join("\n");
const wordsOf = ({ text, elements }: Block): string[] =>
  [text, ...(Array.isArray(elements) ? elements : [])].map((each) => (each as { readonly text?: string } | undefined)?.text ?? "");

async function api<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await (await fetch(`${program.address}playground/api/${path}`, init)).json()) as T;
}

/** Asks as a person does on the page and resolves with the finished answer. */
async function answerTo({ workspace, as, channel, question }: SeedQuestion): Promise<string> {
  const text = channel === "direct" ? question : `@footnote ${question}`;
  const { ts } = await api<{ readonly ts: string }>("messages", { workspace, as, channel, text });
  const query = new URLSearchParams({ workspace, as, channel, thread: ts });
  const deadline = process.hrtime.bigint() + 120_000_000_000n;
  for (;;) {
    const { messages } = await api<{ readonly messages: readonly Message[] }>(`messages?${query}`);
    const answer = messages
      .filter(({ botId }) => botId)
      .map(shown)
      .join("\n");
    // The trace's id stands below a finished answer, and only there.
    if (/^Trace/m.test(answer)) return answer;
    if (process.hrtime.bigint() > deadline) throw new Error(`No finished answer: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test.each(
  questions.map((question) => [`${question.workspace}, ${question.as} in ${question.channel}: ${question.question}`, question] as const),
)("%s", async (_title, question) => {
  const answer = await answerTo(question);
  for (const expected of question.expect) expect(answer).toContain(expected);
  for (const hidden of question.hidden ?? []) expect(answer).not.toContain(hidden);
  if (question.source) expect(answer).toContain(`${question.source.title}${question.source.page ? `, page ${question.source.page}` : ""}`);
});
