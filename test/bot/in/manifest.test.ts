import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { listeners } from "../../../src/bot/in/listeners/index.ts";
import { optionalScopes } from "../../../src/bot/workspace/scopes.ts";

const root = join(import.meta.dirname, "../../..");
const manifest = readFileSync(join(root, "manifest.yml"), "utf8");

/** The items of the list under `key`, without comments. */
function list(key: string): string[] {
  const [, block = ""] = new RegExp(`^ *${key}:\\n((?: +- .*\\n)+)`, "m").exec(manifest) ?? [];
  return [...block.matchAll(/- (\S+)/g)].map((match) => match[1] ?? "");
}

/** Scopes per Web API method (docs.slack.dev): one per kind of conversation where it depends on that. */
const conversations = (what: string) => ["channels", "groups", "im", "mpim"].map((kind) => `${kind}:${what}`);
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  "auth.test": [],
  "bots.info": ["users:read"],
  "auth.revoke": [],
  "auth.teams.list": [],
  "team.info": ["team:read"],
  "chat.postMessage": ["chat:write"],
  "chat.update": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "chat.startStream": ["chat:write"],
  "chat.appendStream": ["chat:write"],
  "chat.stopStream": ["chat:write"],
  "conversations.info": conversations("read"),
  "conversations.members": conversations("read"),
  "conversations.list": ["channels:read", "groups:read"],
  "conversations.open": ["im:write"],
  "conversations.replies": conversations("history"),
  "views.open": [],
  "views.push": [],
  "views.update": [],
  "views.publish": [],
  "files.info": ["files:read"],
  "files.list": ["files:read"],
  "assistant.threads.setTitle": ["assistant:write"],
  "assistant.threads.setSuggestedPrompts": ["assistant:write"],
  "usergroups.list": ["usergroups:read"],
  "users.info": ["users:read"],
  "users.list": ["users:read"],
  "assistant.search.context": ["search:read.public"],
  "users.conversations": ["channels:read", "groups:read", "mpim:read"],
};
/** What each event needs, and the scope no method asks for. */
const scopesOfEvents: Readonly<Record<string, readonly string[]>> = {
  app_mention: ["app_mentions:read"],
  agent_session_stopped: ["assistant:write"],
  app_uninstalled: [],
  tokens_revoked: [],
  member_joined_channel: ["channels:read", "groups:read"],
  file_deleted: ["files:read"],
  file_shared: ["files:read"],
  file_unshared: ["files:read"],
  file_change: ["files:read"],
  channel_left: ["channels:read"],
  group_left: ["groups:read"],
  channel_shared: ["channels:read", "groups:read"],
  "message.channels": ["channels:history"],
  "message.groups": ["groups:history"],
  "message.im": ["im:history"],
  "message.mpim": ["mpim:history"],
};
const ofAgentView = ["assistant:write"];
const ofCommands = ["commands"];

/** Every Web API method that a source file of the bot names. */
function methodsCalled(): string[] {
  const folder = join(root, "src/bot");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const quoted = sources.flatMap((source) => [
    ...source.matchAll(/"((?:chat|conversations|users|team|auth|views|files|reactions|assistant|bots|usergroups)\.[a-zA-Z.]+)"/g),
  ]);
  const typed = sources.flatMap((source) => [
    ...source.matchAll(
      /(?:[cC]lient(?:\(.*?\))?)\.((?:chat|conversations|users|team|auth|views|files|reactions|assistant|bots|usergroups)\.[a-zA-Z.]+)\(/g,
    ),
  ]);
  return [...new Set([...quoted, ...typed].map((match) => match[1] ?? ""))].sort();
}

describe("the manifest says what the program uses", () => {
  const events = list("bot_events");
  const scopes = list("bot");

  test("the calls are found", () =>
    expect(methodsCalled()).toEqual(expect.arrayContaining(["chat.postMessage", "chat.update", "users.info"])));

  test("every event that is listened to is subscribed to, and no other", () => {
    const heard = listeners.flatMap(({ on }) => ("event" in on ? [on.event] : []));
    expect([...new Set(events.map((event) => event.split(".")[0]))].sort()).toEqual(heard.sort());
  });

  test("scopes are those of the calls and events, no more and no fewer", () => {
    const unknown = methodsCalled().filter((method) => !scopesOf[method]);
    expect(unknown).toEqual([]);
    const needed = [
      ...methodsCalled().flatMap((method) => scopesOf[method] ?? []),
      ...events.flatMap((event) => scopesOfEvents[event] ?? []),
      ...ofAgentView,
      ...ofCommands,
    ];
    const optional = new Set(optionalScopes.map(({ scope }) => scope));
    expect([...scopes].sort()).toEqual([...new Set(needed.filter((scope) => !optional.has(scope)))].sort());
    expect(needed).toEqual(expect.arrayContaining([...optional]));
  });

  test("every slash command that is listened to is offered, and no other", () => {
    const heard = listeners.flatMap(({ on }) => ("command" in on ? [on.command] : []));
    expect([...manifest.matchAll(/^ +- command: (\S+)$/gm)].map(([, command]) => command)).toEqual(heard);
    expect(manifest).toMatch(/ description: .{1,2000}\n +usage_hint: .{1,1000}\n/);
  });

  test("every shortcut that is listened to is offered, and no other", () => {
    const heard = listeners.flatMap(({ on }) => ("shortcut" in on ? [on.shortcut] : []));
    expect([...manifest.matchAll(/^ +callback_id: (\S+)$/gm)].map(([, id]) => id)).toEqual(heard);
  });

  test("buttons are delivered, over Socket Mode, and people may write to the bot", () => {
    expect(manifest).toMatch(/interactivity:\n\s+is_enabled: true/);
    expect(manifest).toMatch(/socket_mode_enabled: true/);
    expect(manifest).toMatch(/messages_tab_enabled: true\n\s+messages_tab_read_only_enabled: false/);
    expect(manifest).toMatch(/agent_view:\n\s+agent_description: .{1,300}\n/);
    expect(manifest).not.toMatch(/assistant_view|assistant_thread/);
  });
});
