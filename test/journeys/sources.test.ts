import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { Json, View } from "../../playground/server/state.ts";
import { ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

/** Only ends what hangs: the machine may be busy. */
const limitMs = 120_000;
jest.setTimeout(5 * limitMs);

let running: RunningApp;
/** An answer in general, for all who click on it. */
let inGeneral: Awaited<ReturnType<typeof answered>>;
beforeAll(async () => {
  running = await runApp();
  inGeneral = await answered("What is our parental leave?");
});
afterAll(() => running.stop());

const where = { workspace: "acme", as: "alice", channel: "general" };

/** Everything a reader sees of a modal. */
const words = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([key, inner]) => (key === "text" && typeof inner === "string" ? inner : words(inner)))
        .filter((text) => text !== "")
        .join("\n")
    : "";
const read = (view: View): string => words(view.body);

/** Asks as alice does and resolves with the message that has the buttons. */
async function answered(question: string, at = where) {
  const { thread } = await ask(running.slack, { ...at, question }, { timeoutMs: limitMs });
  const channel = at.channel === "direct" ? `direct:${at.as}` : at.channel;
  const button = (blocks: readonly Json[]) => JSON.stringify(blocks).includes("show_sources");
  const find = () => running.slack.messages({ workspace: at.workspace, channel, thread }).findLast(({ blocks }) => button(blocks));
  return running.slack.waitFor(find, { timeoutMs: limitMs });
}

/** Clicks on Sources as somebody does, and resolves with the modal once it is filled. */
async function open(ts: string, as: string, channel = "general") {
  const before = running.slack.screens.modals({ workspace: "acme", as }).at(-1)?.id;
  await running.slack.click({ workspace: "acme", as, channel, ts, actionId: "show_sources" });
  const filled = () => {
    const top = running.slack.screens.modals({ workspace: "acme", as }).at(-1);
    return top && top.id !== before && !read(top).includes("One moment") ? top : undefined;
  };
  return running.slack.waitFor(filled, { timeoutMs: limitMs });
}

describe("the Sources button", () => {
  test("opens the quoted passages of the cited sources, each with its page, its relevance and a link that opens", async () => {
    const modal = await open(inGeneral.ts, "bob");
    const shown = read(modal);
    expect(shown).toMatch(/<http\S+\/sources\/\S+\|\[1\] .*page \d+> .*relevance \d+ %/);
    expect(JSON.stringify(modal.body.blocks)).toContain("rich_text_quote");
    expect(shown).toMatch(/parental leave/i);
    const [, link = ""] = /<(http\S+?)\|\[1\]/.exec(shown) ?? [];
    expect((await fetch(link)).status).toBe(200);
    expect(running.slack.problems).toEqual([]);
  });

  test("somebody who may not see a document gets “not for you” instead of its text", async () => {
    const { ts } = await answered("What is our parental leave?", { ...where, channel: "people-ops" });
    const before = read(await open(ts, "bob", "people-ops"));
    expect(before).not.toContain("not for you");
    running.slack.administration.setRole({ workspace: "acme", person: "bob", role: "guest" });
    const after = read(await open(ts, "bob", "people-ops"));
    running.slack.administration.setRole({ workspace: "acme", person: "bob", role: "member" });
    expect(after).toContain("*[1]* This source is not for you, or it does not exist any more.");
    expect(after).not.toMatch(/handbook|weeks/i);
  });

  test("a forged button opens nothing of an answer elsewhere: it looks like one that never was", async () => {
    const direct = await answered("What is our parental leave?", { ...where, channel: "direct" });
    const id = JSON.stringify(direct.blocks).match(/"show_sources","value":"([^"]+)"/)?.[1] ?? "";
    const { workspace, person, channel } = running.slack.people.place({ ...where, as: "bob" });
    const forge = async (value: string) => {
      const element = { type: "button", action_id: "show_sources", value };
      const payload = running.slack.interactions.blockActions(workspace, person, channel, inGeneral, element, "b");
      const elsewhere = { channel: { id: running.slack.workspace("acme").direct("alice") } };
      if (running.slack.screens.modals({ workspace: "acme", as: "bob" }).length > 0)
        running.slack.screens.close({ workspace: "acme", as: "bob", all: true });
      await running.slack.deliver({ ...payload, ...elsewhere });
      const refused = () => {
        const top = running.slack.screens.modals({ workspace: "acme", as: "bob" }).at(-1);
        return top && read(top).includes("nothing to show") ? read(top) : undefined;
      };
      return running.slack.waitFor(refused, { timeoutMs: limitMs });
    };
    expect(await forge(id)).toBe(await forge("6d1ef6b5-0000-4000-8000-000000000000"));
  });

  test("speaks the reader's language, whatever the asker's", async () => {
    running.slack.administration.setLocale({ workspace: "acme", person: "bob", locale: "de-DE" });
    const german = read(await open(inGeneral.ts, "bob"));
    running.slack.administration.setLocale({ workspace: "acme", person: "bob", locale: "en-US" });
    expect(german).toMatch(/^Quellen\nSchließen\n/);
    expect(german).toMatch(/Seite \d+> .*Relevanz \d+ %/);
  });
});
