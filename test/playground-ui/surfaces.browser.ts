import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { approvalCard } from "../../src/bot/approvals/approval-card.ts";
import { english } from "../../src/bot/words/catalogue.ts";
import { newId, personId } from "../../src/core/ids.ts";
import { eventually, launchBrowser, openPage } from "./browser.ts";
import { type RunningProgram, startProgram } from "./program.ts";

jest.setTimeout(300_000);

/** Where the pictures go that a person looks at; those of the docs are made anew with FOOTNOTE_DOC_IMAGES=1, others in the dark with FOOTNOTE_DARK=1. */
const forDocs = process.env.FOOTNOTE_DOC_IMAGES === "1";
const colorScheme = process.env.FOOTNOTE_DARK === "1" ? "dark" : "light";
const shots = forDocs ? join(process.cwd(), "docs", "images") : join(process.cwd(), "dist", "screenshots");
const inDocs: ReadonlySet<string> = new Set(["answer", "tools", "approval", "template-form", "home-admin", "share", "roles"]);
/** Bytes of a picture in the docs. */
const largest = 150_000;
const timeout = 120_000;
const uiDir = fileURLToPath(new URL("../../dist/playground/ui", import.meta.url));

let program: RunningProgram;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  browser = await launchBrowser();
  // The program refuses settings that it does not know.
  program = await startProgram({ FOOTNOTE_DOC_IMAGES: undefined, FOOTNOTE_DARK: undefined });
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

async function look(address: string, height = 860): Promise<void> {
  ({ page, complaints } = await openPage(browser, address, { viewport: { width: 1280, height }, colorScheme }));
}
beforeEach(() => look(`${program.address}?workspace=acme&as=alice&channel=general`));
afterEach(async () => {
  expect(complaints).toEqual([]);
  // Slack keeps what is open: the next test begins with nothing on the screen.
  for (let open = await modals(); open > 0; open = await modals()) {
    await page.keyboard.press("Escape");
    const before = open;
    await eventually(async () => expect(await modals()).toBeLessThan(before));
  }
  for (const context of browser.contexts()) await context.close();
});

const modals = (): Promise<number> => page.locator("dialog.modal").count();

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

/** A picture of the modal on top, of a part of the page, or of a box on the screen. */
async function shot(name: string, part: Locator | Box = page.locator("dialog.modal").last()): Promise<void> {
  if (forDocs && !inDocs.has(name)) return;
  const still = { animations: "disabled" } as const;
  const picture = "x" in part ? await page.screenshot({ ...still, clip: part }) : await part.screenshot(still);
  if (forDocs) expect(picture.length).toBeLessThan(largest);
  writeFileSync(join(shots, `${name}${colorScheme === "dark" ? "-dark" : ""}.png`), picture);
}

async function say(text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: /^Message / });
  await field.fill(text);
  await field.press("Enter");
}

/** The finished answer to a question that is asked in the channel. */
async function answered(question: string): Promise<Locator> {
  await say(question);
  const answer = page.locator(".thread .message", { hasText: "Trace" });
  await answer.waitFor({ timeout });
  return answer;
}

/** The modal of that title, once it holds these words. */
async function opened(title: string, ...texts: readonly (string | RegExp)[]): Promise<Locator> {
  const modal = page.getByRole("dialog", { name: title }).last();
  await modal.waitFor({ timeout });
  for (const text of texts) await modal.getByText(text).first().waitFor({ timeout });
  return modal;
}

async function close(title: string): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: title }).waitFor({ state: "detached", timeout });
}

const press = (within: Locator, name: string | RegExp): Promise<void> => within.getByRole("button", { name }).first().click();

const field = (form: Locator, label: RegExp): Locator => form.getByRole("group", { name: label }).getByRole("textbox");

test("an answer's sources, tools and feedback open below it", async () => {
  const answer = await answered("@footnote What is our parental leave?");
  await shot("answer", page.locator(".thread"));
  await press(answer, /^Show the passages|^Sources/);
  await opened("Sources", "What this answer cites");
  await shot("sources");
  await close("Sources");
  await press(answer, /^See and switch|^Tools/);
  const tools = await opened("Tools", "What Footnote may use");
  await press(tools, "Switch off: List the documents");
  await opened("Tools", /switched off in this thread/);
  await shot("tools");
  await close("Tools");
  await press(answer, "Bad answer");
  await opened("Your feedback", "What was wrong");
  await shot("feedback");
});

