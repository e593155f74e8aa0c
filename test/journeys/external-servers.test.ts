import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defaultSeed } from "../../playground/server/seed.ts";
import { requiredScopes } from "../../src/bot/workspace/scopes.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { program } from "../plugins/mcp/fixture.ts";
import { answers, ask, shown, write } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

let model: ModelServer;
let running: RunningApp;

beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), "mcp-")), "servers.yml");
  const fixture = { command: process.execPath, args: [program], sandbox: "none", env: { TOKEN: "the-key-of-acme" }, workspaces: ["acme"] };
  const everything = {
    command: process.execPath,
    args: [resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  };
  const asks = { title: "Everything", ...everything, sandbox: "none", workspaces: ["acme"], sampling: true };
  await writeFile(file, JSON.stringify({ servers: { tracker: { title: "Tracker", ...fixture }, everything: asks } }));
  model = await ModelServer.start((_request, reply) => reply.say("Hello."));
  const scopes = [...requiredScopes, "search:read.public"];
  const seed = { ...defaultSeed, workspaces: defaultSeed.workspaces.map((each) => (each.name === "acme" ? { ...each, scopes } : each)) };
  running = await runApp({ modelUrl: model.url, documents: false, seed, environment: { FOOTNOTE_MCP_FILE: file } });
});
afterAll(async () => {
  await running?.stop();
  await model?.stop();
});

const asking = { workspace: "acme", as: "alice", channel: "general", question: "What does the tracker say?" };
const given = () => model.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? [];

/** Approves a tool once its server offers it: a program may need a while to begin. */
async function approve(tool: string, effect: "read-inside" | "side-effect") {
  const fingerprint = await running.slack.waitFor(async () => {
    const { tools } = await running.app.operations.externalTools("acme");
    return tools.find(({ name }) => name === tool)?.fingerprint;
  });
  return running.app.operations.decideExternal({ workspace: "acme", tools: { [tool]: fingerprint ?? "" }, approve: true, effect });
}

/** Calls a tool once, then says what came of it. */
const calls = (name: string, params: object) => {
  model.script = ({ messages }, reply) => {
    const last = messages.at(-1);
    return last?.role === "tool" ? reply.say(`It says: ${last.content}`) : reply.call(name, params);
  };
};

test("a tool that nobody has approved is neither offered nor callable", async () => {
  calls("tracker__echo", { value: "hello" });
  const { text } = await ask(running.slack, asking);
  expect(given().filter((name) => name.startsWith("tracker"))).toEqual([]);
  expect(text).toContain("There is no tool named");
});

test("an approved one answers from the server's program, with the operator's key; in another workspace it is not there", async () => {
  expect(await approve("tracker__whoami", "read-inside")).toEqual(["tracker__whoami"]);
  calls("tracker__whoami", {});
  expect((await ask(running.slack, asking)).text).toContain("the-key-of-acme");
  const elsewhere = await ask(running.slack, { ...asking, workspace: "globex", as: "alice" });
  expect(elsewhere.text).not.toContain("the-key-of-acme");
});

test("one that changes something waits for its asker's click on a card with the exact arguments; a colleague's click is nothing", async () => {
  await approve("tracker__echo", "side-effect");
  calls("tracker__echo", { value: "created" });
  const thread = await write(running.slack, asking);
  const card = await running.slack.waitFor(() =>
    answers(running.slack, asking, thread).find(({ blocks }) => JSON.stringify(blocks).includes("call_allow_once")),
  );
  expect(JSON.stringify(card.blocks)).toContain(JSON.stringify(JSON.stringify({ value: "created" })).slice(1, -1));
  const click = (as: string) => running.slack.click({ ...asking, as, ts: card.ts, actionId: "call_allow_once" });
  await click("bob");
  expect(answers(running.slack, asking, thread).map(shown).join()).not.toContain("It says: created");
  await click("alice");
  const text = await running.slack.waitFor(() =>
    answers(running.slack, asking, thread)
      .map(shown)
      .find((each) => each.includes("It says: created") && /^Trace/m.test(each)),
  );
  expect(text).toContain("created");
  const cards = answers(running.slack, asking, thread).filter(({ blocks }) => JSON.stringify(blocks).includes("call_allow_once"));
  expect(cards).toEqual([]);
});

