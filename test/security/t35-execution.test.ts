import { describe, expect, test } from "@jest/globals";
import type { ToolChoices } from "../../src/permissions/enabled-tools.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { MemoryDirectory } from "../fakes/memory-directory.ts";
import { person, place } from "../fakes/people.ts";
import { attack, everythingOn } from "./attacked-agent.ts";

const bob = person("bob");
const general = place("general", "public");
const directory = new MemoryDirectory([bob], [general]);

/** Two tools that note each execution. */
function noting() {
  const ran: string[] = [];
  const tool = (name: string) =>
    defineTool({
      name,
      description: "Notes that it ran.",
      parameters: { type: "object", properties: {} },
      annotations: { readOnly: true },
      execute: async () => {
        ran.push(name);
        return text("Ran.");
      },
    });
  const plugin: Plugin = { name: "noting", tools: [tool("first_tool"), tool("second_tool")] };
  return { ran, plugins: [plugin] };
}

async function callsOf(names: readonly string[][], restrict: (all: ToolChoices, step: number) => ToolChoices = (all) => all) {
  const { ran, plugins } = noting();
  const steps = names.map((step) => step.map((name) => ({ name, params: {} })));
  const choices = (step: number) => restrict(everythingOn(plugins), step);
  const { answer, offered } = await attack({ plugins, directory, person: bob, place: general, steps, choices });
  return { ran, offered, verdicts: answer.tools.map(({ name, status }) => `${name} ${status}`) };
}

const only = (name: string) => new Set([name]);

describe("T35: a tool is checked when it is called, not only when it is listed", () => {
  test("an enabled tool runs", async () => {
    const { ran, verdicts } = await callsOf([["first_tool"]]);
    expect([ran, verdicts]).toEqual([["first_tool"], ["first_tool success"]]);
  });

  test.each<[string, (all: ToolChoices) => ToolChoices]>([
    ["not allowed in the workspace", (all) => ({ ...all, allowed: only("first_tool") })],
    ["not part of the channel's assistant", (all) => ({ ...all, template: only("first_tool") })],
    ["for admins only", (all) => ({ ...all, leastRole: new Map([["second_tool", "admin"]]) })],
    ["locked by an admin", (all) => ({ ...all, switchedOff: { ...all.switchedOff, admin: only("second_tool") } })],
    ["switched off in the channel", (all) => ({ ...all, switchedOff: { ...all.switchedOff, channel: only("second_tool") } })],
    ["switched off in the thread", (all) => ({ ...all, switchedOff: { ...all.switchedOff, thread: only("second_tool") } })],
    ["switched off by the person", (all) => ({ ...all, switchedOff: { ...all.switchedOff, person: only("second_tool") } })],
    ["locked under another spelling", (all) => ({ ...all, switchedOff: { ...all.switchedOff, admin: only("Second-Tool") } })],
  ])("a tool that is %s is neither offered nor run, and the trace says denied; the other one runs", async (_, restrict) => {
    const { ran, offered, verdicts } = await callsOf([["first_tool", "second_tool"]], restrict);
    expect(offered[0]).toEqual(["first_tool"]);
    expect(ran).toEqual(["first_tool"]);
    expect(verdicts.sort()).toEqual(["first_tool success", "second_tool denied"]);
  });

  test.each(["never_listed", "FIRST_TOOL", "first-tool", "noting__first_tool", "__proto__", "constructor", ""])(
    "the name %j, which no tool has, runs nothing",
    async (name) => {
      const { ran, verdicts } = await callsOf([[name]]);
      expect([ran, verdicts]).toEqual([[], [`${name} denied`]]);
    },
  );

  test("switched off between two rounds, it runs in the first and not in the second", async () => {
    const { ran, verdicts } = await callsOf([["first_tool"], ["first_tool", "second_tool"]], (all, step) =>
      step < 2 ? all : { ...all, switchedOff: { ...all.switchedOff, channel: only("first_tool") } },
    );
    expect(ran).toEqual(["first_tool", "second_tool"]);
    expect(verdicts).toContain("first_tool denied");
  });

  test("switched on between two rounds, it runs in the second", async () => {
    const { ran } = await callsOf([["second_tool"], ["second_tool"]], (all, step) =>
      step < 2 ? { ...all, allowed: only("first_tool") } : all,
    );
    expect(ran).toEqual(["second_tool"]);
  });
});
