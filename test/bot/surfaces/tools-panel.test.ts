import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { ModalView } from "@slack/types";
import { blockMistakes } from "../../../playground/server/block-limits.ts";
import { checkView } from "../../../playground/server/limits.ts";
import type { Json } from "../../../playground/server/state.ts";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { newId } from "../../../src/core/ids.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, cellar, guest, hall, member, owner, thread, toolNamed } from "./surface-bench.ts";

describe.each(testDatabases)("the panel of tools on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(() => bench.reset());

  const inThread = { at: { channel: hall, thread } };
  const flip = (value: string, more: Partial<Click> = {}) => bench.click(member, "tool_switch", { view: bench.top, value, ...more });
  const switchedOff = async () => {
    const { switchedOff: off } = await bench.choices().read(hall, member.id, thread);
    return Object.entries(off).flatMap(([scope, tools]) => [...tools].map((tool) => `${tool} ${scope}`));
  };

  test("below an answer it switches for the thread, and back again; the log says so", async () => {
    expect(await bench.click(member, "show_tools", inThread)).toContain("This thread");
    expect(await flip("off web_search")).toContain("Web search is switched off in this thread; anybody in the thread can switch it on.");
    expect(await switchedOff()).toEqual(["web_search thread"]);
    expect(await flip("on web_search")).toContain("Switched on.");
    expect(await switchedOff()).toEqual([]);
    expect(await bench.audit()).toEqual([
      `${member.id} tool-off web_search thread ${hall} ${thread} done`,
      `${member.id} tool-on web_search thread ${hall} ${thread} done`,
    ]);
  });

  test("the broader scope is the reason; what else is off is said, too, and nothing is offered that would change nothing", async () => {
    for (const at of [{ scope: "admin" }, { scope: "channel", channel: hall }, { scope: "person", person: member.id }] as const)
      await bench.choices().switchOff("web_search", at);
    const seen = await bench.click(member, "show_tools", inThread);
    expect(seen).toContain("Web search is locked by an admin; only a workspace admin can unlock it.");
    expect(seen).toContain("Also off for: This channel, Only me.");
    expect(JSON.stringify(bench.shown.at(-1)?.view)).not.toContain("off web_search");
  });

  describe("a forged click changes nothing and is noted, without what it carried", () => {
    const forged: readonly (readonly [string, () => Partial<Click>, string])[] = [
      ["another person's panel", () => ({ person: guest.id }), `${guest.id} tool-off web_search refused`],
      ["a tool that does not exist", () => ({ value: "off rm_rf" }), `${member.id} tool-off unknown refused`],
      ["something that is no tool", () => ({ value: "off <@U1> my secret" }), `${member.id} tool-off unknown refused`],
      ["no panel at all", () => ({ view: { ...bench.top, metadata: "" } }), `${member.id} tool-off web_search refused`],
      ["a panel that is no panel", () => ({ view: { ...bench.top, metadata: '{"person":' } }), `${member.id} tool-off web_search refused`],
      [
        "a channel that they do not read",
        () => ({ view: { ...bench.top, metadata: bench.top.metadata.replace(hall, cellar) } }),
        `${member.id} tool-off web_search refused`,
      ],
      [
        "a scope that is not theirs",
        () => ({
          view: { ...bench.top, metadata: bench.top.metadata.replace('"thread"}', '"x"}').replace('"scope":"thread"', '"scope":"admin"') },
        }),
        `${member.id} tool-lock web_search admin ${hall} ${thread} refused`,
      ],
    ];
    test.each(forged)("%s", async (_, forge, noted) => {
      await bench.click(member, "show_tools", inThread);
      await flip("off web_search", forge());
      expect(await switchedOff()).toEqual([]);
      expect((await bench.choices().read(hall, guest.id, thread)).switchedOff.person.size).toBe(0);
      expect(await bench.audit()).toEqual([noted]);
    });

    test("a tool that an admin has locked", async () => {
      await bench.click(member, "show_tools", inThread);
      await bench.choices().switchOff("web_search", { scope: "admin" });
      const seen = await flip("on web_search");
      expect(seen).toContain("This is not yours to change.");
      expect(await switchedOff()).toEqual(["web_search admin"]);
      expect(await bench.audit()).toEqual([`${member.id} tool-on web_search thread ${hall} ${thread} refused`]);
    });

    test("one of another workspace: not even the log of this one hears of it", async () => {
      await bench.click(admin, "show_tools", inThread);
      await bench.click(admin, "tool_switch", { view: bench.top, value: "off web_search", tenant: bench.other });
      expect([await switchedOff(), await bench.audit()]).toEqual([[], []]);
    });
  });

  test("the same click delivered twice is carried out once", async () => {
    await bench.click(member, "show_tools", inThread);
    const [view, trigger] = [bench.top, newId()];
    await Promise.all([flip("off web_search", { view, trigger }), flip("off web_search", { view, trigger })]);
    expect(await bench.audit()).toHaveLength(1);
  });

  test("when the trigger has expired, the person is told; when it was used, nothing more happens", async () => {
    bench.refusals = ["expired_trigger_id"];
    await bench.click(member, "show_tools", inThread);
    expect(bench.told).toEqual([{ to: member.id, text: expect.stringContaining("Please click again") }]);
    bench.refusals = ["exchanged_trigger_id"];
    await bench.click(member, "show_tools", inThread);
    expect(bench.told).toHaveLength(1);
  });

  test("a panel that has changed meanwhile is drawn again as things stand; a closed one is left alone", async () => {
    await bench.click(member, "show_tools", inThread);
    bench.refusals = ["hash_conflict"];
    expect(await flip("off web_search")).toContain("switched off in this thread");
    bench.refusals = ["not_found"];
    expect(await flip("on web_search")).toBe("");
    expect(await switchedOff()).toEqual([]);
  });

  test("somebody who has lost their role since it was opened sees the narrower scopes only", async () => {
    await bench.click(admin, "show_tools", inThread);
    await bench.click(admin, "tools_scope", { view: bench.top, value: "admin" });
    expect(bench.top.metadata).toContain('"scope":"admin"');
    bench.people = bench.people.map((each) => (each.id === admin.id ? { ...each, role: "member" } : each));
    const seen = await bench.click(admin, "tool_switch", { view: bench.top, value: "off web_search" });
    expect(seen).not.toContain("The whole workspace");
    expect(await switchedOff()).toEqual([]);
    expect(await bench.audit()).toEqual([`${admin.id} tool-lock web_search admin ${hall} ${thread} refused`]);
  });

  test("a hundred and thirty tools come in pages within Slack's limits, names of any length shortened", async () => {
    const title = "A very long title of a tool that goes on and on, far beyond what a button of Slack takes ".repeat(2);
    bench.tools = Array.from({ length: 130 }, (_, index) => toolNamed(`tool_${index}`, { annotations: { title } }));
    expect(await bench.click(owner, "show_tools", { at: { channel: hall } })).toContain("Page 1 of 7");
    for (let page = 2; page <= 7; page++) {
      const seen = await bench.click(owner, "tools_next", { view: bench.top, value: String(page - 1) });
      expect(seen).toContain(`Page ${page} of 7`);
      const view = bench.shown.at(-1)?.view as ModalView;
      expect(blockMistakes(view.blocks as unknown as Json[])).toEqual([]);
      checkView(view as unknown as Json, "modal");
    }
    expect(await bench.click(owner, "tools_next", { view: bench.top, value: "999" })).toContain("Page 7 of 7");
    bench.tools = [toolNamed("query_documents"), toolNamed("web_search", { annotations: { title: "Web search" } })];
  });

  test("where the bot cannot look, it is about the direct messages", async () => {
    expect(await bench.click(member, "show_tools", { at: { channel: cellar } })).toContain("in our direct messages");
  });
});
