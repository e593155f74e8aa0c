import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { agree, Visitor } from "../bot/install/visitor.ts";
import { ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await runApp({ mode: "http", documents: false, configured: ["acme"] });
});
afterAll(() => running.stop());

test("a workspace that is installed from the page asks and is answered, beside one that the operator has configured", async () => {
  const visitor = new Visitor();
  const back = await agree(visitor, running.url, { choice: "globex", person: "alice" });
  expect((await visitor.get(back)).status).toBe(200);
  expect((await running.app.operations.workspaces()).map(({ name }) => name)).toEqual(["Globex", "acme"]);
  for (const workspace of ["globex", "acme"])
    await ask(running.slack, { workspace, as: "bob", channel: "general", question: "What is our parental leave?" });
  const greeting = () => running.slack.messages({ workspace: "globex", channel: "direct:alice" }).filter(({ botId }) => botId);
  await running.slack.waitFor(() => greeting().length > 0);
  expect(greeting()).toHaveLength(1);
});

test("the operator's own workspace keeps its name when it is installed again from the page", async () => {
  const visitor = new Visitor();
  const { body } = await visitor.get(await agree(visitor, running.url, { choice: "acme" }));
  expect(body).toContain("Footnote is installed again in Acme");
  expect((await running.app.operations.workspaces()).map(({ name }) => name)).toEqual(["Globex", "acme"]);
});
