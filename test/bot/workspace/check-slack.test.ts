import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { FakeSlack } from "../../../playground/server/fake-slack.ts";
import { checkAppToken, checkBotToken, checkOAuth } from "../../../src/bot/workspace/check-slack.ts";
import { optionalScopes, requiredScopes } from "../../../src/bot/workspace/scopes.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { Secret } from "../../../src/core/secret.ts";

let slack: FakeSlack | undefined;
afterEach(() => slack?.stop());

const start = async (scopes: readonly string[] = requiredScopes) => {
  slack = await FakeSlack.start({ seed: { workspaces: [{ name: "acme", title: "Acme", people: [], channels: [], scopes }] } });
  return { slack, checks: { apiUrl: slack.apiUrl, clock: systemClock }, token: new Secret(slack.workspace("acme").botToken) };
};
/** A clock that is ahead of the machine's, or behind. */
const off = (seconds: number) => ({ ...systemClock, now: () => new Date(systemClock.now().getTime() + seconds * 1000) });

test("the scopes that are asked for are those of the manifest", () => {
  const manifest = readFileSync(join(import.meta.dirname, "../../../manifest.yml"), "utf8");
  const [, block = ""] = /^ *bot:\n((?: +- .*\n)+)/m.exec(manifest) ?? [];
  expect(requiredScopes).toEqual([...block.matchAll(/- (\S+)/g)].map(([, scope]) => scope));
});

describe("a bot token", () => {
  test("with every scope is fine, under the operator's name or Slack's", async () => {
    const { checks, token } = await start();
    expect(await checkBotToken(token, "acme", checks)).toMatchObject([
      { name: "Slack acme", status: "ok", summary: expect.stringContaining("of Acme, with all") },
      { name: "Clock", status: "ok" },
    ]);
    expect((await checkBotToken(token, undefined, checks))[0]?.name).toBe("Slack Acme");
  });

  test("that lacks scopes is told which, and where to add them", async () => {
    const { checks, token } = await start(requiredScopes.filter((scope) => !["im:history", "users:read"].includes(scope)));
    const [check] = await checkBotToken(token, "acme", checks);
    expect(check).toMatchObject({
      status: "failed",
      summary: expect.stringMatching(/^The token of Acme lacks the scopes im:history, users:read\./),
    });
    expect(check?.mend).toMatch(/OAuth & Permissions.*reinstall/);
  });

  test.each([
    ["that has all it needs", requiredScopes, "ok"],
    ["that lacks one, too", requiredScopes.filter((scope) => scope !== "im:history"), "failed"],
  ])("%s is told which tool cannot be used without a scope that is not asked for", async (_, scopes, status) => {
    const [optional] = optionalScopes;
    const without = await start(scopes);
    expect((await checkBotToken(without.token, "acme", without.checks))[0]).toMatchObject({
      ...{ status, summary: expect.stringContaining(`Without ${optional?.scope}, which is not asked for, ${optional?.tool}`) },
    });
    await without.slack.stop();
    const given = await start([...scopes, ...optionalScopes.map(({ scope }) => scope)]);
    expect((await checkBotToken(given.token, "acme", given.checks))[0]?.summary).not.toContain("not asked for");
  });

  test("that Slack refuses is told with Slack's reason, never with the token", async () => {
    const { checks } = await start();
    const checked = await checkBotToken(new Secret("xoxb-canary"), "acme", checks);
    expect(checked).toMatchObject([
      { status: "failed", summary: "Slack does not accept the bot token (invalid_auth).", mend: expect.any(String) },
    ]);
    expect(JSON.stringify(checked)).not.toContain("canary");
  });

  test.each([
    ["nobody listens", "http://127.0.0.1:1/api/"],
    ["somebody else listens", "/elsewhere/"],
  ])("cannot be checked where %s", async (_, apiUrl) => {
    const { checks, token } = await start();
    const address = apiUrl.startsWith("/") ? checks.apiUrl.replace("/api/", apiUrl) : apiUrl;
    expect(await checkBotToken(token, "acme", { ...checks, apiUrl: address })).toMatchObject([
      { status: "failed", summary: "Slack cannot be reached." },
    ]);
  });

  test.each([
    [10, "ok", /./],
    [60, "warning", /6\d s ahead of Slack's/],
    [-360, "failed", /3\d\d s behind Slack's/],
  ])("shows a clock that is off by %i s", async (seconds, status, said) => {
    const { checks, token } = await start();
    const [, clock] = await checkBotToken(token, "acme", { ...checks, clock: off(seconds) });
    expect(clock).toMatchObject({ name: "Clock", status, summary: expect.stringMatching(said) });
  });
});

describe("an app-level token", () => {
  test("that Slack accepts is fine; another one, and a bot token in its place, are not", async () => {
    const { slack: fake, checks, token } = await start();
    expect(await checkAppToken(new Secret(fake.appToken), checks)).toMatchObject({ name: "Slack app", status: "ok" });
    for (const wrong of [new Secret("xapp-canary"), token]) {
      const check = await checkAppToken(wrong, checks);
      expect(check).toMatchObject({ status: "failed", mend: expect.stringContaining("connections:write") });
      expect(JSON.stringify(check)).not.toMatch(/canary|xox/);
    }
    expect(await checkAppToken(token, { ...checks, apiUrl: "http://127.0.0.1:1/api/" })).toMatchObject({
      summary: "Slack cannot be reached.",
    });
  });
});

describe("installing from the page", () => {
  const page = "https://footnote.example/slack/install";

  test("with Slack's client id and secret is fine, and says for whom", async () => {
    const { slack, checks } = await start();
    const settings = { clientId: slack.oauth.clientId, clientSecret: new Secret(slack.oauth.clientSecret) };
    expect(await checkOAuth(settings, page, checks)).toMatchObject({
      status: "ok",
      summary: `Slack accepts the client id and secret. At ${page}: every workspace that Slack lets.`,
    });
    expect((await checkOAuth({ ...settings, allowed: ["T1", "E1"] }, page, checks)).summary).toContain(
      "2 listed by FOOTNOTE_INSTALL_ALLOWED",
    );
    expect((await checkOAuth(settings, page, { ...checks, apiUrl: "http://127.0.0.1:1/api/" })).summary).toBe("Slack cannot be reached.");
  });

  test.each([
    ["client id", (slack: FakeSlack) => ({ clientId: "1.2", clientSecret: new Secret(slack.oauth.clientSecret) }), "invalid_client_id"],
    ["secret", (slack: FakeSlack) => ({ clientId: slack.oauth.clientId, clientSecret: new Secret("canary-secret") }), "bad_client_secret"],
  ])("with a wrong %s it is told so, never with the secret", async (_what, settings, reason) => {
    const { slack, checks } = await start();
    const check = await checkOAuth(settings(slack), page, checks);
    expect(check).toMatchObject({ status: "failed", summary: expect.stringContaining(reason), mend: expect.any(String) });
    expect(JSON.stringify(check)).not.toContain("canary");
  });
});
