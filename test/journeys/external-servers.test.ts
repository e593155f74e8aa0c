import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  running = await runApp({ modelUrl: model.url, documents: false, environment: { FOOTNOTE_MCP_FILE: file } });
}, 90_000);
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
}, 60_000);
