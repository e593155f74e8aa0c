import type { TraceRecord } from "../../src/agent/trace.ts";
import { channelId, documentId, messageTs, newId, personId, traceId } from "../../src/core/ids.ts";
import { TraceRepository } from "../../src/store/repositories/traces.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const record = (changes: Partial<TraceRecord> = {}): TraceRecord => ({
  id: traceId(newId()),
  person: personId("U1"),
  channel: channelId("C1"),
  thread: messageTs("1719282819.000100"),
  message: messageTs("1719282820.000200"),
  cited: [
    { n: 1, id: "p1", relevance: 0.5, documentId: documentId("d1") },
    { n: 2, id: "https://a.example", relevance: 0, title: "A", passage: "Said there." },
  ],
  startedAt: new Date("2026-03-02T10:00:00.123Z"),
  ms: 1234,
  status: "answered",
  inputTokens: 10,
  outputTokens: 5,
  entries: [
    { kind: "model", step: 1, model: "m", ms: 5, inputTokens: 10, outputTokens: 5, finish: "done" },
    {
      ...{ kind: "tool", step: 1, tool: "query_documents", arguments: { query: "leave" }, verdict: "enabled" },
      ...{ status: "success", ms: 7, size: 100, sources: 2 },
    } as const,
  ],
  ...changes,
});

describe.each(testDatabases)("traces on the %s database", (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
  afterAll(() => test.close());

  const tracesOf = async () => {
    const tenant = await test.addTenant();
    return new TraceRepository(test.database.forTenant(tenant), tenant);
  };

  it("come back as they were saved", async () => {
    const traces = await tracesOf();
    const full = record();
    const { thread: _none, message: _neither, cited: _nothing, ...bare } = record({ status: "error", errorCode: "INTERNAL" });
    await traces.save(full);
    await traces.save(bare);
    expect(await traces.find(full.id)).toEqual(full);
    expect(await traces.find(bare.id)).toEqual(bare);
  });

  it("are seen by their own tenant only", async () => {
    const [ours, theirs] = [await tracesOf(), await tracesOf()];
    const trace = record();
    await ours.save(trace);
    expect(await theirs.find(trace.id)).toBeUndefined();
    expect(await ours.find(trace.id)).toBeDefined();
  });

  it("are kept whatever a model wrote into its arguments", async () => {
    const traces = await tracesOf();
    const odd = record({
      entries: [
        {
          ...{ kind: "tool", step: 1, tool: "x", arguments: { "a\0b": "nul \0 and half \uD83E pair" }, verdict: "enabled" },
          ...{ status: "success", ms: 1, size: 1, sources: 0 },
        } as const,
      ],
    });
    await traces.save(odd);
    expect((await traces.find(odd.id))?.entries[0]).toMatchObject({ arguments: { ab: "nul  and half \uFFFD pair" } });
  });

  it("asked for by something that is no id are simply not there", async () => {
    expect(await (await tracesOf()).find(traceId("'; drop table traces"))).toBeUndefined();
  });
});