test("its asker may edit it in a modal first: what stands there is what runs; a colleague gets no modal", async () => {
  calls("tracker__echo", { value: "for Monday" });
  const thread = await write(running.slack, asking);
  const card = await running.slack.waitFor(() =>
    answers(running.slack, asking, thread).find(({ blocks }) => JSON.stringify(blocks).includes("call_edit")),
  );
  const { screens } = running.slack;
  await running.slack.click({ ...asking, as: "bob", ts: card.ts, actionId: "call_edit" });
  await running.slack.click({ ...asking, ts: card.ts, actionId: "call_edit" });
  await running.slack.waitFor(() => screens.modals({ workspace: "acme", as: "alice" }).at(-1));
  expect(screens.modals({ workspace: "acme", as: "bob" })).toEqual([]);
  const typed = (value: string) => ({ arguments: { arguments: { type: "plain_text_input", value } } });
  const send = (value: string) => screens.submit({ workspace: "acme", as: "alice", values: typed(value) });
  expect(JSON.stringify(await send('{"value":7}'))).toContain("does not fit the tool");
  expect((await send('{"value":"for Friday"}')).outcome).toBe("acknowledged");
  const text = await running.slack.waitFor(() =>
    answers(running.slack, asking, thread)
      .map(shown)
      .find((each) => each.includes("for Friday") && /^Trace/m.test(each)),
  );
  expect(text).toContain("The asker changed the arguments");
});

/** The card of a thread that waits with this button. */
const cardWith = (thread: string, action: string) =>
  running.slack.waitFor(() => answers(running.slack, asking, thread).find(({ blocks }) => JSON.stringify(blocks).includes(action)));
/** The finished answer of a thread. */
const answered = (thread: string) =>
  running.slack.waitFor(() =>
    answers(running.slack, asking, thread)
      .map(shown)
      .find((each) => /^Trace/m.test(each)),
  );

describe("a real server has a question in the middle of a call", () => {
  beforeAll(() => approve("everything__trigger_elicitation_request", "read-inside"));
  beforeEach(() => calls("everything__trigger_elicitation_request", {}));

  test("its asker fills in the form, and the server gets exactly that", async () => {
    const thread = await write(running.slack, asking);
    const card = await cardWith(thread, "call_edit");
    // A name is needed, so that the proposal alone cannot be sent.
    expect(JSON.stringify(card.blocks)).not.toContain("call_allow_once");
    expect(shown(card)).toContain("Please provide inputs");
    const { screens } = running.slack;
    await running.slack.click({ ...asking, ts: card.ts, actionId: "call_edit" });
    const modal = await running.slack.waitFor(() => screens.modals({ workspace: "acme", as: "alice" }).at(-1));
    expect(JSON.stringify(modal)).toContain("It was a dark and stormy night.");
    const typed = (value: string) => ({ field_0: { field_0: { type: "plain_text_input", value } } });
    const send = (value: string) => screens.submit({ workspace: "acme", as: "alice", values: typed(value) });
    expect(JSON.stringify(await send(""))).toContain("This is needed.");
    expect((await send("Grace")).outcome).toBe("acknowledged");
    const text = await answered(thread);
    expect(text).toContain("- Name: Grace");
    expect(text).not.toContain("stormy");
  });

  test("its asker does not want to, and the server is told so", async () => {
    const thread = await write(running.slack, asking);
    const card = await cardWith(thread, "call_deny");
    await running.slack.click({ ...asking, as: "bob", ts: card.ts, actionId: "call_deny" });
    await running.slack.click({ ...asking, ts: card.ts, actionId: "call_deny" });
    expect(await answered(thread)).toContain("User declined");
  });
});

