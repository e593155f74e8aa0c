import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { EntityManager } from "typeorm";
import { defaultSeed, type SlackSeed } from "../../playground/server/seed.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { type Asking, answers, ask, shown as words } from "../journeys/answer.ts";
import { type RunningApp, runApp } from "../journeys/running-app.ts";

// Two companies with the same names, the same user ids and the same channel ids; the model tries every tool and every id it ever saw
// and repeats whatever it is told. Each document carries a word that says whose it is.

const twins: SlackSeed = {
  workspaces: defaultSeed.workspaces.map((workspace) => ({
    ...workspace,
    people: workspace.people.map((person) => ({ ...person, id: `U0TWIN${person.name.toUpperCase()}` })),
    channels: workspace.channels.map((channel) => ({ ...channel, id: `C0TWIN${channel.name.replaceAll("-", "").toUpperCase()}` })),
  })),
};

const grants = {
  everyone: {},
  "people-ops": { channel: "people-ops" },
  board: { channel: "board" },
  "guest-project": { channel: "guest-project" },
  alice: { person: "alice" },
  bob: { person: "bob" },
} as const;
type Owner = keyof typeof grants;
const owners = Object.keys(grants) as Owner[];

const canary = (workspace: string, owner: Owner) => `CANARY-${workspace}-${owner.replace("-", "")}-7f3a`;
const found = (text: string): string[] => [...new Set(text.match(/CANARY-\w+-\w+-7f3a/g) ?? [])].sort();
const of = (workspace: string, ...names: Owner[]) => names.map((name) => canary(workspace, name)).sort();

/** Another one each time keeps results from being used again. */
let limit = 20;
let model: ModelServer;
let running: RunningApp;
let folder: string;
/** Every id of a document or passage that any model was ever told, in any tenant. */
const known = new Set<string>();

beforeAll(async () => {
  model = await ModelServer.start(({ messages }, reply) => {
    const told = messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
    for (const [, id = ""] of told.join("\n").matchAll(/(?:passage|document)_id:? ([0-9a-f-]{36})/g)) known.add(id);
    if (told.length > 0) return reply.say(`I was told: ${told.join("\n").replaceAll('"""', "")}`);
    const secret = "secret canary plan";
    reply.call("query_documents", { query: secret, limit });
    reply.call("document_full_text_search", { query: `${secret} ${owners.join(" ")}`, limit });
    reply.call("list_documents", {});
    for (const id of [...known].slice(0, 20))
      reply.call("get_document_context", id.at(14) === "8" ? { passage_id: id } : { document_id: id });
  });
  running = await runApp({ modelUrl: model.url, documents: false, seed: twins });
  folder = await mkdtemp(join(tmpdir(), "footnote-twins-"));
  for (const workspace of ["acme", "globex"]) {
    await mkdir(join(folder, workspace, "plans"), { recursive: true });
    for (const owner of owners) {
      const path = join(folder, workspace, "plans", `${owner}.md`);
      await writeFile(path, `# The secret canary plan\n\nThe secret canary plan is ${canary(workspace, owner)}.\n`);
      const { files } = await ingest(workspace, path, owner);
      expect(files.map(({ status, reason }) => reason ?? status)).toEqual(["added"]);
    }
  }
});
afterAll(async () => {
  await running.stop();
  await model.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  model.requests.length = 0;
});

const ingest = (workspace: string, path: string, owner: Owner) =>
  running.app.operations.ingest({ workspace, paths: [path], ...grants[owner] }, () => {}, new AbortController().signal);

const question = "What is the secret canary plan?";
/** All that the model was told, and all that the thread shows. */
async function leaked(given: Omit<Asking, "question"> & { readonly question?: string }) {
  const asking = { question, ...given };
  const { thread } = await ask(running.slack, asking, { count: given.thread ? 2 : 1 });
  const shown = answers(running.slack, asking, thread).map(words).join("\n");
  return { thread, prompt: found(JSON.stringify(model.requests)), shown: found(shown) };
}

