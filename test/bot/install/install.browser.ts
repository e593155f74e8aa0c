import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { launchBrowser, openPage } from "../../playground-ui/browser.ts";
import { InstallBench, organisationSeed, type Process } from "./install-bench.ts";

jest.setTimeout(600_000);

let db: TestDatabase;
let bench: InstallBench;
let program: Process;
let browser: Browser;
beforeAll(async () => {
  db = await openTestDatabase();
  bench = await InstallBench.start(db, { seed: organisationSeed });
  program = await bench.process();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await bench.stop();
  await db.close();
});

/** Where pictures of the pages go, if somebody wants to look at them. */
const path = process.env.FOOTNOTE_TEST_SCREENSHOTS;

/** Everything that a browser shows on the way, with what it complains of. */
async function visit(choice: string, shot: string) {
  const { page, complaints } = await openPage(browser, `${program.url}/slack/install`);
  if (path) await page.screenshot({ path: `${path}/consent.png` });
  await page.getByRole("link", { name: choice }).click();
  await page.waitForURL(/oauth_redirect/);
  if (path) await page.screenshot({ path: `${path}/${shot}.png` });
  // Neither server has an icon, which browsers ask for by themselves.
  return { page, complaints: complaints.filter((complaint) => !complaint.includes("404")) };
}

test("a person installs the app by two clicks, in a browser that keeps its cookie and loads nothing from elsewhere", async () => {
  const { page, complaints } = await visit("Allow in Acme", "installed");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Footnote is installed in Acme");
  // The style sheet came: a card on a quiet page.
  expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe("12px");
  expect(await page.getByRole("link", { name: "Open Slack" }).getAttribute("href")).toMatch(/^https:\/\/slack\.com\/app_redirect\?/);
  expect(await page.locator("script").count()).toBe(0);
  expect(complaints).toEqual([]);

  // Going back and forth in the browser does no harm: the state is used up.
  await page.reload();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("This did not work");
  await page.getByRole("link", { name: "Begin again" }).click();
  expect(await page.getByRole("link", { name: "Cancel" }).count()).toBe(1);
});

test("an organisation's administrator sees which workspaces can use it; somebody who cancels sees that nothing happened", async () => {
  const { page, complaints } = await visit("Allow in all of Initech", "organisation");
  expect(await page.getByRole("listitem").allTextContents()).toEqual(["Acme", "Globex"]);
  expect(complaints).toEqual([]);
  const cancelled = await visit("Cancel", "cancelled");
  expect(await cancelled.page.getByRole("heading", { level: 1 }).textContent()).toBe("Nothing was installed");
  expect(cancelled.complaints).toEqual([]);
});
