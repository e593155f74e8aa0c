import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { answers, ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

describe.each(["socket", "http"] as const)("over %s", (mode) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await runApp({ mode });
  });
  afterAll(() => running.stop());

  const parental = { channel: "general", question: "What is our parental leave?" } as const;

  test("a mention is answered in its thread: activity, text, sources that open at their page", async () => {
    const asking = { workspace: "acme", as: "alice", ...parental };
    const { thread, text } = await ask(running.slack, asking);
    expect(text).toContain("18 weeks");
    expect(text).toMatch(/Searching the documents for/);
    expect(text).toMatch(/Acme Employee Handbook, page 3/);
    expect(answers(running.slack, asking, thread)).toHaveLength(1);

    const [, link = ""] = /<(http[^|>]+)\|\[1\]/.exec(text) ?? [];
    const page = await fetch(link.replaceAll("&amp;", "&"));
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/class="cited"[\s\S]*18 weeks/);
  });

  test("workspaces of equal names give each their own answer", async () => {
    const [acme, globex] = await Promise.all(
      ["acme", "globex"].map((workspace) => ask(running.slack, { workspace, as: "bob", ...parental })),
    );
    expect(acme?.text).toContain("18 weeks");
    expect(acme?.text).not.toContain("Globex");
    expect(globex?.text).toContain("12 weeks");
    expect(globex?.text).not.toContain("Acme");
  });

  test("a follow-up in the thread needs no mention and knows what it is about", async () => {
    const asking = { workspace: "acme", as: "alice", ...parental };
    const { thread } = await ask(running.slack, asking);
    const { text } = await ask(running.slack, { ...asking, question: "And how long before must I announce it?", thread }, { count: 2 });
    expect(text).toContain("8 weeks");
  });

  test("what reaches Slack is within its limits, pings nobody and unfurls nothing", async () => {
    await ask(running.slack, { workspace: "acme", as: "bob", channel: "direct", question: "What is our parental leave?" });
    expect(running.slack.problems).toEqual([]);
    expect(running.slack.mentions).toEqual([]);
    for (const { message } of running.slack.everyMessage().filter(({ message: { botId } }) => botId))
      for (const revision of message.revisions) expect(revision.unfurls).toBe(false);
  });
});