describe.each(["acme", "globex"])("T04, T12, T13 in %s", (workspace) => {
  test.each([
    ["alice", "direct", ["everyone", "people-ops", "board", "guest-project", "alice"]],
    ["bob", "direct", ["everyone", "people-ops", "guest-project", "bob"]],
    ["gina", "direct", ["guest-project"]],
    ["alice", "general", ["everyone"]],
    ["bob", "general", ["everyone"]],
    ["alice", "people-ops", ["everyone", "people-ops"]],
    ["bob", "people-ops", ["everyone", "people-ops"]],
    ["alice", "board", ["everyone", "board"]],
    ["alice", "guest-project", ["guest-project"]],
    ["gina", "guest-project", ["guest-project"]],
  ] as [string, string, Owner[]][])("%s in %s is told what the readers there may see, and no more", async (as, channel, allowed) => {
    const { prompt, shown } = await leaked({ workspace, as, channel });
    expect(prompt).toEqual(of(workspace, ...allowed));
    expect(shown).toEqual(of(workspace, ...allowed));
  });
});

test("T15: what was said in a direct message does not come into a channel, nor one tenant's thread into the other's", async () => {
  const direct = await leaked({ workspace: "acme", as: "alice", channel: "direct" });
  expect(direct.shown).toContain(canary("acme", "alice"));
  model.requests.length = 0;
  expect((await leaked({ workspace: "acme", as: "alice", channel: "general", question: "Continue." })).prompt).toEqual(
    of("acme", "everyone"),
  );
  model.requests.length = 0;
  expect((await leaked({ workspace: "globex", as: "alice", channel: "direct", question: "Continue." })).prompt).toEqual(
    of("globex", "everyone", "people-ops", "board", "guest-project", "alice"),
  );
});

test("T15: somebody searches privately in a thread, then another asks there: nothing of the private answer reaches the model or the other", async () => {
  const inThread = { workspace: "acme", channel: "general" };
  const { thread, shown } = await leaked({ ...inThread, as: "alice" });
  expect(shown).toEqual(of("acme", "everyone"));
  const [answer] = answers(running.slack, { ...inThread, as: "alice", question }, thread);
  /** What is said in her direct message, in how many finished answers. */
  const privately = () =>
    running.slack
      .messages({ workspace: "acme", channel: "direct:alice" })
      .filter(({ botId }) => botId)
      .map(words);
  const finished = () => privately().filter((text) => /^Trace/m.test(text)).length;
  const before = finished();
  await running.slack.click({ ...inThread, as: "alice", ts: answer?.ts ?? "", actionId: "search_privately" });
  await running.slack.waitFor(() => finished() > before);
  expect(found(privately().join())).toContain(canary("acme", "board"));
  const shownTo = (as: string) => answers(running.slack, { ...inThread, as, question }, thread).map(words);
  for (const [at, asked] of ["Continue.", "What did you tell alice privately?"].entries()) {
    model.requests.length = 0;
    known.clear();
    await ask(running.slack, { ...inThread, as: "bob", thread, question: asked }, { count: at + 2 });
    expect(found(JSON.stringify(model.requests))).toEqual(of("acme", "everyone"));
    expect(found(shownTo("bob").join())).toEqual(of("acme", "everyone"));
  }
});

/** Every statement about documents and passages, with how many rows came of it, while it is looked. */
function watchedStatements() {
  const statements: string[] = [];
  const { query } = EntityManager.prototype;
  const spy = jest.spyOn(EntityManager.prototype, "query").mockImplementation(async function (this: EntityManager, ...args) {
    const rows = await query.apply(this, args);
    if (/\b(?:passages|documents|passage_vectors)\b/.test(args[0]))
      statements.push(`${Array.isArray(rows) ? rows.length : "?"} ${args[0]}`);
    return rows;
  });
  return { statements, stop: () => spy.mockRestore() };
}

test("T16: what is hidden changes nothing in what is told: no count, no score, no order; and nothing in the work that is done", async () => {
  const told = async () => {
    model.requests.length = 0;
    known.clear();
    limit -= 1;
    const watched = watchedStatements();
    await ask(running.slack, { workspace: "acme", as: "bob", channel: "general", question });
    watched.stop();
    expect(watched.statements.length).toBeGreaterThan(3);
    return {
      results: model.requests.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool").map(({ content }) => content)),
      calls: model.requests.length,
      // Calls of one step run at once, in any order.
      statements: watched.statements.sort(),
    };
  };
  // What is remembered from the first time must not tell the other two apart.
  await told();
  const before = await told();
  for (let n = 0; n < 30; n++) {
    const path = join(folder, "acme", "plans", `hidden-${n}.md`);
    await writeFile(path, `# The secret canary plan\n\nWhat is the secret canary plan? It is hidden number ${n}.\n`);
    await ingest("acme", path, n % 2 === 0 ? "board" : "alice");
  }
  expect(await told()).toEqual(before);
});

