import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { ModelServer } from "../fakes/model-server.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { type RunningProgram, startProgram } from "./program.ts";

jest.setTimeout(600_000);

/** What the model waits for before it says more: the page has shown what it said before. So the test holds at any speed. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
const toolSeen = gate();
const beginningSeen = gate();

let model: ModelServer;
let program: RunningProgram;
let browser: Browser;

beforeAll(async () => {
  model = await ModelServer.start(async ({ messages }, reply) => {
    if (messages.at(-1)?.role !== "tool") return reply.call("query_documents", { query: "parental leave" });
    await toolSeen.opened;
    reply.say("Parental leave begins with a form, and your manager gets it first.\n\n");
    await beginningSeen.opened;
    reply.say("It lasts as long as the handbook says [1].");
  });
  [program, browser] = await Promise.all([startProgram({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test" }), launchBrowser()]);
});
afterAll(async () => {
  toolSeen.open();
  beginningSeen.open();
  await browser?.close();
  await program?.stop();
  await model?.stop();
});

test("while the model is still busy, the page shows the tool call with its words, then the beginning of the answer, then the rest and its source", async () => {
  const { page, complaints } = await openPage(browser, `${program.address}?workspace=acme&as=alice&channel=general`);
  const field = page.getByRole("textbox", { name: /^Message / });
  await field.fill("@footnote What is our parental leave?");
  await field.press("Enter");

  const answer = page.locator(".thread .message:has(.badge) .body");
  await answer.filter({ hasText: "parental leave" }).waitFor({ timeout: 180_000 });
  expect(await answer.textContent()).not.toContain("begins");
  toolSeen.open();

  await answer.filter({ hasText: "Parental leave begins" }).waitFor({ timeout: 180_000 });
  expect(await answer.textContent()).not.toContain("as long as");
  beginningSeen.open();

  await page.locator(".thread .message", { hasText: "Trace" }).waitFor({ timeout: 180_000 });
  expect(await answer.textContent()).toContain("as long as the handbook says");
  expect(await page.locator(".thread a", { hasText: "Acme Employee Handbook" }).count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});
