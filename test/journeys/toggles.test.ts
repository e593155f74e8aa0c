import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { defaultSeed } from "../../playground/server/seed.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { ModelServer, type Script } from "../fakes/model-server.ts";
import { answers, ask, shown, write } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

let ran: string[] = [];
const tool = (name: string, title: string, featureFlag?: string) =>
  defineTool({
    name,
    description: "Notes that it ran.",
    parameters: { type: "object", properties: {} },
    annotations: { title, readOnly: true },
    ...(featureFlag && { featureFlag }),
    execute: async () => {
      ran.push(name);
      return text(`${name} ran.`);
    },
  });
const plugin: Plugin = {
  name: "journey",
  tools: [tool("wire_search", "Wire search"), tool("weather_report", "Weather"), tool("new_thing", "New thing", "beta")],
};

let model: ModelServer;
let running: RunningApp;
const script: Script = (_, reply) => reply.say("Answered.");
const start = async (mode: "socket" | "http") => {
  model = await ModelServer.start(script);
  const environment = { FOOTNOTE_MODELS: "small-model, large-model" };
  running = await runApp({ mode, modelUrl: model.url, morePlugins: [plugin], documents: false, environment });
};
const stop = async () => {
  await running.stop();
  await model.stop();
};
beforeEach(() => {
  ran = [];
  model.script = script;
});

interface At {
  readonly workspace?: string;
  readonly as?: string;
  readonly channel?: string;
}
const full = ({ workspace = "acme", as = "alice", channel = "general" }: At) => ({ workspace, as, channel });
const place = (at: At) => ({
  workspace: full(at).workspace,
  channel: at.channel === "direct" ? `direct:${full(at).as}` : full(at).channel,
});

/** What the bot has said there so far, threads and notes for one person included. */
const said = (at: At) => running.slack.messages(place(at)).filter(({ botId }) => botId);
/** Resolves with what is said next. */
async function next(at: At, act: () => Promise<unknown> | unknown) {
  const before = said(at).length;
  await act();
  return running.slack.waitFor(() => said(at)[before], { timeoutMs: 150_000 });
}
/** Writes it as that person does, and resolves with the bot's reply as they see it. */
const tell = async (words: string, at: At & { readonly thread?: string } = {}) => {
  const reply = await next(at, () => running.slack.post({ ...full(at), text: words, ...(at.thread && { thread: at.thread }) }));
  return { reply, words: shown(reply) };
};
const slash = async (words: string, at: At = {}) => {
  const reply = await next(at, () => running.slack.command({ ...full(at), command: "/footnote", text: words }));
  return { reply, words: shown(reply) };
};
/** Which of this suite's tools the model was offered last. */
const offered = () =>
  model.requests
    .at(-1)
    ?.tools?.map((each) => each.function.name)
    .filter((name) => plugin.tools.some((each) => each.name === name)) ?? [];
const toolsFor = async (at: At, thread?: string) => {
  const asking = { ...full(at), question: "Go.", ...(thread && { thread }) };
  const count = thread ? answers(running.slack, asking, thread).filter(({ ephemeralTo }) => !ephemeralTo).length + 1 : 1;
  await ask(running.slack, asking, { timeoutMs: 150_000, count });
  return offered();
};

