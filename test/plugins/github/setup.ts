import { afterEach, beforeEach } from "@jest/globals";
import type { Tool, ToolContext } from "../../../src/plugins/contract.ts";
import { github } from "../../../src/plugins/github/plugin.ts";
import { OutsideWorld } from "../../fakes/outside-world.ts";
import { contextFor } from "../../fakes/tool-context.ts";
import { gitHub } from "./recorded.ts";

/** One of the plugin's tools in a world in which GitHub answers. */
export function inGitHub(name: string) {
  const state = {} as { world: OutsideWorld; tool: Tool };
  beforeEach(async () => {
    state.world = await OutsideWorld.start({ internalOrigins: ["https://github.internal"] });
    gitHub(state.world);
    const tool = github(state.world.fetch).tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no ${name}.`);
    state.tool = tool;
  });
  afterEach(() => state.world.stop());
  const context = (changes: Partial<ToolContext> = {}) => contextFor(["everyone"], { settings: { token: "ghp_canary" }, ...changes });
  const call = (params: unknown, changes: Partial<ToolContext> = {}) => state.tool.execute(params, context(changes));
  return { state, context, call };
}
