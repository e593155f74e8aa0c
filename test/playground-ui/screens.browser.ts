import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { eventually, launchBrowser, openPage } from "./browser.ts";

jest.setTimeout(600_000);
const uiDir = fileURLToPath(new URL("../../dist/playground/ui", import.meta.url));

let slack: FakeSlack;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  slack = await FakeSlack.start({ seed: defaultSeed, uiDir });
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await slack.stop();
});

const alice = { workspace: "acme", as: "alice", channel: "general" };
const hostile = "<img src=x onerror=alert(1)> <javascript:alert(1)|click>";
const plain = (text: string) => ({ type: "plain_text", text });

/** Calls the Web API as the bot of Acme. */
async function bot(method: string, fields: object): Promise<void> {
  const response = await fetch(slack.apiUrl + method, {
    method: "POST",
    headers: { authorization: `Bearer ${slack.workspace("acme").botToken}`, "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  const answer = (await response.json()) as { readonly ok: boolean; readonly error?: string };
  if (!answer.ok) throw new Error(`${method}: ${answer.error}`);
}

const open = (view: object) => {
  const { workspace, person, channel } = slack.people.place(alice);
  const { trigger_id } = slack.interactions.command(workspace, person, channel, "/footnote", "");
  return bot("views.open", { trigger_id, view: { type: "modal", title: plain("A form"), ...view } });
};

test("a modal is shown to its person alone, draws hostile text as text, and Escape closes it", async () => {
  const own = await openPage(browser, `${slack.pageUrl}?workspace=acme&as=alice&channel=general`);
  const other = await openPage(browser, `${slack.pageUrl}?workspace=acme&as=bob&channel=general`);
  const quote = { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [{ type: "text", text: hostile }] }] };
  await open({ blocks: [{ type: "section", text: { type: "mrkdwn", text: hostile } }, quote] });
  await own.page.getByRole("dialog", { name: "A form" }).waitFor();
  await eventually(async () => expect(await own.page.locator("dialog blockquote").textContent()).toBe(hostile));
  expect(await own.page.locator("dialog img, dialog script, dialog a[href^=javascript]").count()).toBe(0);
  expect(await other.page.locator("dialog.modal").count()).toBe(0);
  await own.page.keyboard.press("Escape");
  await own.page.locator("dialog.modal").waitFor({ state: "detached" });
  expect(slack.screens.modals(alice)).toEqual([]);
  expect([...own.complaints, ...other.complaints]).toEqual([]);
});

test("a form that nobody answers stays open with what was typed, and says so", async () => {
  const { page } = await openPage(browser, `${slack.pageUrl}?workspace=acme&as=alice&channel=general`);
  const element = { type: "plain_text_input", action_id: "name", placeholder: plain("Your name") };
  await open({ submit: plain("Send it"), blocks: [{ type: "input", block_id: "b", label: plain("Name"), element }] });
  await page.getByPlaceholder("Your name").fill("Alice");
  await page.getByRole("button", { name: "Send it" }).click();
  await eventually(async () => expect(await page.locator("dialog [role=alert]").textContent()).toContain("did not react"));
  await eventually(async () => expect(await page.getByPlaceholder("Your name").inputValue()).toBe("Alice"));
});

test("the Home tab tells the bot that it is opened, and shows what it publishes, at once when that changes", async () => {
  const { page, complaints } = await openPage(browser, `${slack.pageUrl}?workspace=acme&as=alice&channel=direct`);
  await page.getByRole("button", { name: "Home" }).click();
  await eventually(async () =>
    expect(slack.envelopes.some(({ event }) => (event as { type?: string }).type === "app_home_opened")).toBe(true),
  );
  for (const text of ["Hello, Alice", "Hello again"]) {
    const view = { type: "home", blocks: [{ type: "header", text: plain(text) }] };
    await bot("views.publish", { user_id: slack.workspace("acme").person("alice"), view });
    await page.locator(".home", { hasText: text }).waitFor();
  }
  expect(complaints).toEqual([]);
});