test("T12: when somebody joins a private channel, their rights count, not those of whoever asked before", async () => {
  const first = await leaked({ workspace: "globex", as: "alice", channel: "board" });
  running.slack.join({ workspace: "globex", as: "bob", channel: "board" });
  model.requests.length = 0;
  const { prompt } = await leaked({ workspace: "globex", as: "bob", channel: "board", thread: first.thread, question: "And alice's?" });
  expect(prompt).toEqual(of("globex", "everyone", "board"));
});

describe("T04: what belongs to the other company", () => {
  const cut = async (workspace: string) => {
    const script = model.script;
    const asking = { workspace, as: "alice", channel: "general", question: "Will this break?" };
    model.script = async (_, reply) => {
      reply.say("Half of an answer stands here and ");
      // Only what people have seen is kept and marked; before that the call would simply be made again.
      await running.slack.waitFor(() => running.slack.everyMessage().some(({ message }) => message.text.includes("Half of an answer")));
      reply.cut();
    };
    const { thread } = await ask(running.slack, asking);
    model.script = script;
    const failed = answers(running.slack, asking, thread).find(({ blocks }) => JSON.stringify(blocks).includes("retry_turn"));
    if (!failed) throw new Error(`No Retry under: ${answers(running.slack, asking, thread).map(words).join()}`);
    return { thread, ts: failed.ts, asking };
  };

  test("a Retry button pressed there, by the same user id in the same channel id, does nothing; the asker's own press does", async () => {
    const { thread, ts, asking } = await cut("acme");
    const { people, interactions } = running.slack;
    const { workspace, person, channel } = people.place({ workspace: "globex", as: "alice", channel: "general" });
    const there = people.place({ workspace: "acme", as: "alice", channel: "general" });
    const message = there.channel.messages.find((each) => each.ts === ts);
    if (!message) throw new Error("There is no failed answer.");
    const element = (message.blocks as { type: string; elements?: { action_id?: string }[] }[])
      .flatMap(({ elements = [] }) => elements)
      .find(({ action_id }) => action_id === "retry_turn");
    expect(element).toBeDefined();
    const asked = model.requests.length;
    await running.slack.deliver(interactions.blockActions(workspace, person, channel, message, element ?? {}, "b"));
    await running.slack.click({ workspace: "acme", as: "bob", channel: "general", ts, actionId: "retry_turn" });
    expect(model.requests).toHaveLength(asked);
    await running.slack.click({ workspace: "acme", as: "alice", channel: "general", ts, actionId: "retry_turn" });
    await running.slack.waitFor(() => answers(running.slack, asking, thread).map(words).join().includes(canary("acme", "everyone")));
  });

  test("a link with the other company's id in it opens nothing, as one to nothing; the untouched one opens", async () => {
    const asking = { workspace: "acme", as: "alice", channel: "general", question };
    const script = model.script;
    model.script = ({ messages }, reply) =>
      messages.at(-1)?.role === "tool" ? reply.say("It is so [1].") : reply.call("query_documents", { query: question });
    const links: string[] = [];
    for (const workspace of ["acme", "globex"]) {
      const { text } = await ask(running.slack, { ...asking, workspace });
      links.push(/<(http[^|>]+\/sources\/[^|>]+)\|/.exec(text)?.[1] ?? "");
    }
    model.script = script;
    const [own = "", other = ""] = links;
    expect((await fetch(own)).status).toBe(200);
    const fields = (link: string) =>
      Buffer.from(link.split("/sources/")[1]?.split(".")[0] ?? "", "base64url")
        .toString()
        .split(" ");
    const [tenant = ""] = fields(other);
    const forged = Buffer.from([tenant, ...fields(own).slice(1)].join(" ")).toString("base64url");
    const statuses = await Promise.all(
      [`${forged}.${own.split(".").at(-1)}`, `${forged}.`, "x.y", ""].map(async (token) => {
        const page = await fetch(`${running.url}/sources/${token}`);
        return [page.status, found(await page.text())];
      }),
    );
    expect(statuses).toEqual(Array(4).fill([404, []]));
  });
});
