import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadConfig } from "../src/config.ts";

const folder = mkdtempSync(join(tmpdir(), "footnote-config-"));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const mistakesOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (thrown) {
    return String(thrown);
  }
  return "";
};

test("with nothing set it runs alone: no Slack, no model, embedded database, local embedder", () => {
  const config = loadConfig({});
  expect(config.slack).toBeUndefined();
  expect(config.model).toBeUndefined();
  expect(config.database.url).toBeUndefined();
  expect(config.embedder).toEqual({ kind: "local" });
  expect(config.home).toMatch(/\.footnote$/);
});

test("every mistake is named at once, with its mend and without the value", () => {
  const said = mistakesOf({
    SLACK_BOT_TOKEN: "not-a-token-canary",
    OPENAI_BASE_URL: "localhost:11434",
    FOOTNOTE_PORT: "ninety",
    FOOTNOTE_PROT: "3000",
    FOOTNOTE_EMBEDDER: "magic",
  });
  for (const expected of [
    "SLACK_BOT_TOKEN must be a bot token",
    "OPENAI_BASE_URL must be an address",
    "FOOTNOTE_PORT must be a whole number",
    "FOOTNOTE_PROT is not a setting",
    "FOOTNOTE_EMBEDDER must be one of: local, openai",
  ])
    expect(said).toContain(expected);
  expect(said).not.toContain("canary");
});

test("an empty secret is refused: an empty signing secret would sign for everybody", () => {
  expect(mistakesOf({ SLACK_SIGNING_SECRET: "" })).toContain("SLACK_SIGNING_SECRET is set but empty");
  expect(mistakesOf({ SLACK_SIGNING_SECRET: "short", SLACK_BOT_TOKEN: "xoxb-1" })).toContain("at least 16 characters");
});

test("a secret can come from a file, and never from two places", () => {
  const path = file("key", "sk-from-file\n");
  expect(loadConfig({ OPENAI_API_KEY_FILE: path }).model?.apiKey?.reveal()).toBe("sk-from-file");
  expect(mistakesOf({ OPENAI_API_KEY_FILE: path, OPENAI_API_KEY: "sk" })).toContain("both set");
  expect(mistakesOf({ OPENAI_API_KEY_FILE: join(folder, "none") })).toContain("OPENAI_API_KEY_FILE cannot be read");
});

test("a secret does not show in what is printed of the configuration", () => {
  const config = loadConfig({ OPENAI_API_KEY: "sk-canary", SLACK_BOT_TOKEN: "xoxb-canary", SLACK_APP_TOKEN: "xapp-canary" });
  expect(JSON.stringify(config)).not.toContain("canary");
  expect(`${config.model?.apiKey}`).toBe("[secret]");
});