describe.each(["socket", "http"] as const)("over %s", (mode) => {
  beforeAll(() => start(mode));
  afterAll(stop);

  test("!tools lists every tool with its state, to the asker alone, and never reaches the model", async () => {
    const { reply, words } = await tell("!tools");
    expect(reply.ephemeralTo).toBe(running.slack.workspace("acme").person("alice"));
    expect(words).toMatch(/:large_green_circle: `wire_search` Wire search/);
    expect(words).toMatch(
      /:white_circle: `new_thing` New thing is not released to this workspace yet; whoever runs Footnote can release it\./,
    );
    expect(words).toContain("query_documents");
    expect(model.requests).toHaveLength(0);
  });

  test("/footnote tools opens a panel; a switch in it counts from the next question on, and the panel shows it", async () => {
    const { screens } = running.slack;
    const top = () => JSON.stringify(screens.modals({ workspace: "acme", as: "bob" }).at(-1)?.body ?? "");
    await running.slack.command({ ...full({ as: "bob" }), command: "/footnote", text: "tools" });
    await running.slack.waitFor(() => top().includes("off wire_search"));
    const flip = { workspace: "acme", as: "bob", actionId: "tool_switch" };
    const block = (to: string) => ({ ...flip, blockId: `tool wire_search person ${to}` });
    await screens.click(block("off"));
    await running.slack.waitFor(() => top().includes("Wire search is switched off by you"));
    expect(await toolsFor({ as: "bob" })).toEqual(["weather_report"]);
    await screens.click(block("on"));
    await running.slack.waitFor(() => top().includes("off wire_search"));
    expect(await toolsFor({ as: "bob" })).toEqual(["weather_report", "wire_search"]);
  });

  test("the Tools button below an answer opens the panel of its thread", async () => {
    const asking = { ...full({ as: "bob" }), question: "Go." };
    const { thread } = await ask(running.slack, asking, { timeoutMs: 150_000 });
    const { ts = "" } = answers(running.slack, asking, thread).at(-1) ?? {};
    await running.slack.click({ ...full({ as: "bob" }), ts, actionId: "show_tools" });
    const panel = await running.slack.waitFor(() => {
      const body = JSON.stringify(running.slack.screens.modals({ workspace: "acme", as: "bob" }).at(-1)?.body ?? "");
      return body.includes("in this thread") ? body : undefined;
    });
    expect(panel).toContain(`\\"thread\\":\\"${thread}\\"`);
  });

  test("/footnote tools list is acknowledged at once and answered to its author alone", async () => {
    const { reply, words } = await slash("tools list", { as: "bob" });
    expect(reply.ephemeralTo).toBe(running.slack.workspace("acme").person("bob"));
    expect(words).toContain("`wire_search`");
  });

  test("a mention switches for the person at top level, whatever blanks and quotation marks were pasted", async () => {
    const { words } = await tell("@footnote\u00A0tools\u00A0off \u201CWire Search\u201D", { as: "bob" });
    expect(words).toContain("`wire_search` is now off for you.");
    expect(await toolsFor({ as: "bob" })).toEqual(["weather_report"]);
    expect(await toolsFor({ as: "alice" })).toEqual(["weather_report", "wire_search"]);
    expect((await slash("  TOOLS   Enable\u00A0Wire_Search ", { as: "bob" })).words).toContain("no longer off for you");
    expect(await toolsFor({ as: "bob" })).toEqual(["weather_report", "wire_search"]);
  });

  test("a slip gets a suggestion and changes nothing", async () => {
    const { words } = await tell("!tools off wire_serch");
    expect(words).toContain("I know no tool *wire_serch*. Did you mean `wire_search`?");
    expect(await toolsFor({})).toContain("wire_search");
  });

  test("in a thread it counts for the thread, and for everybody there", async () => {
    const { thread } = await ask(running.slack, { ...full({}), question: "Go." });
    expect((await tell("!tools off wire_search", { as: "bob", thread })).words).toContain("now off in this thread");
    const { words } = await tell("!tools", { thread });
    expect(words).toContain("Wire search is switched off in this thread; anybody in the thread can switch it on.");
    expect(await toolsFor({}, thread)).not.toContain("wire_search");
    expect(await toolsFor({})).toContain("wire_search");
  });

  test("in a thread that the bot is not in, !tools is none of its business; a mention is", async () => {
    const thread = await running.slack.post({ ...full({}), text: "Lunch?" });
    await running.slack.post({ ...full({}), text: "!tools off weather_report", thread });
    const { words } = await tell("@footnote tools", { thread });
    expect(words).toMatch(/:large_green_circle: `weather_report`/);
    expect(said({}).filter((message) => message.threadTs === thread)).toHaveLength(1);
  });

  test("a direct message takes commands too, and answers in it", async () => {
    const { reply, words } = await tell("!tools off weather_report", { as: "bob", channel: "direct" });
    expect(reply.ephemeralTo).toBeUndefined();
    expect(words).toContain("now off for you");
    expect((await tell("tools on weather_report", { as: "bob", channel: "direct" })).words).toContain("no longer off for you");
  });

  test("/footnote ask shows the question and answers in its thread", async () => {
    const reply = await next({ as: "bob" }, () =>
      running.slack.command({ ...full({ as: "bob" }), command: "/footnote", text: "ask What is *2 < 3* <!channel>?" }),
    );
    expect(shown(reply)).toMatch(/\*bob\* asks:/);
    expect(reply.ephemeralTo).toBeUndefined();
    const where = { ...full({ as: "bob" }), question: "" };
    await running.slack.waitFor(() => answers(running.slack, where, reply.ts).some((each) => /^Trace/m.test(shown(each))), {
      timeoutMs: 150_000,
    });
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain("What is *2 < 3*");
    expect(running.slack.mentions).toEqual([]);
  });

  test("where the bot is not, /footnote ask says so", async () => {
    running.slack.people.join({ workspace: "acme", channel: "board", as: "footnote", leave: true });
    const { words } = await slash("ask Hello?", { channel: "board" });
    expect(words).toContain("I am not in this channel");
    running.slack.people.join({ workspace: "acme", channel: "board", as: "footnote" });
  });

  test("a slash command that arrives twice is carried out once, and one that Slack did not sign not at all", async () => {
    const { workspace, person, channel } = running.slack.people.place(full({}));
    const payload = running.slack.interactions.command(workspace, person, channel, "/footnote", "tools off weather_report here");
    const before = said({}).length;
    await running.slack.deliver(payload, { times: 3, concurrently: true });
    await running.slack.waitFor(() => said({}).length > before);
    await slash("tools on weather_report here");
    expect(said({})).toHaveLength(before + 2);

    const forged = running.slack.interactions.command(workspace, person, channel, "/footnote", "tools lock weather_report");
    const response = await fetch(`${running.url}/slack/events`, {
      method: "POST",
      headers: { "x-slack-signature": `v0=${"0".repeat(64)}`, "x-slack-request-timestamp": "1" },
      body: new URLSearchParams(forged as Record<string, string>),
    });
    expect(response.status).toBe(mode === "http" ? 401 : 503);
    expect((await tell("!tools")).words).toMatch(/:large_green_circle: `weather_report`/);
  });

  test("help is there", async () => expect((await slash("")).words).toContain("/footnote ask"));

  test("what reaches Slack is within its limits", () =>
    expect(running.slack.problems.filter(({ error }) => error !== "channel_not_found")).toEqual([]));
});

