import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  await writeFile(file, JSON.stringify({ servers: { tracker: { title: "Tracker", ...fixture } } }));
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

async function approve(tool: string, effect: "read-inside" | "side-effect") {
  const { tools } = await running.app.operations.externalTools("acme");
  const fingerprint = tools.find(({ name }) => name === tool)?.fingerprint ?? "";
  return running.app.operations.decideExternal({ workspace: "acme", tools: { [tool]: fingerprint }, approve: true, effect });
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