test("what was asked in a channel is searched privately, and its asker shares the answer after a look at what would be posted", async () => {
  const answer = await answered("@footnote What will my salary be from April?");
  await press(answer, /^Ask this again in a direct message/);
  await page.getByText("The answer is on its way in our direct message").first().waitFor({ timeout });
  await page.goto(`${program.address}?workspace=acme&as=alice&channel=direct`);
  const replies = page.locator(".message", { hasText: "You asked in" }).getByRole("button", { name: /repl/ });
  await replies.last().click();
  const own = page.locator(".thread .message", { hasText: "Trace" });
  await own.waitFor({ timeout });
  await shot("private-answer", page.locator(".thread"));
  await press(own, /^See what would be posted/);
  const preview = await opened("Share this answer", "This would be posted in the thread in");
  await shot("share");
  await press(preview, "Share");
  await page.locator(".thread .message", { hasText: "Shared in #general" }).waitFor({ timeout });
});

test("an admin adds an external server with a secret, which is not shown when the server is changed", async () => {
  await say("/footnote mcp add");
  const form = await opened("Add a server", "How to log in");
  await field(form, /^Name/).fill("tracker");
  await field(form, /^What people see/).fill("Our tracker");
  await field(form, /^Address/).fill("http://10.0.0.7/mcp");
  await form.getByRole("combobox").selectOption({ label: "One secret for everybody" });
  await opened("Add a server", "Value of the header");
  await field(form, /^Header/).fill("Authorization");
  await field(form, /^Value of the header/).fill("Bearer example-key");
  await press(form, "Save");
  await opened("Add a server", /A full address that begins with https/);
  await shot("server-form");
  await field(form, /^Address/).fill("https://tracker.example/mcp");
  await press(form, "Save");
  const list = await opened("External servers", /Our tracker is saved/);
  await shot("servers");
  await press(list, "Change");
  const change = await opened("Change a server", /Leave it empty to keep/);
  expect(await field(change, /^Value of the header/).inputValue()).toBe("");
  await shot("server-change");
});

test("an admin writes a template, looks at what it would do, tries it, and gives it to a channel", async () => {
  await answered("@footnote How many days may I work from another country?");
  await say("/footnote template");
  await press(await opened("Assistants", "Document analysis"), "New template");
  const form = await opened("New template", "Instructions");
  await field(form, /^Name/).fill("people-desk");
  await field(form, /^Title/).fill("People desk");
  await field(form, /^Instructions/).fill("Answer in two sentences and name the page.");
  await shot("template-form");
  await press(form, "Preview");
  const preview = await opened("Preview", "People desk", "last questions");
  await shot("template-preview");
  await press(preview, "Try it");
  await opened("Tried out", "Tools");
  await shot("template-trial");
  await close("Tried out");
  await close("Preview");
  await press(await opened("New template"), "Save");
  const saved = await opened("Assistants", "Saved as version 1");
  await saved.getByRole("combobox").selectOption({ label: "#general" });
  await press(await opened("Assistants", "Use in #general"), "Use in #general");
  await opened("Assistants", "is now this one");
  await shot("template");
  await press(await opened("Assistants"), "Edit");
  const edit = await opened("Edit template", "Saving makes the next version");
  await field(edit, /^Title/).fill("People and benefits");
  await press(edit, "Save");
  await press(await opened("Assistants", "Saved as version 2"), "Versions");
  await press(await opened("Versions", "Version 1"), "Compare");
  await opened("Versions", "From version 1 to version 2");
  await shot("template-versions");
});

test("somebody starts a thread from a template", async () => {
  await say("/footnote template");
  await press(await opened("Assistants", "Document analysis"), "Open");
  await press(await opened("Assistants", "Suggested questions"), "Start a thread");
  const form = await opened("Start a thread", "Question");
  await form.getByRole("textbox").fill("What do the documents say about notice periods?");
  await shot("start-thread");
  await press(form, "Ask");
  await opened("Start a thread", "Your question is there");
});

test("an admin gives a role for one channel, and takes it back", async () => {
  await say("/footnote role");
  const form = await opened("Roles", "Give a role");
  await form.getByRole("group", { name: "Who gets it" }).getByText("Bob").click();
  await form.getByRole("group", { name: "Role" }).getByRole("combobox").selectOption({ label: "Tool manager" });
  await press(form, "Give");
  const given = await opened("Roles", /is now/);
  await shot("roles");
  await press(given, "Take back");
  await opened("Roles", /is no longer/);
});

