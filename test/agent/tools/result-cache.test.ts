import { describe, expect, test } from "@jest/globals";
import { ResultCache } from "../../../src/agent/tools/result-cache.ts";
import { personId } from "../../../src/core/ids.ts";
import { everyone } from "../../../src/core/principal.ts";
import { audienceOf } from "../../../src/permissions/audience.ts";
import type { Tool, ToolContext } from "../../../src/plugins/contract.ts";
import { failure, text } from "../../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { contextFor, globex } from "../../fakes/tool-context.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { agent, tool } from "../setup.ts";

const fresh = { effect: "read-outside", freshMs: 60_000 } as const;

function setup(more: Partial<Tool> = {}) {
  const clock = new ManualClock();
  const cache = new ResultCache(clock);
  const reads = tool("reads", async () => text("unused"), { ...fresh, ...more });
  let ran = 0;
  /** Which run gave the result: 1 for the first. */
  const get = async (params: unknown = { q: "a" }, changes: Partial<ToolContext> = {}, of: Tool = reads) =>
    Number((await cache.get(of, params, contextFor([everyone], changes), async () => text(String(++ran)))).content);
  return { clock, cache, reads, get, ran: () => ran };
}

describe("a result is used again", () => {
  test("for the same question of the same readers, with keys in any order, as long as it is fresh", async () => {
    const { get, clock } = setup();
    expect([await get({ a: 1, b: 2 }), await get({ b: 2, a: 1 })]).toEqual([1, 1]);
    clock.advance(60_001);
    expect(await get({ a: 1, b: 2 })).toBe(2);
  });

  test.each<readonly [string, unknown, Partial<ToolContext>, Partial<Tool>]>([
    ["T07: another workspace", { q: "a" }, { tenant: globex }, {}],
    ["T07: other readers", { q: "a" }, { audience: audienceOf([]) }, {}],
    ["other arguments", { q: "b" }, {}, {}],
    ["other settings", { q: "a" }, { settings: { key: "other" } }, {}],
    ["T26: another form of the tool", { q: "a" }, {}, { description: "Tool reads!" }],
    ["a tool of that name of another server", { q: "a" }, {}, { server: "Tracker" }],
  ])("never for %s", async (_, params, changes, more) => {
    const { get, reads } = setup();
    await get();
    expect(await get(params, changes, { ...reads, ...more })).toBe(2);
    expect(await get()).toBe(1);
  });

  test("T08: never for another person, where each calls with a log-in of their own", async () => {
    const own = setup({ login: { server: "tracker", title: "Tracker", ready: async () => true } });
    expect([await own.get(), await own.get({ q: "a" }, { person: personId("U_OTHER") })]).toEqual([1, 2]);
    const shared = setup();
    expect([await shared.get(), await shared.get({ q: "a" }, { person: personId("U_OTHER") })]).toEqual([1, 1]);
  });

  test.each<readonly [string, Partial<Tool>]>([
    ["that says nothing of freshness", { effect: "read-outside" }],
    ["that changes something", { effect: "side-effect", freshMs: 60_000 }],
    ["of which nobody has said what it does", { effect: "unknown", freshMs: 60_000 }],
  ])("never of a tool %s", async (_, more) => {
    const { get, reads } = setup();
    const { freshMs: _none, ...plain } = reads;
    expect([await get({}, {}, { ...plain, ...more }), await get({}, {}, { ...plain, ...more })]).toEqual([1, 2]);
  });

  test("never when it failed", async () => {
    const { cache, reads, get } = setup();
    await cache.get(reads, { q: "a" }, contextFor([everyone]), async () => failure("TOOL_ERROR", "down"));
    expect(await get()).toBe(1);
  });
});

test("the trace of the second answer shows what was saved", async () => {
  let ran = 0;
  const reads = tool("reads", async () => text(`Call ${++ran}.`), fresh);
  const model = new ScriptedModel(calls(call("reads")), says("One."), calls(call("reads")), says("Two."));
  const { ask, traces } = agent({ model, tools: [reads] });
  await ask();
  await ask();
  expect(ran).toBe(1);
  const saved = traces.flatMap(({ entries }) => entries).flatMap((entry) => (entry.kind === "tool" ? [entry.savedMs] : []));
  expect(saved).toEqual([undefined, expect.any(Number)]);
});
