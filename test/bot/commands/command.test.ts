import { describe, expect, test } from "@jest/globals";
import { addressedCommand, bangCommand, type Command, slashCommand } from "../../../src/bot/commands/command.ts";
import { commandIn } from "../../../src/bot/commands/message-command.ts";
import type { SlackMessage } from "../../../src/bot/turns/slack-message.ts";

const list: Command = { kind: "tools-list" };
const turn = (verb: "on" | "off" | "lock" | "unlock", names: string, scope?: string) =>
  ({ kind: "tools-switch", verb, names, ...(scope && { scope }) }) as Command;

describe("!tools", () => {
  test.each<[string, Command]>([
    ["!tools", list],
    ["  !Tools  ", list],
    ["!tool", list],
    ["\uFF01tools", list],
    ["!tools list", list],
    ["!tools what?", list],
    ["!tools off", list],
    ["!tools off web_search", turn("off", "web_search")],
    ["!tools\u00A0off\u00A0web_search", turn("off", "web_search")],
    ["!TOOLS OFF Web Search", turn("off", "Web Search")],
    ["!tools disable \u201Cweb search\u201D", turn("off", "web search")],
    ["!tools off `web_search`", turn("off", "web_search")],
    ["!tools web_search off", turn("off", "web_search")],
    ["!tools on web_search for me", turn("on", "web_search", "person")],
    ["!tools on web_search just for me", turn("on", "web_search", "person")],
    ["!tools off web_search here", turn("off", "web_search", "here")],
    ["!tools off web_search in this channel", turn("off", "web_search", "channel")],
    ["!tools off web_search in this thread", turn("off", "web_search", "thread")],
    ["!tools off web_search\u200B, query_documents", turn("off", "web_search, query_documents")],
    ["!tools lock web_search", turn("lock", "web_search")],
    ["!tools unlock web_search", turn("unlock", "web_search")],
    ["!tools reset", turn("on", "all")],
    ["!tools reset here", turn("on", "all", "here")],
    ["!tools off all", turn("off", "all")],
  ])("%j", (text, command) => expect(bangCommand(text)).toEqual(command));

  test.each(["tools", "!toolsmith", "see !tools", "! tooling", "!help", "", "!"])("%j is no command", (text) =>
    expect(bangCommand(text)).toBeUndefined(),
  );
});

describe("words to the bot itself", () => {
  test.each<[string, Command]>([
    ["tools", list],
    ["Tools.", list],
    ["tools list", list],
    ["tools off web_search", turn("off", "web_search")],
    ["tools\u00A0disable\u00A0web", turn("off", "web")],
    ["tools on web search in this channel", turn("on", "web search", "channel")],
    [
      "tools off web_search, query_documents, list_documents, get_document_context",
      turn("off", "web_search, query_documents, list_documents, get_document_context"),
    ],
  ])("%j is a command", (text, command) => expect(addressedCommand(text)).toEqual(command));

  test.each([
    "tools?",
    "tools off?",
    "tools for gardening",
    "tools on the market for small offices",
    "tools we use at work",
    "Which tools do you have?",
    "toolshed rules",
    "turn the tools off",
  ])("%j is a question", (text) => expect(addressedCommand(text)).toBeUndefined());
});

describe("/footnote", () => {
  test.each<[string, Command]>([
    ["tools", list],
    ["  TOOLS   Disable\u00A0Web ", turn("off", "Web")],
    ["tools off web_search here", turn("off", "web_search", "here")],
    ["ask What is 1 < 2?", { kind: "ask", question: "What is 1 < 2?" }],
    ["ask\u00A0two\n\nparagraphs", { kind: "ask", question: "two\n\nparagraphs" }],
    ["ask", { kind: "help" }],
    ["template list", { kind: "template-list" }],
    ["templates", { kind: "template-list" }],
    ["template use general", { kind: "template-use", name: "general" }],
    ["template set \u201CDaily digest\u201D", { kind: "template-use", name: "Daily digest" }],
    ["template use 'Daily digest'", { kind: "template-use", name: "Daily digest" }],
    ["template use", { kind: "help" }],
    ["template delete general", { kind: "help" }],
    ["", { kind: "help" }],
    ["help", { kind: "help" }],
    ["__proto__", { kind: "help" }],
    ["constructor", { kind: "help" }],
    ["mcp", { kind: "external", verb: "list", name: "", fingerprint: "" }],
    ["mcp logout calendar", { kind: "external", verb: "logout", name: "calendar", fingerprint: "" }],
    ["mcp connect calendar", { kind: "external", verb: "connect", name: "calendar", fingerprint: "" }],
    ["mcp show files__read", { kind: "external", verb: "show", name: "files__read", fingerprint: "" }],
    [
      "mcp approve files__read@0123456789ab read-inside",
      { kind: "external", verb: "approve", name: "files__read", fingerprint: "0123456789ab", effect: "read-inside" },
    ],
    ["mcp approve files__read harmless", { kind: "external", verb: "list", name: "", fingerprint: "" }],
    ["mcp revoke `files__read`", { kind: "external", verb: "revoke", name: "files__read", fingerprint: "" }],
  ])("%j", (text, command) => expect(slashCommand(text)).toEqual(command));

  test("a verb that is a word of JavaScript's is none", () => expect(slashCommand("tools constructor web_search")).toEqual(list));
});

describe("in a message", () => {
  const message = (text: string, more: Partial<SlackMessage> = {}): SlackMessage => ({
    type: "message",
    channel: "C1",
    channel_type: "channel",
    user: "U1",
    ts: "1.000001",
    text,
    ...more,
  });
  test.each([
    ["!tools", {}, { command: list, addressed: false }],
    ["<@UBOT> tools", {}, { command: list, addressed: true }],
    ["<@UBOT>\u00A0tools\u00A0disable web", {}, { command: turn("off", "web"), addressed: true }],
    ["<@UBOT|footnote>: !tools off web", {}, { command: turn("off", "web"), addressed: true }],
    ["tools <@UBOT>", {}, { command: list, addressed: true }],
    ["tools off web", { channel_type: "im" }, { command: turn("off", "web"), addressed: true }],
    ["tools off web", {}, undefined],
    ["<@U2> tools", {}, undefined],
    ["<@UBOT> What tools do you have?", {}, undefined],
    ["<@UBOT> please do !tools off web", {}, undefined],
  ] as const)("%j", (text, more, found) => expect(commandIn(message(text, more), "UBOT")).toEqual(found));
});
