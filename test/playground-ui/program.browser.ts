import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, openPage } from "./browser.ts";
import { type RunningProgram, startProgram } from "./program.ts";

jest.setTimeout(600_000);

/** The screenshots that a person looks at. */
const shots = join(process.cwd(), "dist", "screenshots");
let program: RunningProgram;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  [program, browser] = await Promise.all([startProgram(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

async function ask(page: Page, question: string): Promise<string> {
  const field = page.getByRole("textbox", { name: /^Message / });
  await field.fill(question);
  await field.press("Enter");
  const answer = page.locator(".thread .message", { hasText: "Trace" });
  await answer.waitFor({ timeout: 180_000 });
  return (await answer.locator(".body").textContent()) ?? "";
}

test("somebody asks on the page, the answer has its sources, and a click on one opens the passage on its page", async () => {
  const { page, complaints } = await openPage(browser, `${program.address}?workspace=acme&as=alice&channel=general`, {
    viewport: { width: 1360, height: 820 },
  });
  const answer = await ask(page, "@footnote What is our parental leave?");
  expect(answer).toContain("18 weeks at full pay");

  const [source] = await Promise.all([
    page.context().waitForEvent("page"),
    page.locator(".thread a", { hasText: "Acme Employee Handbook, page 3" }).click(),
  ]);
  await source.waitForLoadState();
  expect(await source.title()).toContain("Acme Employee Handbook");
  const passage = (await source.locator("main").textContent()) ?? "";
  expect(passage).toContain("18 weeks at full pay");
  expect((await source.locator("header").textContent()) ?? "").toContain("Page 3 of 4");
  await page.screenshot({ path: join(shots, "answer.png") });
  await source.screenshot({ path: join(shots, "source.png") });
  expect(complaints).toEqual([]);
});

test("the same question in the other workspace has the other answer, and in the dark it looks as good", async () => {
  const { page } = await openPage(browser, `${program.address}?workspace=globex&as=bob&channel=general`, {
    viewport: { width: 1360, height: 820 },
    colorScheme: "dark",
  });
  const answer = await ask(page, "@footnote What is our parental leave?");
  expect(answer).toContain("12 weeks at full pay");
  expect(answer).not.toContain("18 weeks");
  await page.screenshot({ path: join(shots, "answer-dark.png") });
});

test("where a guest reads along, the same question finds nothing; on a phone that is readable too", async () => {
  const { page } = await openPage(browser, `${program.address}?workspace=acme&as=gina&channel=guest-project`, {
    viewport: { width: 390, height: 780 },
  });
  const answer = await ask(page, "@footnote What is our parental leave?");
  expect(answer).not.toMatch(/18 weeks|Handbook/);
  expect(await followUp(page)).toContain("4 May 2026");
  await page.screenshot({ path: join(shots, "answer-phone.png") });
});

/** A follow-up about what the guest may read, in the thread and without a mention. */
async function followUp(page: Page): Promise<string> {
  const field = page.getByRole("textbox", { name: "Reply" });
  await field.fill("When does the Lighthouse pilot start?");
  await field.press("Enter");
  const answer = page.locator(".thread .message", { hasText: "Trace" }).nth(1);
  await answer.waitFor({ timeout: 180_000 });
  return (await answer.locator(".body").textContent()) ?? "";
}
