import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../src/config.ts";
import { Secret } from "../../src/core/secret.ts";
import type { Settings } from "../../src/plugins/contract.ts";
import { github } from "../../src/plugins/github/plugin.ts";
import { withOperatorSettings } from "../../src/plugins/operator-settings.ts";
import { web } from "../../src/plugins/web/plugin.ts";
import { OutsideWorld } from "../fakes/outside-world.ts";
import { contextFor } from "../fakes/tool-context.ts";

let world: OutsideWorld;
beforeEach(async () => {
  world = await OutsideWorld.start();
});
afterEach(() => world.stop());

/** Calls a tool as a workspace with these settings of its own, where the operator has set the others. */
async function call(name: string, operator: Record<string, string>, own: Settings): Promise<void> {
  const reader = { extract: () => Promise.reject(new Error("No page is read here.")) };
  const given = new Map(Object.entries(operator).map(([key, value]) => [key, new Secret(value)]));
  const plugins = withOperatorSettings([web({ safeFetch: world.fetch, reader }), github(world.fetch)], given);
  const tool = plugins.flatMap(({ tools }) => tools).find((each) => each.name === name);
  await tool?.execute({ query: "planner" }, contextFor(["everyone"], { settings: own }));
}
const canaries = () => world.visits.filter((visit) => JSON.stringify(visit).includes("canary")).map(({ headers }) => headers.host);

describe("T45: an operator's key never goes to an address that somebody else has set", () => {
  test("search: a workspace's SearXNG is not asked with, nor instead of, the operator's service", async () => {
    await call("web_search", { WEB_BRAVE_KEY: "canary" }, { provider: "searxng", searxng_url: "https://evil.example" });
    expect(canaries()).toEqual(["api.search.brave.com"]);
    expect(world.lookups).toEqual(["api.search.brave.com"]);
  });

  test("GitHub: a workspace's address does not get the operator's token; with a token of its own it is used", async () => {
    await call("github_search_repositories", { GITHUB_TOKEN: "canary" }, { api_url: "https://evil.example" });
    expect(canaries()).toEqual(["api.github.com"]);
    await call("github_search_repositories", {}, { api_url: "https://own.example", token: "own" });
    expect(world.visits.at(-1)?.headers).toMatchObject({ host: "own.example", authorization: "Bearer own" });
  });

  test("what looks like a variable stays what it is", async () => {
    process.env.T45_CANARY = "canary";
    const literal = `$${"{T45_CANARY}"}`;
    try {
      await call("github_search_repositories", {}, { token: literal, api_url: `https://own.example/$T45_CANARY/${literal}` });
      expect(canaries()).toEqual([]);
      expect(world.visits[0]?.headers.authorization).toBe(`Bearer ${literal}`);
    } finally {
      delete process.env.T45_CANARY;
    }
  });

  test("the model's key does not go to the fallback's address, nor to the embedder's; to the same address it does", () => {
    const base = { OPENAI_API_KEY: "canary", OPENAI_FALLBACK_MODEL: "small", FOOTNOTE_EMBEDDER: "openai", FOOTNOTE_EMBEDDING_MODEL: "e" };
    const elsewhere = loadConfig({
      ...base,
      FOOTNOTE_FALLBACK_BASE_URL: "https://other.example/v1",
      FOOTNOTE_EMBEDDING_BASE_URL: "https://other.example/v1",
    });
    expect(elsewhere.model?.fallback).toEqual({ name: "small", baseUrl: "https://other.example/v1" });
    expect(elsewhere.embedder).not.toHaveProperty("apiKey");
    const same = loadConfig(base);
    expect(same.model?.fallback?.apiKey?.reveal()).toBe("canary");
    expect(same.embedder).toHaveProperty("apiKey");
  });
});