describe("a real server wants the model to write something in the middle of a call", () => {
  const wanted = "Resource trigger-sampling-request context: Ferries leave at 18:40.";
  beforeAll(() => approve("everything__trigger_sampling_request", "read-inside"));
  beforeEach(() => {
    model.script = ({ messages }, reply) => {
      const last = messages.at(-1);
      if (last?.content === wanted) return reply.say("Written for the server.");
      if (last?.role === "tool") return reply.say(`It says: ${last.content}`);
      reply.call("everything__trigger_sampling_request", { prompt: "Ferries leave at 18:40.", maxTokens: 50 });
    };
  });
  const forServer = () => model.requests.filter(({ messages }) => messages.some(({ content }) => content === wanted));

  test("it is written once, however often its asker clicks and whoever else does, from the server's words alone; the server gets it after a second click", async () => {
    const before = forServer().length;
    const thread = await write(running.slack, asking);
    const request = await cardWith(thread, "call_allow_once");
    expect(shown(request)).toContain("50 tokens at most");
    expect(JSON.stringify(request.blocks)).toContain("You are a helpful test server.");
    const click = (ts: string, as = "alice") => running.slack.click({ ...asking, as, ts, actionId: "call_allow_once" });
    await click(request.ts, "bob");
    expect(forServer()).toHaveLength(before);
    await Promise.all(Array.from({ length: 20 }, () => click(request.ts).catch(() => undefined)));
    const reply = await running.slack.waitFor(() =>
      answers(running.slack, asking, thread).find(({ blocks }) => JSON.stringify(blocks).includes("Written for the server.")),
    );
    expect(shown(reply)).toContain("May the server have it?");
    await click(reply.ts);
    expect(await answered(thread)).toContain("Written for the server.");
    const sent = forServer().slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify(sent)).not.toContain("What does the tracker say?");
  });

  test("its asker says no, and neither the model nor the server gets anything", async () => {
    const before = forServer().length;
    const thread = await write(running.slack, asking);
    const card = await cardWith(thread, "call_deny");
    await running.slack.click({ ...asking, ts: card.ts, actionId: "call_deny" });
    expect(await answered(thread)).toContain("Nobody has allowed it.");
    expect(forServer()).toHaveLength(before);
  });
});

test("search_slack finds what colleagues wrote in public channels once the operator has released it; the trace keeps no text of theirs", async () => {
  await running.slack.post({ workspace: "acme", as: "bob", channel: "general", text: "The ferry to Lisbon leaves at 18:40." });
  calls("search_slack", { query: "ferry Lisbon" });
  expect((await ask(running.slack, asking)).text).toContain("not released to this workspace");
  await running.app.operations.setFlag({ workspace: "acme", flag: "slack-search", set: true });
  const { text } = await ask(running.slack, asking);
  expect(text).toContain("The ferry to Lisbon leaves at 18:40.");
}, 60_000);

describe("/footnote mcp", () => {
  const place = { workspace: "acme", channel: "general" };
  async function slash(words: string, as: string): Promise<string> {
    const said = () => running.slack.messages(place).filter(({ botId }) => botId);
    const before = said().length;
    await running.slack.command({ ...place, as, command: "/footnote", text: words });
    return shown(await running.slack.waitFor(() => said()[before]));
  }

  test("an admin looks at a tool and approves the form that was shown; from then on it is listed among the tools", async () => {
    const listed = await slash("mcp show tracker__big", "alice");
    expect(listed).toContain("waits for approval");
    expect(listed).toContain("Does big.");
    const [named = ""] = /tracker__big@[0-9a-f]{12}/.exec(listed) ?? [];
    expect(await slash("mcp approve tracker__big@000000000000 read-inside", "alice")).toContain("is not approved");
    expect(await slash(`mcp approve ${named} read-inside`, "alice")).toContain("is approved");
    expect(await slash("tools list", "alice")).toContain("tracker__big");
    expect(await slash("tools off tracker__big", "alice")).toContain("now off");
    expect(await slash("mcp revoke tracker__big", "alice")).toContain("no longer approved");
  });

  test("T34: nobody but an admin can look or decide", async () => {
    expect(await slash("mcp", "alice")).toContain("*tracker*: connected");
    for (const words of ["mcp", "mcp show tracker__big", "mcp approve tracker__big@000000000000", "mcp revoke tracker__whoami"])
      expect(await slash(words, "bob")).toContain("Only a workspace admin");
    expect((await running.app.operations.externalTools("acme")).tools.find(({ name }) => name === "tracker__whoami")?.status).toBe(
      "approved",
    );
  });
});
