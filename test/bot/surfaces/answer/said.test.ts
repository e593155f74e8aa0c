import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { notices, waitingFor } from "../../../../src/agent/approval/refusal.ts";
import { Budget } from "../../../../src/agent/budget.ts";
import { whyFallback } from "../../../../src/agent/fallback.ts";
import { defaultLimits as agentLimits } from "../../../../src/agent/limits.ts";
import { type BudgetScope, budgetNotice } from "../../../../src/agent/spending.ts";
import { defaultLimits } from "../../../../src/bot/out/mrkdwn/split.ts";
import { answerMessages } from "../../../../src/bot/surfaces/answer/answer.ts";
import { inGerman } from "../../../../src/bot/surfaces/answer/said-in-german.ts";
import { wordsFor } from "../../../../src/bot/words/catalogue.ts";
import { systemClock } from "../../../../src/core/clock.ts";
import { AppError, type ErrorCode } from "../../../../src/core/errors.ts";
import { turnId } from "../../../../src/core/ids.ts";
import { plugins } from "../../../../src/plugins/index.ts";

const shown = (locale: string, label: string, notice: string): string => {
  const activity = [{ callId: "1", label, state: "running" as const }];
  const view = { turn: turnId("t"), activity, parts: [], citations: [], notices: [notice] };
  const limits = { text: defaultLimits, tables: false };
  return JSON.stringify(answerMessages(view, wordsFor(locale).answer, limits));
};

test("that a call waits, or was not made, is said in the reader's language", () => {
  const german = shown("de-DE", waitingFor.click, notices.noClick);
  expect(german).toContain("Wartet auf deinen Klick");
  expect(german).toContain("weil ihn niemand innerhalb von zehn Minuten erlaubt hat");
  const english = shown("en-US", waitingFor.click, notices.noClick);
  expect(english).toContain(waitingFor.click);
  expect(english).toContain(notices.noClick);
});

test("what tools say stays as it is, whatever it is called", () => {
  expect(shown("de-DE", "constructor", "toString")).toMatch(/constructor.*toString/);
});

describe("everything that this program says beside an answer is known in German", () => {
  const speaks = (sentence: string) => expect(inGerman(sentence)).not.toBe(sentence);

  test.each(["no-tools", "rate-limited", "unreachable", "timeout", "refused", "cut"] as const)("why passages are quoted: %s", (code) =>
    speaks(whyFallback({ code, message: "", retryable: false })),
  );

  test.each(["workspace", "channel", "person"] as const)("the budget of: %s", (scope: BudgetScope) => {
    speaks(budgetNotice({ scope, percent: 85, usedUp: false }));
    speaks(budgetNotice({ scope, percent: 100, usedUp: true }));
    expect(inGerman(budgetNotice({ scope, percent: 85, usedUp: false }))).toContain("85 %");
  });

  test("why an answer was finished early", () => {
    const call = { id: "1", name: "search", params: {} };
    const budgetAfter = (change: (budget: Budget) => unknown, limits = {}) => {
      const budget = new Budget({ ...agentLimits, ...limits }, systemClock);
      change(budget);
      return budget;
    };
    const again = (budget: Budget) => [1, 2, 3].map(() => budget.admit(call));
    const told = [
      budgetAfter(again).reached(1),
      budgetAfter(again, { calls: 1, identicalCalls: 9 }).reached(1),
      budgetAfter(() => 0).reached(99),
      budgetAfter(() => 0, { wallMs: 0 }).reached(1),
      budgetAfter((budget) => budget.spend({ inputTokens: 1e9, outputTokens: 0 })).reached(1),
    ];
    expect(new Set(told).size).toBe(5);
    for (const sentence of told) speaks(sentence ?? "");
  });

  const codes: readonly ErrorCode[] = [
    ...(["PERSON_UNKNOWN", "PERSON_DEACTIVATED", "PERSON_IS_BOT", "PERSON_IS_OUTSIDER", "CHANNEL_UNKNOWN", "PLACE_HAS_OUTSIDERS"] as const),
    ...(["QUESTION_EMPTY", "AUDIENCE_CHANGED", "MODEL_FAILED", "ANSWER_CUT", "BUDGET_USED_UP", "INTERNAL"] as const),
    ...(["TURN_INTERRUPTED", "TURN_STALLED"] as const),
  ];
  test.each(codes)("a question that ends without an answer: %s", (code) => speaks(new AppError(code).message));

  const tools = plugins({ library: {}, safeFetch: {}, pageReader: {}, slackSearch: {} } as never).flatMap((plugin) => plugin.tools);
  test.each(tools.map((tool) => [tool.name, tool] as const))("what a tool is doing: %s", (_name, tool) => {
    speaks(tool.annotations?.title ?? "");
    const query = 'a "b" c';
    for (const params of [
      { query, url: query, repository: query, title: query, page: 3 },
      { query, kind: "pull-request", contains: query, from_page: 2, to_page: 5, passage_id: "p" },
    ]) {
      const line = tool.describeCall?.(params) ?? tool.annotations?.title ?? "";
      speaks(line);
      for (const part of line.match(/"a "b" c"/g) ?? []) expect(inGerman(line)).toContain(part);
    }
  });

  /** Sentences for people that stand in the code as they are. */
  test.each([
    ["agent/client.ts", /const begunAnew = (".+");/g],
    ["agent/loop.ts", /return [`"](The answer was cut|The model's).+[`"];/g],
    ["agent/memory/compaction.ts", /Notice = (".+");/g],
    ["knowledge/create-library.ts", /^const [A-Z_]+ = (".+\.");/gm],
  ])("%s", (path, pattern) => {
    const code = readFileSync(join(import.meta.dirname, "../../../../src", path), "utf8");
    const found = [...code.matchAll(pattern)].map(([line]) => /["`](.+)["`]/.exec(line)?.[1]?.replace(/\$\{[^}]+\}/g, "12") ?? "");
    expect(found.length).toBeGreaterThan(0);
    for (const sentence of found) speaks(sentence);
  });
});
