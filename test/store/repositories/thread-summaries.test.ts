import { defaultLimits } from "../../../src/agent/limits.ts";
import { conversation } from "../../../src/agent/memory/history.ts";
import { channelId, messageTs, personId } from "../../../src/core/ids.ts";
import { ThreadSummaryRepository } from "../../../src/store/repositories/thread-summaries.ts";
import { ThreadRepository } from "../../../src/store/repositories/threads.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

describe.each(testDatabases)("summaries of threads on the %s database", (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
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

  it("of a thread in the store cover what is not read word for word, and nothing else", async () => {
    const tenant = await test.addTenant();
    const transaction = test.database.forTenant(tenant);
    const threads = new ThreadRepository(transaction, tenant);
    const said = Array.from(
      { length: 70 },
      (_, at) => ({ ts: messageTs(`${100 + at}.1`), author: "person", person: personId("U1"), text: `m${at}.` }) as const,
    );
    await threads.add(...here, said);
    const asked: string[] = [];
    const ask = async (at: number) => {
      const question = {
        tenant,
        person: personId("U1"),
        channel: here[0],
        thread: here[1],
        message: messageTs(`${at}.1`),
        text: "And now?",
      };
      const memory = { threads, summaries: new ThreadSummaryRepository(transaction, tenant), directory: { person: async () => undefined } };
      const { messages, notice } = await conversation(question, memory, defaultLimits, async (older) => {
        asked.push(older.join(" "));
        return "They counted.";
      });
      return { contents: messages.map(({ content }) => content), notice };
    };
    const first = await ask(500);
    expect(first.notice).toContain("summarised");
    for (let at = 0; at < 70; at++) expect([...asked, ...first.contents].join(" ")).toContain(`m${at}.`);
    const again = await ask(501);
    expect([again.notice, again.contents, asked.length]).toEqual([undefined, first.contents, 1]);
  });
});
