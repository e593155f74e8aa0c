import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { testDatabases } from "../fakes/test-database.ts";
import { answers, ask } from "./answer.ts";
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
    // Written by edits: whether a quick answer is streamed or posted whole depends on the machine.
    running = await runApp({ database, environment: { FOOTNOTE_SLACK_STREAMING: "off" } });
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

  describe("T16: a document that is hidden from somebody who reads along", () => {
    const bob = { workspace: "acme", as: "bob" };
    const inGeneral = { ...bob, channel: "general" };
    const asked = ["What is our parental leave?", "What does the zeppelin merger cost?", "How long is parental leave for the board?"];
    const hiddenText = Array.from(
      { length: 40 },
      (_, at) => `The zeppelin merger costs ${at} millions. Parental leave for the board is 99 weeks.`,
    );

    /** What is another one each time: ids, times, how long it took, the keys of links. */
    const withoutIds = (value: unknown): string =>
      JSON.stringify(value, null, 1)
        .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "(id)")
        .replace(/\/sources\/[\w.~-]+/g, "/sources/(key)")
        .replace(/"block_id": "[0-9a-z]{1,5}"/g, '"block_id": ""')
        .replace(/\d{10}\.\d{6}/g, "(ts)")
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)")
        .replace(/\d+(?:\.\d+)? (?:s|ms|seconds?)\b/g, "(duration)")
        .replace(/("(?:ms|\w+Ms)"): [\d.]+/g, "$1: 0")
        .replace(/<!date[^>]*>/g, "(date)");
    const top = () => running.slack.screens.modals(bob).at(-1);
    /** The modal that a button opens, once it is filled. */
    const opened = async (ts: string, actionId: string) => {
      const before = top()?.id;
      await running.slack.click({ ...inGeneral, ts, actionId });
      return running.slack.waitFor(
        () => (top() && top()?.id !== before && !JSON.stringify(top()?.body).includes("One moment") ? top()?.body : undefined),
        {
          timeoutMs: 150_000,
        },
      );
    };
    const slash = async (text: string) => {
      const said = () =>
        running.slack.messages({ workspace: "acme", channel: "general" }).filter(({ ephemeralTo }) => ephemeralTo !== undefined);
      const before = said().length;
      await running.slack.command({ ...inGeneral, command: "/footnote", text });
      return running.slack.waitFor(() => said()[before]?.blocks, { timeoutMs: 150_000 });
    };

    /** Everything that somebody can see of these questions and around them. */
    async function everySurface(): Promise<Record<string, string>> {
      const seen: Record<string, unknown> = {};
      for (const question of asked) {
        const { thread } = await ask(running.slack, { ...inGeneral, question }, { timeoutMs: 150_000 });
        const said = answers(running.slack, { ...inGeneral, question }, thread);
        seen[`${question} answer`] = said.map(({ text, blocks }) => ({ text, blocks }));
        const all = JSON.stringify(said.map(({ blocks }) => blocks));
        const [, trace = ""] = /Trace[^0-9a-f]{1,10}([0-9a-f-]{36})/.exec(all) ?? [];
        seen[`${question} trace`] = await running.app.operations.trace(trace);
        const buttons = said.at(-1);
        for (const action of ["show_sources", "show_tools"]) {
          if (all.includes(`"${action}"`)) seen[`${question} ${action}`] = await opened(buttons?.ts ?? "", action);
        }
      }
      for (const command of ["tools list", "docs", "audience", "help"]) seen[command] = await slash(command);
      return Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, withoutIds(value)]));
    }

    const home = async () => {
      const before = running.slack.screens.home(bob)?.hash;
      running.slack.screens.openHome(bob);
      const opened = await running.slack.waitFor(() => {
        const view = running.slack.screens.home(bob);
        return view && view.hash !== before ? view : undefined;
      });
      return withoutIds(opened.body);
    };

    test("leaves everything that they see as it is without it: answers, sources, traces, tools, App Home", async () => {
      const without = await everySurface();
      const homeWithout = await home();
      expect(homeWithout).toContain("What is our parental leave?");
      const folder = mkdtempSync(join(tmpdir(), "footnote-hidden-"));
      writeFileSync(join(folder, "hidden.md"), `# Board secrets\n\n${hiddenText.join("\n\n")}`);
      const { files } = await running.app.operations.ingest(
        { workspace: "acme", paths: [join(folder, "hidden.md")], person: "alice" },
        () => {},
        new AbortController().signal,
      );
      rmSync(folder, { recursive: true });
      expect(files).toEqual([expect.objectContaining({ status: "added" })]);
      // It is there, and found by who may read it.
      const own = await ask(
        running.slack,
        { workspace: "acme", as: "alice", channel: "direct", question: asked[1] ?? "" },
        { timeoutMs: 150_000 },
      );
      expect(own.text).toContain("Board secrets");
      expect(await home()).toBe(homeWithout);
      expect(await everySurface()).toEqual(without);
      expect(Object.keys(without).filter((name) => name.endsWith("show_sources")).length).toBeGreaterThan(0);
    });
  });

  test("nothing that Slack got was refused, pinged somebody or would be unfurled", () => {
    expect(running.slack.problems).toEqual([]);
    expect(running.slack.mentions).toEqual([]);
  });
});