describe("what it changes", () => {
  beforeAll(() => start("socket"));
  afterAll(stop);

  test("a switch takes effect at the next step of a running answer", async () => {
    let go = () => {};
    const switched = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begun = () => {};
    const begins = new Promise<void>((resolve) => {
      begun = resolve;
    });
    model.script = async ({ messages }, reply) => {
      if (messages.at(-1)?.role !== "tool") {
        begun();
        await switched;
        reply.call("weather_report", {});
        reply.call("wire_search", {});
      } else reply.say("Done.");
    };
    const asking = { ...full({ as: "bob" }), question: "Go." };
    const thread = await write(running.slack, asking);
    await begins;
    expect(offered()).toContain("wire_search");
    expect((await tell("!tools off wire_search", { as: "bob", thread })).words).toContain("now off in this thread");
    go();
    await running.slack.waitFor(() => answers(running.slack, asking, thread).some((each) => /^Trace/m.test(shown(each))));
    expect(ran).toEqual(["weather_report"]);
    expect(offered()).toEqual(["weather_report"]);
  });

  test("what Slack delivers again is carried out and answered once, also both halves of a mention", async () => {
    const before = said({}).length;
    await running.slack.post({ ...full({}), text: "@footnote tools off weather_report" });
    await running.slack.waitFor(() => said({}).length === before + 1);
    const events = running.slack.envelopes.slice(-2);
    await tell("@footnote tools on weather_report");
    for (const event of events) await running.slack.redeliver(String(event.event_id), { times: 2, concurrently: true });
    const { words } = await tell("!tools");
    expect(words).toMatch(/:large_green_circle: `weather_report`/);
    expect(said({})).toHaveLength(before + 3);
  });

  test("members narrow for themselves; a channel and a lock are an admin's; an admin's lock outweighs all", async () => {
    expect((await slash("tools off wire_search here", { as: "bob" })).words).toContain(
      "Only a workspace admin or a tool manager can change the tools of a whole channel",
    );
    expect((await slash("tools lock wire_search", { as: "bob" })).words).toContain("Only a workspace admin or a tool manager can lock");
    expect(await toolsFor({})).toContain("wire_search");

    expect((await slash("tools off wire_search here")).words).toContain("now off in this channel");
    expect(await toolsFor({ as: "bob" })).not.toContain("wire_search");
    expect(await toolsFor({ as: "bob", channel: "people-ops" })).toContain("wire_search");
    expect((await tell("!tools on wire_search", { as: "bob" })).words).toContain(
      "Still not available here: Wire search is switched off in this channel; a workspace admin can switch it on.",
    );
    expect((await slash("tools on wire_search in this channel")).words).toContain("no longer off in this channel");

    expect((await slash("tools lock wire_search")).words).toContain("now locked");
    expect(await toolsFor({ channel: "people-ops" })).not.toContain("wire_search");
    expect((await tell("!tools", { as: "bob" })).words).toContain(":lock: `wire_search` Wire search is locked by an admin");
    expect((await slash("tools unlock wire_search")).words).toContain("no longer locked");
  });

  test("somebody who has just lost their role is refused at once", async () => {
    await slash("tools off weather_report here");
    running.slack.administration.setRole({ workspace: "acme", person: "alice", role: "member" });
    expect((await slash("tools on weather_report here")).words).toContain("Only a workspace admin");
    running.slack.administration.setRole({ workspace: "acme", person: "alice", role: "admin" });
    expect((await slash("tools on weather_report here")).words).toContain("no longer off");
  });

  test("while Slack cannot tell who somebody is, nothing is changed", async () => {
    running.slack.fail({ method: "users.info", error: "internal_error" });
    expect((await slash("tools off weather_report here")).words).toContain("could not tell me just now who you are");
    expect(await toolsFor({})).toContain("weather_report");
  });

  test("a template brings its instructions, model, temperature and tools, by the channel's id and in one workspace only", async () => {
    const yaml = `
name: support
title: Support desk
instructions: |
  Answer as the support desk. Always end with TEMPLATE-CANARY.
model: large-model
temperature: 0.2
tools:
  wire_search: on
  weather_report: locked
other_tools: off
suggested_prompts: ["What is new?"]
`;
    await running.app.operations.applyTemplate({ workspace: "acme", yaml });
    expect((await slash("template use support", { as: "bob" })).words).toContain("Only a workspace admin");
    const { words } = await slash("template use \u201CSupport Desk\u201D");
    expect(words).toContain("This channel's assistant is now *Support desk*.");
    expect(words).toContain("What is new?");

    expect(await toolsFor({ as: "bob" })).toEqual(["wire_search"]);
    const request = model.requests.at(-1) as unknown as { model: string; temperature: number; messages: { content: string }[] };
    expect([request.model, request.temperature]).toEqual(["large-model", 0.2]);
    expect(request.messages[0]?.content).toContain("TEMPLATE-CANARY");

    const listed = (await tell("!tools", { as: "bob" })).words;
    expect(listed).toContain("This channel's assistant: *Support desk*");
    expect(listed).toContain("List the documents is not part of this channel's assistant; a workspace admin can add it.");
    expect(listed).toContain("Weather is locked out of this channel's assistant");

    const channel = running.slack.people.channel(running.slack.people.workspace("acme"), "general");
    Object.assign(channel, { name: "general-talk" });
    expect(await toolsFor({ channel: channel.id })).toEqual(["wire_search"]);
    Object.assign(channel, { name: "general" });
    expect(await toolsFor({ channel: "people-ops" })).toEqual(["weather_report", "wire_search"]);
    expect(await toolsFor({ workspace: "globex" })).toEqual(["weather_report", "wire_search"]);
  });

  test("an admin adds a tool that the template leaves out, and cannot add one that it locks out", async () => {
    expect((await slash("tools on list_documents here")).words).toContain("no longer off in this channel");
    const named = () => model.requests.at(-1)?.tools?.map((each) => each.function.name);
    await toolsFor({ as: "bob" });
    expect(named()).toEqual(["list_documents", "wire_search"]);
    expect((await slash("tools on weather_report here")).words).toContain("Still not available here: Weather is locked out");
    expect((await slash("template use general")).words).toContain("General assistant");
    expect(await toolsFor({ as: "bob" })).toEqual(["weather_report", "wire_search"]);
  });

  test("the reply rule is honoured: only mentions, or every message", async () => {
    const rule = (reply: string) =>
      running.app.operations.applyTemplate({ workspace: "acme", yaml: `name: rules\ntitle: Rules\nreply: ${reply}\n` });
    const at = full({ channel: "people-ops" });
    await rule("mention");
    await running.app.operations.useTemplate({ workspace: "acme", name: "rules", channel: "people-ops" });
    const { thread } = await ask(running.slack, { ...at, question: "Go." });
    await running.slack.post({ ...at, text: "SILENT follow-up", thread });
    await ask(running.slack, { ...at, question: "@footnote LOUD follow-up", thread }, { count: 2 });
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain("LOUD");
    expect(answers(running.slack, { ...at, question: "" }, thread)).toHaveLength(2);

    await rule("always");
    const reply = await next(at, () => running.slack.post({ ...at, text: "No mention at all" }));
    await running.slack.waitFor(() => /Answered\./.test(shown(reply)));
    const colleague = await running.slack.post({ ...at, text: "@bob lunch?" });
    // Taken in after it, answered after it.
    await ask(running.slack, { ...at, question: "And now?" });
    expect(answers(running.slack, { ...at, question: "" }, colleague)).toEqual([]);
    await rule("thread");
  });

  test("a feature that the operator releases is there, in that workspace", async () => {
    const report = await running.app.operations.setFlag({ workspace: "acme", flag: "beta", set: true });
    expect(report.flags).toEqual(["beta"]);
    const listed = async (workspace: string) => (await running.app.operations.flags(workspace)).find(({ flag }) => flag === "beta");
    expect(await listed("acme")).toEqual({ flag: "beta", set: true, tools: ["new_thing"] });
    expect(await listed("globex")).toMatchObject({ set: false });
    expect(await toolsFor({ channel: "people-ops" })).toContain("new_thing");
    expect(await toolsFor({ workspace: "globex" })).not.toContain("new_thing");
    await running.app.operations.setFlag({ workspace: "acme", flag: "beta", set: false });
    expect(await toolsFor({ channel: "people-ops" })).not.toContain("new_thing");
    await expect(running.app.operations.setFlag({ workspace: "acme", flag: "betta", set: true })).rejects.toThrow("Did you mean beta?");
  });

  test("what is wrong in a template is told with its line, and a model that is not allowed is refused", async () => {
    const yaml = "name: bad\ntitle: Bad\ntools:\n  wire_serch: on\nmodel: huge-model\n";
    await expect(running.app.operations.applyTemplate({ workspace: "acme", yaml })).rejects.toThrow(
      /line 4: There is no tool "wire_serch"\. Did you mean wire_search\?[\s\S]*line 5: The model "huge-model" is not allowed here/,
    );
  });

  test("workspaces have the same names and not the same switches", async () => {
    expect(defaultSeed.workspaces.map(({ channels }) => channels.map(({ name }) => name))[0]).toContain("general");
    await slash("tools off wire_search here", { workspace: "globex" });
    expect(await toolsFor({ workspace: "globex" })).not.toContain("wire_search");
    expect(await toolsFor({ workspace: "acme" })).toContain("wire_search");
  });
});