test("a message is asked about, its files are added for the channel's readers, and what became of them is listed", async () => {
  const bytes = (text: string) => ({ mimeType: "application/octet-stream", buffer: Buffer.from(text) });
  await page.locator("input[type=file]").setInputFiles([
    { name: "doors.md", ...bytes("# Door codes\n\nThe code of the north door is 4711-cobalt.") },
    { name: "floor-plan.pdf", ...bytes("this is no PDF") },
  ]);
  await say("The doors of the new office");
  const message = page.locator(".message", { hasText: "doors.md" }).last();
  await message.waitFor({ timeout });
  await message.hover();
  await press(message, "Ask about this");
  await opened("Ask about this", "Your question");
  await shot("ask-about");
  await close("Ask about this");
  await message.hover();
  await press(message, "Add to knowledge");
  const form = await opened("Add to knowledge", "Who may see it");
  await form.getByText("Everybody who reads this channel").click();
  await shot("add-to-knowledge");
  await press(form, "Add");
  await page.goto(`${program.address}?workspace=acme&as=alice&channel=direct`);
  await page.getByText("can be found now").first().waitFor({ timeout });
  await page.getByText("was not added").first().waitFor({ timeout });
  await say("/footnote docs");
  const list = page.locator(".message", { hasText: "Documents that were added from Slack" }).last();
  await list.waitFor({ timeout });
  await shot("docs", list);
});

test("an admin has a channel's files followed from App Home, and sees how that stands", async () => {
  await look(`${program.address}?workspace=acme&as=alice&channel=direct`, 2_300);
  await page.getByRole("button", { name: "Home" }).click();
  const home = page.locator(".home");
  await home.getByText("Sources that are kept current").waitFor({ timeout });
  await press(home, "Follow a channel's files");
  const form = await opened("Sources", "How often all of it is looked at");
  await form.getByRole("group", { name: "Channel" }).getByRole("combobox").selectOption({ label: "#people-ops" });
  await shot("follow");
  await press(form, "Follow");
  await opened("Sources", "followed from here on");
  await close("Sources");
  await home.getByText("Files in").first().waitFor({ timeout });
  await home.getByText("Files in").first().scrollIntoViewIfNeeded();
  await shot("home-sources", home);
  await press(home, /^See$/);
  await opened("Sources", "Everybody who reads the channel");
  await shot("source");
});

test("App Home of an admin", async () => {
  await answered("@footnote How large is the learning budget?");
  await look(`${program.address}?workspace=acme&as=alice&channel=direct`, 2_300);
  await page.getByRole("button", { name: "Home" }).click();
  await page.locator(".home", { hasText: "For admins" }).waitFor({ timeout });
  const home = page.locator(".home");
  await shot("home", home);
  const [whole, forAdmins] = [await home.boundingBox(), await home.getByRole("heading", { name: "For admins" }).boundingBox()];
  if (!whole || !forAdmins) throw new Error("Home is not to be seen.");
  const from = forAdmins.y - 20;
  await shot("home-admin", { ...whole, y: from, height: whole.y + whole.height - from });
});

test("the card that asks before something is changed shows exactly what would be sent", async () => {
  const slack = await FakeSlack.start({ seed: defaultSeed, uiDir });
  try {
    await page.goto(`${slack.pageUrl}?workspace=acme&as=alice&channel=general`);
    const { botToken, ...acme } = slack.workspace("acme");
    const call = {
      ...{ tool: "tracker__create_issue", server: "tracker", title: "Create an issue", fingerprint: "f" },
      effect: "side-effect",
      ...{ mayRemember: false, confidential: false },
      arguments: JSON.stringify({ project: "handbook", title: "Say how parental leave is split into blocks", labels: ["people"] }),
    } as const;
    const card = approvalCard(newId(), call, personId(acme.person("alice")), english.approvals, true);
    const posted = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: "POST",
      headers: { authorization: `Bearer ${botToken}`, "content-type": "application/json" },
      body: JSON.stringify({ channel: acme.channel("general"), ...card }),
    });
    expect(await posted.json()).toMatchObject({ ok: true });
    const shown = page.locator(".message", { hasText: "tracker__create_issue" });
    await shown.waitFor({ timeout });
    await shot("approval", shown);
  } finally {
    await slack.stop();
  }
});
