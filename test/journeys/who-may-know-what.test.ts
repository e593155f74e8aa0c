import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { testDatabases } from "../fakes/test-database.ts";
import { ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

interface SeedQuestion {
  readonly workspace: string;
  readonly as: string;
  readonly channel: string;
  readonly question: string;
  readonly expect: readonly string[];
  /** What this person must not learn here. */
  readonly hidden?: readonly string[];
  readonly source?: { readonly title: string; readonly page?: number };
}

const questions = JSON.parse(readFileSync("playground/seed/questions.json", "utf8")) as readonly SeedQuestion[];

describe.each(testDatabases)("the same questions by different people in different places, on the %s database", (database) => {
  let running: RunningApp;
  /** Every question is in flight at once, as in two busy workspaces. */
  let answered: Map<SeedQuestion, Promise<string>>;
  beforeAll(async () => {
    running = await runApp({ database });
    answered = new Map(
      questions.map((question) => [question, ask(running.slack, question, { timeoutMs: 150_000 }).then(({ text }) => text)]),
    );
    await Promise.allSettled(answered.values());
  });
  afterAll(() => running.stop());

  test.each(questions.map((each) => [`${each.workspace}: ${each.as} in ${each.channel}: ${each.question}`, each] as const))(
    "%s",
    async (_, question) => {
      const text = await answered.get(question);
      for (const expected of question.expect) expect(text).toContain(expected);
      for (const hidden of question.hidden ?? []) expect(text).not.toContain(hidden);
      const { title, page } = question.source ?? {};
      if (title) expect(text).toContain(page ? `${title}, page ${page}` : title);
    },
  );

  test("nothing that Slack got was refused, pinged somebody or would be unfurled", () => {
    expect(running.slack.problems).toEqual([]);
    expect(running.slack.mentions).toEqual([]);
  });
});
