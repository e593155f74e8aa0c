import type { Answer } from "../../../src/agent/client.ts";
import type { Question } from "../../../src/agent/ports.ts";
import { AssistantOperator } from "../../../src/api/operator/assistant-operator.ts";
import { ExternalOperator } from "../../../src/api/operator/external-operator.ts";
import { Operator } from "../../../src/api/operator/operator.ts";
import { ServerOperator } from "../../../src/api/operator/server-operator.ts";
import { SourceOperator } from "../../../src/api/operator/source-operator.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { newId, tenantId, traceId } from "../../../src/core/ids.ts";
import type { IngestOptions } from "../../../src/knowledge/ingest/pipeline.ts";
import { checkAddress } from "../../../src/knowledge/sources/open-source.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { memoryKeys } from "../../fakes/memory-keys.ts";
import { person, place } from "../../fakes/people.ts";

const signal = new AbortController().signal;
const acme = { tenant: tenantId(newId()), name: "acme", slackTeamId: "T1", status: "active" };
const globex = { tenant: tenantId(newId()), name: "globex", slackTeamId: "T2", status: "active" };
const [alice, bob, gina] = [person("alice"), person("bob"), person("gina", { role: "guest" })];
const [general, board] = [place("general", "public"), place("board", "private")];
const known = traceId(newId());

function operator(workspaces = [acme, globex]) {
  const asked: Question[] = [];
  const keysOf = memoryKeys();
  const ingested: IngestOptions[] = [];
  const directory = new MemoryDirectory([alice, bob, gina], [general, board], new Map([[board.id, [alice.id]]]));
  const answer: Answer = {
    status: "answered",
    text: "Yes [1].",
    citations: [{ n: 1, url: "https://bot/sources/x", source: { id: "s", title: "Handbook", passage: "Yes.", page: 2, relevance: 1 } }],
    tools: [{ name: "query_documents", status: "success", ms: 1.6 }],
    traceId: known,
  };
  const mended: unknown[] = [];
  const parts = new Operator({
    agent: {
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    },
    persons: {} as never,
    knowledge: {
      mendFullText: async (request: unknown) => {
        mended.push(request);
        return [];
      },
    } as never,
    ingestion: {
      ingest: async (_, options) => {
        ingested.push(options);
        return [{ path: "/a.md", status: "added", passages: 2 }];
      },
      remove: async () => false,
      release: async () => "gone",
    },
    clock: systemClock,
    workspaces: async () => workspaces,
    addWorkspace: async ({ name = "new" }) => ({ ...acme, name }),
    removeWorkspace: async () => undefined,
    directory: async () => directory,
    keys: (tenant) => keysOf(tenant),
    diagnose: async () => [],
    sources: new SourceOperator({
      runner: { run: () => Promise.reject(new Error("not asked for")) },
      ingestion: { remove: async () => false, release: async () => "gone" },
      rowsOf: () => Promise.reject(new Error("not asked for")) as never,
      directory: async () => directory,
      check: checkAddress,
    }),
    external: new ExternalOperator({ approvals: () => ({}) as never, look: async () => new Map() }),
    servers: new ServerOperator(() => undefined),
    assistants: new AssistantOperator({ settings: () => ({}) as never, tools: [], models: [], templateChanged: () => {} }),
    feedback: () => ({ worst: async () => ({ answers: [], total: 0 }) }),
    traces: (tenant) => ({
      save: async () => {},
      find: async (id) => (tenant === globex.tenant && id === known ? ({ id } as never) : undefined),
    }),
  });
  return { operator: parts, asked, ingested, mended };
}
const sink = { write: () => {} };

test("names become ids, and the report has the shape that the command line promises", async () => {
  const { operator: door, asked } = operator();
  const report = await door.ask({ question: " leave? ", workspace: "acme", channel: "general", as: "@alice" }, sink, signal);
  expect(asked).toEqual([{ tenant: acme.tenant, person: alice.id, channel: general.id, text: "leave?" }]);
  expect(report).toEqual({
    status: "answered",
    answer: "Yes [1].",
    citations: [{ n: 1, title: "Handbook", page: 2, url: "https://bot/sources/x", quote: "Yes." }],
    tools: [{ name: "query_documents", status: "success", ms: 2 }],
    traceId: known,
  });
});

test("T09: a workspace whose admins named it like another one's id is not taken for that one", async () => {
  const { operator: door, asked, ingested, mended } = operator([{ ...globex, name: "T1" }, acme]);
  await door.ask({ question: "leave?", workspace: "T1", channel: "general", as: "alice" }, sink, signal);
  await door.ingest({ workspace: "T1", paths: ["/a.md"] }, () => {}, signal);
  await door.mendFullText({ workspace: "T1" });
  expect([asked[0]?.tenant, ingested[0]?.tenant]).toEqual([acme.tenant, acme.tenant]);
  expect(mended).toEqual([{ workspace: "acme" }]);
});

test("without a channel the place is the person's own direct message", async () => {
  const { operator: door, asked } = operator();
  await door.ask({ question: "pay?", workspace: "T2", as: "bob" }, sink, signal);
  expect(asked[0]).toMatchObject({ tenant: globex.tenant, channel: `C_DM_${bob.id}` });
});

test.each([
  ["alice in the private channel she is in", "alice", "board", undefined],
  ["bob in the private channel he is not in", "bob", "board", "CHANNEL_UNKNOWN"],
  ["bob in a channel that does not exist", "bob", "nowhere", "CHANNEL_UNKNOWN"],
  ["bob in an open channel he has not joined", "bob", "general", undefined],
  ["a guest in an open channel she is not in", "gina", "general", "CHANNEL_UNKNOWN"],
  ["somebody unknown", "zoe", "general", "PERSON_UNKNOWN"],
])("%s", async (_, as, channel, code) => {
  const { operator: door, asked } = operator();
  const asking = door.ask({ question: "x", workspace: "acme", channel, as }, sink, signal);
  if (code) await expect(asking).rejects.toMatchObject({ code });
  else await asking;
  expect(asked).toHaveLength(code ? 0 : 1);
});

test("documents are granted to everybody, to a channel or to a person, never wider than was said", async () => {
  const { operator: door, ingested } = operator();
  const ingest = (request: { channel?: string; person?: string }) =>
    door.ingest({ workspace: "acme", paths: ["/a.md"], ...request }, () => {}, signal);
  await ingest({});
  await ingest({ channel: "board" });
  await ingest({ person: "bob" });
  expect(ingested.map(({ grants }) => grants)).toEqual([["everyone"], [`channel:${board.id}`], [`person:${bob.id}`]]);
  await expect(ingest({ channel: "nowhere" })).rejects.toMatchObject({ code: "CHANNEL_UNKNOWN" });
  await expect(ingest({ person: "zoe" })).rejects.toMatchObject({ code: "PERSON_UNKNOWN" });
  expect(ingested).toHaveLength(3);
});

test("an unknown workspace is told with the names there are; a trace is found wherever it is", async () => {
  const { operator: door } = operator();
  await expect(door.ask({ question: "x", workspace: "initech", as: "alice" }, sink, signal)).rejects.toThrow("There are: acme, globex.");
  expect(await door.trace(known)).toMatchObject({ workspace: "globex" });
  for (const id of [newId(), "nonsense"]) await expect(door.trace(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
