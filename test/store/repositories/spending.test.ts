import { channelId, newId, personId, traceId } from "../../../src/core/ids.ts";
import { rememberBudgets, SpendingRepository } from "../../../src/store/repositories/spending.ts";
import { TraceRepository } from "../../../src/store/repositories/traces.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

describe.each(testDatabases)("what answers cost, on the %s database", (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db.close());

  const answer = (person: string, channel: string, inputTokens: number, outputTokens: number) => ({
    ...{ id: traceId(newId()), person: personId(person), channel: channelId(channel), startedAt: new Date(), ms: 1 },
    ...({ status: "answered", inputTokens, outputTokens, entries: [] } as const),
  });

  test("is counted once with each trace, however often that is saved", async () => {
    const tenant = await db.addTenant();
    const run = db.database.forTenant(tenant);
    const traces = new TraceRepository(run, tenant);
    const first = answer("U1", "C1", 100, 10);
    await Promise.all([
      traces.save(first),
      traces.save(first),
      traces.save(answer("U1", "C2", 1, 0)),
      traces.save(answer("U2", "C1", 5, 5)),
    ]);
    await traces.save(first);
    await traces.save({ ...answer("U1", "C2", 0, 0), status: "error", errorCode: "QUESTION_EMPTY" });
    expect(await new SpendingRepository(tenant, run, rememberBudgets()).ofPerson(personId("U1"))).toEqual({ answers: 2, tokens: 111 });
    const spent = await new SpendingRepository(tenant, run, rememberBudgets()).spent(channelId("C1"), personId("U1"));
    expect(spent).toEqual({ workspace: 121, channel: 120, person: 111 });
  });

  test("counts for its month only: what is left of another one says nothing", async () => {
    const tenant = await db.addTenant();
    const run = db.database.forTenant(tenant);
    await new TraceRepository(run, tenant).save(answer("U1", "C1", 100, 10));
    await run((manager) => manager.query("UPDATE usage_months SET month = (month - interval '1 month')::date"));
    expect(await new SpendingRepository(tenant, run, rememberBudgets()).spent(channelId("C1"), personId("U1"))).toEqual({
      ...{ workspace: 0, channel: 0, person: 0 },
    });
  });
});
