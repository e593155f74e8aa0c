import { channelId, messageTs } from "../../../src/core/ids.ts";
import { ThreadSummaryRepository } from "../../../src/store/repositories/thread-summaries.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

describe.each(testDatabases)("summaries of threads on the %s database", (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  }, 60_000);
  afterAll(() => test.close());

  const here = [channelId("C1"), messageTs("100.1")] as const;
  async function summaries() {
    const tenant = await test.addTenant();
    return new ThreadSummaryRepository(test.database.forTenant(tenant), tenant);
  }

  it("come back as they were saved, and a longer one takes the place of the shorter", async () => {
    const of = await summaries();
    expect(await of.find(...here)).toBeUndefined();
    await of.save(...here, { text: "They discussed leave.", until: messageTs("900.5") });
    expect(await of.find(...here)).toEqual({ text: "They discussed leave.", until: "900.5" });
    await of.save(...here, { text: "And travel.", until: messageTs("1000.5") });
    expect(await of.find(...here)).toEqual({ text: "And travel.", until: "1000.5" });
  });

  it("are not replaced by one that reaches less far", async () => {
    const of = await summaries();
    await of.save(...here, { text: "All of it.", until: messageTs("1000.5") });
    await of.save(...here, { text: "Half of it.", until: messageTs("900.5") });
    expect((await of.find(...here))?.text).toBe("All of it.");
  });

  it("belong to one thread of one channel of one workspace", async () => {
    const [of, others] = [await summaries(), await summaries()];
    await of.save(...here, { text: "Ours.", until: messageTs("900.5") });
    expect(await of.find(channelId("C2"), here[1])).toBeUndefined();
    expect(await of.find(here[0], messageTs("100.2"))).toBeUndefined();
    expect(await others.find(...here)).toBeUndefined();
    expect((await of.find(...here))?.text).toBe("Ours.");
  });
});