test("a Slack app needs what its mode needs", () => {
  expect(mistakesOf({ SLACK_BOT_TOKEN: "xoxb-1" })).toContain("SLACK_APP_TOKEN is missing");
  expect(mistakesOf({ SLACK_BOT_TOKEN: "xoxb-1", FOOTNOTE_SLACK_MODE: "http" })).toContain("SLACK_SIGNING_SECRET is missing");
  expect(loadConfig({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1" }).slackMode).toBe("socket");
  expect(loadConfig({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "0123456789abcdef" }).slackMode).toBe("http");
});

test("several workspaces come from one file, each with its own token or token file", () => {
  const token = file("globex-token", "xoxb-globex");
  const list = file(
    "workspaces.json",
    JSON.stringify([
      { name: "acme", botToken: "xoxb-acme" },
      { name: "globex", botTokenFile: token },
    ]),
  );
  const { slack } = loadConfig({ FOOTNOTE_WORKSPACES_FILE: list, SLACK_APP_TOKEN: "xapp-1" });
  expect(slack?.workspaces.map(({ name, botToken }) => [name, botToken.reveal()])).toEqual([
    ["acme", "xoxb-acme"],
    ["globex", "xoxb-globex"],
  ]);
  const broken = file("broken.json", '[{"name": "acme", "token": "xoxb-canary"}]');
  expect(mistakesOf({ FOOTNOTE_WORKSPACES_FILE: broken, SLACK_APP_TOKEN: "xapp-1" })).toContain("FOOTNOTE_WORKSPACES_FILE cannot be used");
  expect(mistakesOf({ FOOTNOTE_WORKSPACES_FILE: broken, SLACK_APP_TOKEN: "xapp-1" })).not.toContain("canary");
});

test("an address for a model without a key is a local model", () => {
  const { model } = loadConfig({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "qwen3" });
  expect(model).toEqual({ name: "qwen3", baseUrl: "http://127.0.0.1:11434/v1", contextTokens: 128_000, others: [] });
});

test("a fallback model shares the model's address and key; at another address it gets a key of its own or none", () => {
  const first = { OPENAI_API_KEY: "sk-first", OPENAI_FALLBACK_MODEL: "spare" };
  const same = loadConfig(first).model?.fallback;
  expect([same?.name, same?.apiKey?.reveal(), same?.baseUrl]).toEqual(["spare", "sk-first", undefined]);
  const other = { ...first, FOOTNOTE_FALLBACK_BASE_URL: "http://127.0.0.1:9000/v1" };
  expect(loadConfig(other).model?.fallback).toEqual({ name: "spare", baseUrl: "http://127.0.0.1:9000/v1" });
  expect(loadConfig({ ...other, FOOTNOTE_FALLBACK_API_KEY: "sk-spare" }).model?.fallback?.apiKey?.reveal()).toBe("sk-spare");
});

test("plugins are named by package or path; their settings are secrets, also from files", () => {
  const path = file("search-key", "canary-from-file\n");
  const { plugins } = loadConfig({
    FOOTNOTE_PLUGINS: "footnote-plugin-wiki, ./mine ,/opt/theirs",
    FOOTNOTE_PLUGIN_WIKI_URL: "https://wiki.example",
    FOOTNOTE_PLUGIN_WIKI_KEY_FILE: path,
  });
  expect(plugins.packages).toEqual(["footnote-plugin-wiki", resolve("mine"), "/opt/theirs"]);
  expect([...plugins.settings].map(([name, value]) => [name, value.reveal()])).toEqual([
    ["WIKI_URL", "https://wiki.example"],
    ["WIKI_KEY", "canary-from-file"],
  ]);
  expect(JSON.stringify([...plugins.settings])).not.toContain("canary");
  expect(loadConfig({}).plugins.packages).toEqual([]);
});

test("a plugin named twice, a setting given twice and a file that is not there are mistakes", () => {
  const said = mistakesOf({
    FOOTNOTE_PLUGINS: "./mine,other,./mine",
    FOOTNOTE_PLUGIN_A_KEY: "canary",
    FOOTNOTE_PLUGIN_A_KEY_FILE: file("a-key", "canary"),
    FOOTNOTE_PLUGIN_B_KEY_FILE: join(folder, "none"),
  });
  for (const expected of [
    `FOOTNOTE_PLUGINS names ${resolve("mine")} twice.`,
    "FOOTNOTE_PLUGIN_A_KEY and FOOTNOTE_PLUGIN_A_KEY_FILE are both set: remove one.",
    "FOOTNOTE_PLUGIN_B_KEY_FILE cannot be read",
  ])
    expect(said).toContain(expected);
  expect(said).not.toContain("canary");
});

test("settings of plugins for single workspaces come from one file, secrets in it from files of their own", () => {
  const path = file(
    "workspaces.yaml",
    `acme:\n  web:\n    provider: tavily\n    tavily_key_file: ${file("tavily", "canary\n")}\n  world-clock: { limit: 3 }\nglobex: {}\n`,
  );
  const { byWorkspace } = loadConfig({ FOOTNOTE_WORKSPACE_SETTINGS_FILE: path }).plugins;
  const told = [...byWorkspace].map(([name, own]) => [name, Object.fromEntries([...own].map(([key, value]) => [key, value.reveal()]))]);
  expect(told).toEqual([
    ["acme", { WEB_PROVIDER: "tavily", WEB_TAVILY_KEY: "canary", WORLD_CLOCK_LIMIT: "3" }],
    ["globex", {}],
  ]);
  expect(loadConfig({}).plugins.byWorkspace.size).toBe(0);
});

test.each([
  ["that is not there", () => join(folder, "none.yaml"), "FOOTNOTE_WORKSPACE_SETTINGS_FILE cannot be used: it cannot be read."],
  ["of another form", () => file("list.yaml", "- canary"), "it must be YAML of the form"],
  ["that is no YAML", () => file("broken.yaml", "acme: [canary"), "it must be YAML of the form"],
  [
    "with a secret that is not there",
    () => file("lost.yaml", "acme: { web: { brave_key_file: /canary/none } }"),
    "the file that web_brave_key_file names cannot be read",
  ],
])("a file of workspaces' settings %s is a mistake, without what it holds", (_, path, said) => {
  expect(mistakesOf({ FOOTNOTE_WORKSPACE_SETTINGS_FILE: path() })).toContain(said);
  expect(mistakesOf({ FOOTNOTE_WORKSPACE_SETTINGS_FILE: path() })).not.toContain("canary");
});

describe("installing from a page", () => {
  const secret = "canary-client-secret";
  const page = { SLACK_CLIENT_ID: "12.34", SLACK_CLIENT_SECRET: secret, FOOTNOTE_PUBLIC_URL: "https://footnote.example" };
  const overHttp = { ...page, SLACK_SIGNING_SECRET: "signing-secret-of-slack" };
  const appToken = { SLACK_APP_TOKEN: "xapp-1-A0FROMTOKEN-1-x" };

  test("needs no bot token, and knows its app by a setting or by the app-level token", () => {
    const { slack, slackMode } = loadConfig({ ...overHttp, SLACK_APP_ID: "A0SET", FOOTNOTE_INSTALL_ALLOWED: "T1, E2" });
    expect(slackMode).toBe("http");
    expect(slack).toMatchObject({ workspaces: [], oauth: { clientId: "12.34", appId: "A0SET", allowed: ["T1", "E2"] } });
    expect(slack?.oauth?.clientSecret.reveal()).toBe(secret);
    expect(loadConfig({ ...page, ...appToken }).slack?.oauth).toMatchObject({ appId: "A0FROMTOKEN" });
    const { SLACK_CLIENT_SECRET, ...rest } = overHttp;
    const fromFile = { ...rest, SLACK_CLIENT_SECRET_FILE: file("client-secret", `${SLACK_CLIENT_SECRET}\n`), SLACK_APP_ID: "A1" };
    expect(loadConfig(fromFile).slack?.oauth?.clientSecret.reveal()).toBe(secret);
  });

  test("goes together with workspaces that the operator has configured, and is not there without its settings", () => {
    expect(loadConfig({ ...page, ...appToken, SLACK_BOT_TOKEN: "xoxb-1" }).slack).toMatchObject({ workspaces: [{}], oauth: {} });
    expect(loadConfig({ ...appToken, SLACK_BOT_TOKEN: "xoxb-1" }).slack?.oauth).toBeUndefined();
  });

  test.each([
    [{ SLACK_CLIENT_SECRET: "" }, /SLACK_CLIENT_SECRET is set but empty[\s\S]*SLACK_CLIENT_SECRET is missing/],
    [{ SLACK_CLIENT_ID: "" }, /SLACK_CLIENT_ID is missing/],
    [{ SLACK_CLIENT_ID: "canary" }, /SLACK_CLIENT_ID must be two numbers/],
    [{}, /SLACK_APP_ID is missing/],
    [{ SLACK_APP_ID: "T1" }, /SLACK_APP_ID must be the app's id/],
    [{ SLACK_APP_ID: "A1", ...appToken }, /belong to two different apps/],
    [{ SLACK_APP_ID: "A1", FOOTNOTE_PUBLIC_URL: "" }, /FOOTNOTE_PUBLIC_URL is missing/],
    [{ SLACK_APP_ID: "A1", FOOTNOTE_INSTALL_ALLOWED: "acme" }, /FOOTNOTE_INSTALL_ALLOWED.* must be Slack's ids/],
  ] as [Record<string, string>, RegExp][])("is refused with %j", (changed, said) => {
    const mistakes = mistakesOf({ ...overHttp, ...changed });
    expect(mistakes).toMatch(said);
    expect(mistakes).not.toContain("canary");
  });
});
