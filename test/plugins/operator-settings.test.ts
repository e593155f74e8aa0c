import { describe, expect, test } from "@jest/globals";
import { Secret } from "../../src/core/secret.ts";
import type { Plugin, Settings } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { withOperatorSettings } from "../../src/plugins/operator-settings.ts";
import { contextFor } from "../fakes/tool-context.ts";

/** A plugin whose tool tells the settings it was given. */
const telling = (name: string): Plugin => ({
  name,
  tools: [
    defineTool({
      name: name.replaceAll("-", "_"),
      description: "Tells its settings.",
      parameters: { type: "object", properties: {} },
      configure: (settings) => JSON.stringify(settings),
      execute: async (_, { settings }) => text(JSON.stringify(settings)),
    }),
  ],
});
const told = async (plugin: Plugin | undefined, tenant: Settings) => {
  const [tool] = plugin?.tools ?? [];
  const result = await tool?.execute({}, contextFor([], { settings: tenant }));
  expect(tool?.configure?.(tenant)).toBe(result?.content);
  return JSON.parse(result?.content ?? "null");
};
const given = (settings: Record<string, string>) => new Map(Object.entries(settings).map(([key, value]) => [key, new Secret(value)]));

test("a plugin gets the operator's settings under their own names, and no other plugin's", async () => {
  const [world, clock] = withOperatorSettings(
    [telling("world"), telling("world-clock")],
    given({ WORLD_CLOCK_API_KEY: "key-canary", WORLD_COLOUR: "blue" }),
  );
  expect(await told(world, {})).toEqual({ colour: "blue" });
  expect(await told(clock, {})).toEqual({ api_key: "key-canary" });
});

test("a tenant's address never gets the operator's key: the operator's settings replace the tenant's; without any, the tenant's count", async () => {
  const [search, other] = withOperatorSettings([telling("search"), telling("other")], given({ SEARCH_API_KEY: "key-canary" }));
  const tenant = { base_url: "https://evil.example" };
  expect(await told(search, tenant)).toEqual({ api_key: "key-canary" });
  expect(await told(other, tenant)).toEqual(tenant);
});

test("a setting of no plugin is a mistake that names those there are, and never shows the value", () => {
  const make = () => withOperatorSettings([telling("world-clock")], given({ WORLD_CLOK_KEY: "key-canary", WORLD_CLOCK_: "x" }));
  expect(make).toThrow(
    "FOOTNOTE_PLUGIN_WORLD_CLOK_KEY, FOOTNOTE_PLUGIN_WORLD_CLOCK_: there is no such plugin. After FOOTNOTE_PLUGIN_ may come: WORLD_CLOCK.",
  );
  expect(make).not.toThrow("canary");
});

describe("settings for single workspaces", () => {
  const acmes = new Map([["acme", given({ SEARCH_KEY: "acme-canary" })]]);
  const [search, other] = withOperatorSettings(
    [telling("search"), telling("other")],
    given({ SEARCH_KEY: "canary", SEARCH_URL: "u" }),
    acmes,
  );

  test("replace what is set for all, for that plugin and that workspace alone", async () => {
    expect(await told(search, { workspace: "acme" })).toEqual({ key: "acme-canary" });
    expect(await told(search, { workspace: "globex" })).toEqual({ key: "canary", url: "u" });
    expect(await told(other, { workspace: "acme" })).toEqual({ workspace: "acme" });
  });

  test("replace a tenant's own too, and mean nothing to other workspaces", async () => {
    const [alone] = withOperatorSettings([telling("search")], new Map(), acmes);
    expect(await told(alone, { workspace: "acme", url: "https://evil.example" })).toEqual({ key: "acme-canary" });
    expect(await told(alone, { workspace: "globex", url: "https://own.example" })).toEqual({
      workspace: "globex",
      url: "https://own.example",
    });
  });

  test("a name like those of objects is a name", async () =>
    expect(await told(search, { workspace: "__proto__" })).toEqual({ key: "canary", url: "u" }));

  test("of no plugin are a mistake, told with the workspace", () =>
    expect(() => withOperatorSettings([telling("other")], new Map(), acmes)).toThrow("SEARCH_KEY of acme: there is no such plugin."));
});
