import { expect, test } from "@jest/globals";
import { notices, waitingFor } from "../../../../src/agent/approval/refusal.ts";
import { defaultLimits } from "../../../../src/bot/out/mrkdwn/split.ts";
import { answerMessages } from "../../../../src/bot/surfaces/answer/answer.ts";
import { wordsFor } from "../../../../src/bot/words/catalogue.ts";
import { turnId } from "../../../../src/core/ids.ts";

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
