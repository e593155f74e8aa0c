import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { controls, forms } from "../../../src/bot/surfaces/controls.ts";
import { newId, traceId } from "../../../src/core/ids.ts";
import type { ToggleScope } from "../../../src/permissions/toggles.ts";
import { documentIdOf, passageIdOf } from "../../fakes/memory-library.ts";
import { channel } from "../../fakes/people.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, hall, identities, member, thread } from "./surface-bench.ts";

/** What somebody's panel carries, opened in a thread of the hall. */
const panel = (person: string, scope: ToggleScope): NonNullable<Click["view"]> => ({
  ...{ id: "V1", hash: "h", kind: "modal" },
  metadata: JSON.stringify({ person, channel: hall, thread, direct: false, scope, page: 0 }),
});

describe.each(testDatabases)("who may do what on the %s database", (kind) => {
  let bench: Bench;
  let answer: string;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(async () => {
    await bench.reset();
    answer = (await bench.answer()).id;
  });

  const privately = new Set(["search_privately", "share_answer"]);
  /** What everybody in the hall may see. */
  const hallRules = [{ n: 1, id: passageIdOf("Hall rules", 1), relevance: 0.5, documentId: documentIdOf("Hall rules") }];
  let answers: Awaited<ReturnType<Bench["privateAnswers"]>> = new Map();
  const own = (person: string) => answers.get(person) ?? { turn: newId(), trace: newId() };

  type Row = readonly [name: string, action: string, more: (person: string) => Partial<Click>, allowed: RegExp, who: string];
  const at = { channel: hall, thread };
  const home = (block = "") => ({ view: { id: "V1", hash: "h", kind: "home" as const, metadata: "{}" }, block });
  /** Of owner, admin, member, guest, outsider, other bot, closed account: y is allowed, n is not. */
  const table: readonly Row[] = [
    ["sees sources", "show_sources", () => ({ value: answer, at }), /\[2\].*Hall rules/, "yyyynnn"],
    ["sees a workspace-wide source", "show_sources", () => ({ value: answer, at }), /\[1\].*Handbook/, "yyynnnn"],
    ["opens the tools", "show_tools", () => ({ at }), /Web search/, "yyyynnn"],
    ["looks at their own scope", "tools_scope", (id) => ({ view: panel(id, "thread"), value: "person" }), /Only me/, "yyyynnn"],
    ["looks at the workspace's scope", "tools_scope", (id) => ({ view: panel(id, "thread"), value: "admin" }), /\nLock/, "yynnnnn"],
    ["turns a page", "tools_next", (id) => ({ view: panel(id, "thread"), value: "1" }), /Web search/, "yyyynnn"],
    ["turns back", "tools_previous", (id) => ({ view: panel(id, "thread"), value: "0" }), /Web search/, "yyyynnn"],
    ["opens the tools from Home", "show_tools", () => home(), /Web search/, "yyyynnn"],
    ["opens the tool policy", "show_policy", () => home(), /\nLock/, "yynnnnn"],
    ["turns a page of Home", "home_next", () => ({ ...home(), value: "recent 1" }), /Hello/, "yyyynnn"],
    ["turns a page of Home back", "home_previous", () => ({ ...home(), value: "recent 0" }), /Hello/, "yyyynnn"],
    ["sees what is for admins in Home", "home_next", () => ({ ...home(), value: "worst 0" }), /For admins/, "yynnnnn"],
    [
      "chooses a channel's assistant",
      "channel_template",
      () => ({ ...home(`template ${hall} general`), value: "document-analysis" }),
      /<#C_HALL>\nDocument analysis/,
      "yynnnnn",
    ],
    ["gives a thumb up", "rate_answer", () => ({ value: `up ${answer}`, at }), /that is noted/, "yyyynnn"],
    ["gives a thumb down", "rate_answer", () => ({ value: `down ${answer}`, at }), /What was wrong/, "yyyynnn"],
    ["searches privately", "search_privately", (id) => ({ value: own(id).turn, at }), /on its way in our direct message/, "yyyynnn"],
    [
      "looks at what sharing would post",
      "share_answer",
      (id) => ({ value: own(id).trace, at: { channel: channel(`DM_${id}`) } }),
      /would be posted.*18 weeks/s,
      "yyyynnn",
    ],
    ...(["person", "thread", "channel", "admin"] as const).map(
      (scope): Row => [
        `switches in the scope ${scope}`,
        "tool_switch",
        (id) => ({ view: panel(id, scope), value: "off web_search" }),
        /(?:locked by an admin|switched off)/,
        scope === "person" || scope === "thread" ? "yyyynnn" : "yynnnnn",
      ],
    ),
  ];

  test("the table covers every button, menu and form", () => {
    // Of the two forms each has a test of its own: this one here, and test/bot/surfaces/private.test.ts.
    const covered = new Set([...table.map(([, action]) => action), "feedback_comment", "share_confirmed"]);
    expect([...covered].sort()).toEqual([...Object.keys(controls), ...Object.keys(forms)].sort());
  });

  test.each(identities.map((who, index) => [who.name, "yyyynnn"[index] === "y", who] as const))(
    "sends a comment (feedback_comment), the %s: %s",
    async (_name, may, who) => {
      const form = { ...panel(who.id, "person"), metadata: `down ${answer}` };
      await bench.click(who, "feedback_comment", { view: form, entered: new Map([["comment", "Wrong year."]]) });
      const { answers } = await (await bench.desk(bench.tenant)).feedback.worst({ limit: 9, offset: 0 });
      expect(answers.flatMap(({ comments }) => comments)).toEqual(may ? [{ person: who.id, text: "Wrong year." }] : []);
    },
  );

  describe.each(table)("%s (%s)", (_, action, more, allowed, verdicts) => {
    test.each(identities.map((who, index) => [who.name, verdicts[index] === "y", who] as const))("the %s: %s", async (_name, may, who) => {
      if (privately.has(action)) answers = await bench.privateAnswers(hallRules);
      const seen = await bench.click(who, action, more(who.id));
      expect(allowed.test(`${seen}${bench.told.map(({ text }) => text).join()}`)).toBe(may);
      const kept = await (await bench.desk(bench.tenant)).feedback.find(traceId(answer), who.id);
      expect(kept !== undefined).toBe(may && action === "rate_answer");
      const off = Object.values((await bench.choices().read(hall, who.id, thread)).switchedOff).some((set) => set.has("web_search"));
      expect(off).toBe(may && action === "tool_switch");
    });

    test("somebody of another workspace reaches nothing here", async () => {
      if (privately.has(action)) answers = await bench.privateAnswers(hallRules);
      const seen = await bench.click(admin, action, { ...more(admin.id), tenant: bench.other });
      expect(seen).not.toMatch(/Handbook|Hall rules|Web search/);
      expect(await bench.audit()).toEqual([]);
      expect((await bench.choices().read(hall, admin.id, thread)).switchedOff.admin.size).toBe(0);
    });
  });

  test("nobody learns that there is another door: a stranger and a closed account are told or given nothing", async () => {
    const sources = { value: answer, at };
    expect(await bench.click(identities[4] ?? member, "show_sources", sources)).toContain("for people of this workspace only");
    bench.people = [];
    expect(await bench.click(member, "show_sources", sources)).toContain("could not tell me just now who you are");
  });
});
