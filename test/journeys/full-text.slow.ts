import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { FakeMeili } from "../fakes/meili-server.ts";
import { until } from "../fakes/until.ts";
import { type RunningApp, runApp } from "./running-app.ts";

describe("the program with Meilisearch beside it (stand-in)", () => {
  let meili: FakeMeili;
  let running: RunningApp;
  beforeAll(async () => {
    meili = await FakeMeili.start();
    const { writeKey, searchKey } = meili;
    running = await runApp({
      environment: { MEILI_URL: meili.url, MEILI_KEY: writeKey.key, MEILI_SEARCH_KEY: searchKey.key, MEILI_SEARCH_KEY_ID: searchKey.uid },
    });
  });
  afterAll(async () => {
    await running.stop();
    await meili.stop();
  });

  const documents = () => [...meili.indexes.values()].map((index) => index.documents.size);
  const ask = () =>
    running.app.operations.ask(
      { question: "How long is parental leave?", workspace: "acme", as: "alice" },
      { write: () => {} },
      new AbortController().signal,
    );

  test("documents come into an index for each workspace by themselves, and questions are answered from it", async () => {
    await until(() => documents().length === 2 && documents().every((size) => size > 10));
    await until(() => meili.requests.filter(({ path }) => path.endsWith("/documents/delete")).length > 2);
    const answer = await ask();
    expect(answer.citations.length).toBeGreaterThan(0);
    expect(meili.requests.some(({ path }) => path.endsWith("/search"))).toBe(true);
    const checks = await running.app.operations.diagnose();
    expect(checks.find(({ name }) => name === "Full text acme")?.summary).toMatch(/documents are in the index/);
  });

  test("while it is away questions are answered from what the search by meaning finds, and mending says so", async () => {
    meili.down = true;
    expect((await ask()).citations.length).toBeGreaterThan(0);
    await expect(running.app.operations.mendFullText({})).rejects.toMatchObject({ code: "FULL_TEXT_FAILED" });
    meili.down = false;
    meili.indexes.clear();
    expect(await running.app.operations.mendFullText({ workspace: "acme" })).toEqual([expect.objectContaining({ workspace: "acme" })]);
    await until(() => documents().length === 2);
  });
});
