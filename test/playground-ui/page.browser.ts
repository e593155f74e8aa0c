import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { eventually, launchBrowser, openPage } from "./browser.ts";

jest.setTimeout(600_000);
const uiDir = fileURLToPath(new URL("../../dist/playground/ui", import.meta.url));

let slack: FakeSlack;
let browser: Browser;
beforeAll(async () => {
  expect(existsSync(`${uiDir}/app.js`)).toBe(true);
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

const at = (query: string) => `${slack.pageUrl}?${query}`;
const general = () => slack.workspace("acme").channel("general");

/** Calls the Web API as the bot of Acme. */
async function bot(method: string, fields: object): Promise<{ readonly ts: string }> {
  const response = await fetch(slack.apiUrl + method, {
    method: "POST",
    headers: { authorization: `Bearer ${slack.workspace("acme").botToken}`, "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  const answer = (await response.json()) as { readonly ok: boolean; readonly error?: string; readonly ts: string };
  if (!answer.ok) throw new Error(`${method}: ${answer.error}`);
  return answer;
}
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });

/** Resolves when the page shows the text, and fails with what it shows instead. */
async function shows(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 180_000 });
}

describe("asking", () => {
  test("a suggested question is asked with a click, and its thread opens where the answer streams in", async () => {
    const { page, complaints } = await openPage(browser, slack.pageUrl);
    await page.getByRole("button", { name: "What is our parental leave?" }).click();
    await shows(page, ".thread", "What is our parental leave?");
    const thread = new URL(page.url()).searchParams.get("thread");
    const channel = general();
    await bot("assistant.threads.setStatus", { channel_id: channel, thread_ts: thread, status: "is thinking…" });
    await shows(page, ".thread [role=status]", "Footnote is thinking…");
    const { ts } = await bot("chat.postMessage", {
      channel,
      thread_ts: thread,
      text: "…",
      blocks: [section(":mag: Searching the documents")],
    });
    await shows(page, ".thread [role=log]", "Searching the documents");
    for (const text of ["Parental leave", "Parental leave is *18 weeks*", "Parental leave is *18 weeks* <https://a.example/doc|[1]>."]) {
      await bot("chat.update", { channel, ts, text: "…", blocks: [section(text)] });
      await shows(page, ".thread [role=log]", text.replace(/[*<>]|https:.*\|/g, "").trimEnd());
    }
    const source = page.locator(".thread a", { hasText: "[1]" });
    expect(await source.getAttribute("href")).toBe("https://a.example/doc");
    expect(await source.getAttribute("target")).toBe("_blank");
    await eventually(async () => expect(await page.locator(".thread strong", { hasText: "18 weeks" }).count()).toBe(1));
    await eventually(async () => expect(await page.locator(".channel .replies").textContent()).toBe("1 reply"));
    expect(complaints).toEqual([]);
  });

  test("Enter sends, Shift+Enter makes a new line, and @ completes the bot's name", async () => {
    const { page } = await openPage(browser, slack.pageUrl);
    const field = page.getByRole("textbox", { name: "Message #general" });
    await field.pressSequentially("@fo");
    await page.getByRole("option", { name: "@footnote" }).waitFor();
    await field.press("Enter");
    await eventually(async () => expect(await field.inputValue()).toBe("@footnote "));
    await field.pressSequentially("one");
    await field.press("Shift+Enter");
    await field.pressSequentially("two");
    await field.press("Enter");
    await shows(page, ".thread", "two");
    await eventually(async () => expect(await field.inputValue()).toBe(""));
    const [asked] = slack.messages({ workspace: "acme", channel: "general" });
    expect(asked?.text).toBe(`<@${slack.workspace("acme").botUserId}> one\ntwo`);
  });

  test("a message that does not go out is kept in the field, with the reason", async () => {
    const { page } = await openPage(browser, slack.pageUrl);
    const ts = slack.post({ workspace: "acme", as: "bob", channel: "general", text: "a thread" });
    await page.getByRole("button", { name: "Reply in thread" }).click();
    const field = page.getByRole("textbox", { name: "Reply" });
    await field.fill("/footnote tools");
    await field.press("Enter");
    await shows(page, ".thread [role=alert]", "do not work inside threads");
    await eventually(async () => expect(await field.inputValue()).toBe("/footnote tools"));
    await eventually(async () => expect(page.url()).toContain(ts));
  });
});

describe("what the bot sends", () => {
  test("hostile text is text: no element, no script, no clickable javascript:, nothing loaded from outside", async () => {
    const { page, complaints } = await openPage(browser, slack.pageUrl);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const hostile =
      "<img src=x onerror=alert(1)> &lt;script&gt;alert(1)&lt;/script&gt; <javascript:alert(1)|click> &amp;lt;b&amp;gt; ![x](https://evil.example/p.png)";
    await bot("chat.postMessage", { channel: general(), text: hostile });
    await bot("chat.postMessage", {
      channel: general(),
      text: "x",
      blocks: [section(hostile), { type: "image", image_url: "https://evil.example/pixel.png", alt_text: "a chart" }],
    });
    await shows(page, ".context", "a chart");
    expect(await page.locator(".body img, .body script, .body a[href^=javascript]").count()).toBe(0);
    expect(await page.locator(".body").first().textContent()).toContain(
      "<img src=x onerror=alert(1)> <script>alert(1)</script> click (javascript:alert(1)) &lt;b&gt;",
    );
    expect(requests.filter((url) => !url.startsWith(slack.pageUrl))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a button reaches the bot as an action; a bot that is away is said to have not reacted", async () => {
    const { page } = await openPage(browser, slack.pageUrl);
    const actions = {
      type: "actions",
      block_id: "B1",
      elements: [{ type: "button", action_id: "retry", value: "v1", text: { type: "plain_text", text: "Retry" } }],
    };
    await bot("chat.postMessage", { channel: general(), text: "x", blocks: [actions] });
    await page.getByRole("button", { name: "Retry" }).click();
    await shows(page, ".actions [role=alert]", "Footnote did not react");
    await eventually(async () => expect(slack.acks.at(-1)?.kind).toBe("interactive"));
    slack.post({ workspace: "acme", as: "bob", channel: "general", text: "a message" });
    await page.getByRole("button", { name: "Ask about this" }).dispatchEvent("click");
    await shows(page, ".content > [role=alert]", "Footnote did not react");
  });

  test("an ephemeral message is marked, and only its reader sees it", async () => {
    const alice = await openPage(browser, at("workspace=acme&as=alice&channel=general"));
    const bob = await openPage(browser, at("workspace=acme&as=bob&channel=general"));
    await shows(bob.page, ".empty", "beginning");
    await bot("chat.postEphemeral", { channel: general(), user: slack.workspace("acme").person("alice"), text: "for alice alone" });
    await bot("chat.postMessage", { channel: general(), text: "for all" });
    await shows(alice.page, ".ephemeral", "Only visible to you");
    await shows(bob.page, "[role=log]", "for all");
    expect(await bob.page.locator("[role=log]").textContent()).not.toContain("for alice alone");
  });
});

describe("places", () => {
  test("a reload keeps workspace, person, channel and thread; Escape closes the thread", async () => {
    const ts = slack.post({ workspace: "globex", as: "bob", channel: "people-ops", text: "in globex" });
    const { page } = await openPage(browser, at(`workspace=globex&as=bob&channel=people-ops&thread=${ts}`));
    await shows(page, ".thread", "in globex");
    await page.reload();
    await shows(page, ".thread", "in globex");
    await page.keyboard.press("Escape");
    await page.locator(".thread").waitFor({ state: "detached" });
    await eventually(async () => expect(page.url()).toBe(at("workspace=globex&as=bob&channel=people-ops")));
  });

  test("the guest sees her channel alone; the private board is listed for alice and not for bob", async () => {
    const { page } = await openPage(browser, slack.pageUrl);
    const channels = () => page.getByRole("navigation", { name: "Conversations" }).getByRole("button").allInnerTexts();
    await eventually(async () => expect((await channels()).map((name) => name.replace(/\s.*/s, ""))).toContain("board"));
    await page.getByRole("button", { name: "Bob Brandt" }).click();
    await shows(page, "[aria-pressed=true]", "Bob Brandt");
    await eventually(async () => expect((await channels()).join()).not.toContain("board"));
    await page.getByRole("button", { name: "Gina Green" }).click();
    await shows(page, "[aria-pressed=true]", "Gina Green");
    await eventually(async () => expect((await channels()).join()).toBe("guest-project,Footnote"));
  });

  test("what is written elsewhere marks its channel as unread until one looks", async () => {
    const { page } = await openPage(browser, at("workspace=acme&as=alice&channel=general"));
    await shows(page, ".empty", "beginning");
    slack.post({ workspace: "acme", as: "bob", channel: "people-ops", text: "news" });
    await page.getByRole("button", { name: "people-ops , unread" }).click();
    await shows(page, "[role=log]", "news");
    await eventually(async () => expect(await page.locator(".unread").count()).toBe(0));
  });

  test("on a phone the menu opens as a drawer, and nothing is wider than the screen", async () => {
    const { page } = await openPage(browser, slack.pageUrl, { viewport: { width: 360, height: 700 } });
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("button", { name: "people-ops" }).click();
    await shows(page, ".channel", "beginning of #people-ops");
    await eventually(async () => expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360));
  });
});

test("after a break the page reconnects and shows what it has missed", async () => {
  const { page } = await openPage(browser, at("workspace=acme&as=alice&channel=general"));
  await shows(page, ".empty", "beginning");
  const port = Number(new URL(slack.pageUrl).port);
  await slack.stop();
  await shows(page, ".offline", "does not answer");
  slack = await FakeSlack.start({ seed: defaultSeed, uiDir, port });
  slack.post({ workspace: "acme", as: "bob", channel: "general", text: "while you were away" });
  await page.locator("[role=log]", { hasText: "while you were away" }).waitFor({ timeout: 180_000 });
  await eventually(async () => expect(await page.locator(".offline").textContent()).toBe(""));
});
