import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { HomeView } from "@slack/types";
import { checkView } from "../../../playground/server/limits.ts";
import type { Json } from "../../../playground/server/state.ts";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { channelId, messageTs, newId, type PersonId } from "../../../src/core/ids.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, cellar, hall, identities, member, owner, wordsOf } from "./surface-bench.ts";

describe.each(testDatabases)("App Home on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(() => bench.reset());

  const open = async (who: { readonly id: PersonId }) => {
    bench.surface.homeOpened(bench.tenant, who.id);
    await bench.surface.drained();
    const last = bench.shown.at(-1);
    expect(last).toMatchObject({ how: "publish", to: who.id });
    checkView(last?.view as unknown as Json, "home");
    return wordsOf(last?.view);
  };
  const click = (who: { readonly id: PersonId }, action: string, more: Partial<Click>) => {
    const view = bench.shown.findLast(({ how }) => how === "publish")?.view as HomeView;
    return bench.click(who, action, { view: { id: "V1", hash: "h", kind: "home", metadata: view.private_metadata ?? "" }, ...more });
  };
  /** A question with its answer, as the program stores them. */
  const asked = async (question: string, at: number, by = member, where = hall) => {
    const ts = messageTs(`${at}.000100`);
    await bench.db.asOwner(
      `INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, status)
       VALUES ('${bench.tenant}', '${newId()}', '${newId()}', '${where}', '${ts}', '${ts}', '${by.id}', '${question}', 'answered')`,
    );
    return bench.answer(where, { message: ts, thread: ts, person: by.id, startedAt: new Date(at * 1_000) });
  };

  test("a member sees how to ask, their tools with the reasons why some are off, and their own answers, newest first", async () => {
    await bench.choices().switchOff("web_search", { scope: "admin" });
    await asked("<@U_FOOTNOTE> What about *leave* &lt;!channel&gt;?", 1_700_000_000);
    await asked("And shoes?", 1_700_000_100);
    await asked("What does the owner ask?", 1_700_000_200, owner);
    const seen = await open(member);
    expect(seen).toContain("Hello, member");
    expect(seen).toContain("/footnote ask");
    expect(seen).toContain("1 tool is ready for you.");
    expect(seen).toContain(":lock: `web_search` Web search is locked by an admin; only a workspace admin can unlock it.");
    expect(seen.indexOf("And shoes?")).toBeLessThan(seen.indexOf("What about"));
    expect(seen).not.toContain("<!channel>");
    expect(seen).not.toContain("owner ask");
    expect(seen).not.toContain("For admins");
  });

  test("everybody sees at which servers they are logged in themselves, and logs in and out there", async () => {
    expect(await open(member)).toMatch(/Your accounts elsewhere\n\*Calendar\* \(`calendar\.example`\)\nNot connected.*\nLog in/);
    expect(await click(member, "connection_log_in", { value: "calendar" })).toContain(`<https://footnote.test/login/${member.id}|`);
    expect(await click(member, "connection_log_in", { value: "another" })).not.toContain("https://");
    bench.loggedIn.add(`${bench.tenant} ${member.id}`).add(`${bench.tenant} ${owner.id}`);
    expect(await open(member)).toMatch(/Connected: .*\nLog out/);
    expect(await click(member, "connection_log_out", { value: "calendar" })).toContain("Not connected");
    expect(await open(owner)).toContain("Connected:");
  });

  test("a question that was answered again stands there once, with its last answer", async () => {
    const { message, thread } = await asked("Twice?", 1_700_000_000);
    const later = { ...(message && { message }), ...(thread && { thread }), startedAt: new Date(1_700_000_500_000) };
    const last = await bench.answer(hall, later);
    const seen = await open(member);
    expect(seen.match(/Twice\?/g)).toHaveLength(1);
    expect(JSON.stringify(bench.shown.at(-1)?.view)).toContain(last.id);
  });

  test("long lists have pages; the Sources button is the one of the answers", async () => {
    for (let index = 0; index < 12; index++) await asked(`Question ${index}?`, 1_700_000_000 + index);
    expect(await open(member)).toContain("Page 1 of 3");
    const second = await click(member, "home_next", { value: "recent 1" });
    expect(second).toContain("Page 2 of 3");
    expect(second).toContain("Question 6?");
    const trace = /"action_id":"show_sources".*?"value":"([^"]+)"/.exec(JSON.stringify(bench.shown.at(-1)?.view))?.[1] ?? "";
    expect(await bench.click(member, "show_sources", { value: trace })).toContain("Handbook");
  });

  test("an admin sees channels with their assistants, the policy, documents, how answers went, and the worst of them", async () => {
    const { id } = await asked("Bad?", Math.floor(bench.now() / 1_000) - 60);
    const feedback = (await bench.desk(bench.tenant)).feedback;
    await feedback.save({ trace: id, person: member.id, rating: "down", comment: "Wrong <!channel> year." });
    await (await bench.desk(bench.tenant)).commands.useTemplate({ key: "k", attempts: [] }, hall, "document-analysis");
    await bench.choices().switchOff("web_search", { scope: "admin" });
    const seen = await open(admin);
    expect(seen).toContain("<#C_HALL>\nDocument analysis");
    expect(seen).toContain("Locked for everybody: `web_search`.");
    expect(seen).toContain("Documents that you may read* (2)");
    expect(seen).toContain("1 answer, 0 failed");
    expect(seen).toContain(":thumbsdown: 1");
    expect(seen).toMatch(/> <@U_MEMBER>: Wrong .*channel.* year\./);
    expect(seen).not.toContain("<!channel>");
  });

  test("an admin chooses another assistant there, through the door of the command: stored, audited, shown", async () => {
    await (await bench.desk(bench.tenant)).commands.useTemplate({ key: "k", attempts: [] }, hall, "document-analysis");
    await open(admin);
    const seen = await click(admin, "channel_template", { block: `template ${hall} document-analysis`, value: "general" });
    expect(seen).toContain("<#C_HALL>\nGeneral assistant");
    expect(await bench.audit()).toEqual([`${admin.id} template-use general ${hall} done`]);
  });

  test.each([
    ["a channel that they are not in", `template ${cellar} general`, "general", "general"],
    ["a template that does not exist", `template ${hall} general`, "<@U1> secret", "unknown"],
    ["no channel at all", "", "general", "general"],
  ])("a forged choice for %s changes nothing and is noted", async (_, block, value, noted) => {
    await open(admin);
    expect(await click(admin, "channel_template", { block, value })).toContain("This is not yours to change.");
    expect(await bench.audit()).toEqual([`${admin.id} template-use ${noted} refused`]);
    expect(await (await bench.desk(bench.tenant)).templates.inChannel(channelId(cellar))).toBeUndefined();
  });

  test("a menu of templates offers what was typed, a hundred at most, and nothing to others", async () => {
    const { templates } = await bench.desk(bench.tenant);
    const rest = { instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [] } as const;
    for (let index = 0; index < 130; index++)
      await templates.apply({ ...rest, name: `team-${index}`, title: `A team with a long name ${index} ${"x".repeat(90)}` }, "operator");
    const suggest = (who: { readonly id: PersonId }, typed: string) =>
      bench.surface.suggest({ tenant: bench.tenant, person: who.id, typed });
    const all = await suggest(admin, "team");
    expect(all).toHaveLength(100);
    expect(Math.max(...all.map(({ text }) => text.text.length))).toBeLessThanOrEqual(75);
    expect((await suggest(admin, "TEAM-129")).map(({ value }) => value)).toEqual(["team-129"]);
    expect(await suggest(member, "team")).toEqual([]);
  });

  test("after a switch in the panel, an open Home shows it", async () => {
    await open(member);
    await bench.click(member, "show_tools", {});
    const seen = await bench.click(member, "tool_switch", { view: bench.top, value: "off web_search" });
    expect(seen).toContain("1 tool is ready for you.");
    expect(bench.shown.at(-1)).toMatchObject({ how: "publish", to: member.id });
  });

  test("strangers are told that it is not for them; bots and closed accounts see nothing of the workspace", async () => {
    for (const who of identities.slice(4)) expect(await open(who)).toBe("Footnote is for people of this workspace only.");
  });

  test("speaks the reader's language", async () => {
    bench.people = bench.people.map((each) => ({ ...each, locale: "de-DE" }));
    expect(await open(admin)).toMatch(/^Hallo, admin[\s\S]*Für Admins/);
  });
});
