import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { redirectPath } from "../../src/api/install/install-door.ts";
import { slackPath } from "../../src/bot/in/slack-app.ts";
import { requiredScopes } from "../../src/bot/workspace/scopes.ts";
import { manifestFor, manifestPaths } from "../../src/cli/manifest.ts";
import { commandLine } from "../../src/cli/program.ts";
import { complaints } from "./slack-manifest-form.ts";

const source = readFileSync(join(import.meta.dirname, "../../manifest.yml"), "utf8");
const address = "https://footnote.example";
const events = `${address}/slack/events`;
const redirect = `${address}/slack/oauth_redirect`;

/** What `footnote manifest` prints with these arguments, and its exit status. */
async function printed(...args: string[]): Promise<{ readonly text: string; readonly side: string; readonly status: number }> {
  const out: string[] = [];
  const side: string[] = [];
  const never = () => Promise.reject(new Error("not needed"));
  const parts = { start: never, migrate: never, doctor: never, evaluate: never, connect: never, manifest: async () => source };
  const write = (pieces: string[]) => ({ write: (text: string) => void pieces.push(text) });
  const line = commandLine({
    ...parts,
    config: { callerFolder: "/" },
    out: write(out),
    side: write(side),
    signal: new AbortController().signal,
  });
  const status = await line.run(["manifest", ...args]);
  return { text: out.join(""), side: side.join(""), status };
}

describe("the manifest that is printed", () => {
  test.each([[], ["--http", address], ["--install", address], ["--http", address, "--install", address]])(
    "is one that Slack takes, with its reasons: %j",
    async (...args) => {
      const { text, status } = await printed(...args);
      expect({ status, complaints: complaints(parse(text)) }).toEqual({ status: 0, complaints: [] });
      expect(text).toContain("- users:read # ");
      const json = await printed(...args, "--json");
      expect(JSON.parse(json.text)).toEqual(parse(text));
    },
  );

  test("as it is: Socket Mode, one workspace, no addresses, tokens that stay", async () => {
    const { text } = await printed();
    expect(text).not.toMatch(/https?:\/\/(?!api\.slack\.com\/apps)/);
    expect(parse(text).settings).toMatchObject({ socket_mode_enabled: true, org_deploy_enabled: false, token_rotation_enabled: false });
  });

  test("over HTTP: everything is posted where the program takes it", async () => {
    const manifest = parse((await printed("--http", `${address}/`)).text);
    expect(manifest.settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: events },
      interactivity: { is_enabled: true, request_url: events },
    });
    const urls = manifest.features.slash_commands.map(({ url }: { url: string }) => url);
    expect(urls.length).toBeGreaterThan(0);
    expect(new Set(urls)).toEqual(new Set([events]));
    expect(manifest.oauth_config.redirect_urls).toEqual([redirect]);
    expect(manifestPaths).toEqual({ events: slackPath, redirect: redirectPath });
  });

  test("for installing from the page: organisations too, tokens that are renewed, over Socket Mode as well", async () => {
    const manifest = parse((await printed("--install", address)).text);
    expect(manifest.settings).toMatchObject({ socket_mode_enabled: true, org_deploy_enabled: true, token_rotation_enabled: true });
    expect(manifest.oauth_config.redirect_urls).toEqual([redirect]);
    expect(manifest.settings.event_subscriptions).not.toHaveProperty("request_url");
  });

  test("a public address with a path of its own keeps it", () => {
    const manifest = parse(manifestFor(source, { http: "https://example.com/footnote/" }));
    expect(manifest.settings.event_subscriptions.request_url).toBe("https://example.com/footnote/slack/events");
  });

  test.each([
    "http://footnote.example",
    "footnote.example",
    "https://user:secret@footnote.example",
    "https://footnote.example/?x=1",
    "javascript:alert(1)",
  ])("an address that Slack does not take is refused: %s", async (wrong) => {
    for (const option of ["--http", "--install"]) {
      const { text, side, status } = await printed(option, wrong);
      expect({ text, status }).toEqual({ text: "", status: 1 });
      expect(side).toContain("must be the https address");
      expect(side).not.toContain("secret");
    }
  });

  test("asks for exactly the scopes that the page asks for and that are explained when missing", () => {
    expect(parse(source).oauth_config.scopes.bot).toEqual(requiredScopes);
  });

  test("is for the agent view, with events for it and none of the assistant view", () => {
    const { features, settings } = parse(source);
    expect(features).toHaveProperty("agent_view");
    expect(features).not.toHaveProperty("assistant_view");
    expect(settings.event_subscriptions.bot_events.filter((event: string) => event.startsWith("assistant_"))).toEqual([]);
  });
});

describe("the form it is held against", () => {
  test.each([
    ["a name that is too long", (manifest: ReturnType<typeof parse>) => (manifest.display_information.name = "F".repeat(36))],
    ["a command without its slash", (manifest) => (manifest.features.slash_commands[0].command = "footnote")],
    ["an address without https", (manifest) => (manifest.settings.interactivity.request_url = "http://footnote.example")],
    ["a setting that does not exist", (manifest) => (manifest.settings.socket_mode = true)],
    ["an event twice", (manifest) => manifest.settings.event_subscriptions.bot_events.push("app_mention")],
  ] as [string, (manifest: ReturnType<typeof parse>) => unknown][])("finds %s", (_what, spoil) => {
    const manifest = parse(source);
    spoil(manifest);
    expect(complaints(manifest)).toHaveLength(1);
  });
});
