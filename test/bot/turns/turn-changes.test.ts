import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { defaultQueueLimits } from "../../../src/bot/in/inbox.ts";
import type { DeletedMessage, EditedMessage } from "../../../src/bot/turns/turn-changes.ts";
import type { IncomingMessage, Lease, QueueLimits } from "../../../src/bot/turns/turn-store.ts";
import { channelId, messageTs, personId, type TenantId, type TurnId } from "../../../src/core/ids.ts";
import { ThreadRepository } from "../../../src/store/repositories/threads.ts";
import { TurnChangeRepository } from "../../../src/store/repositories/turn-changes.ts";
import { TurnQueueRepository } from "../../../src/store/repositories/turn-queue.ts";
import { TurnRepository } from "../../../src/store/repositories/turns.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const channel = channelId("C1");
const alice = personId("U1");
const bob = personId("U2");
const thread = messageTs("10.000001");
let next = 0;

function said(ts: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  next += 1;
  const at = messageTs(ts);
  return { eventId: `Ev${next}`, channel, thread: at, ts: at, person: alice, text: `question ${ts}`, asks: "always", ...more };
}
const reply = (ts: string, more: Partial<IncomingMessage> = {}) => said(ts, { thread, asks: "in-known-thread", ...more });
const wording = (ts: string, text: string, more: Partial<EditedMessage> = {}): EditedMessage => ({
  ...{ channel, ts: messageTs(ts), thread: messageTs(ts), person: alice, text, editedTs: messageTs("50.000001"), awaited: false },
  ...more,
});
const gone = (ts: string, more: Partial<DeletedMessage> = {}): DeletedMessage => ({
  ...{ channel, ts: messageTs(ts), thread: messageTs(ts), eventId: `Gone${ts}`, person: alice },
  ...more,
});

describe.each(testDatabases)("what people do about their questions, on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  let queue: TurnQueueRepository;
  let turns: TurnRepository;
  let changes: TurnChangeRepository;

  beforeAll(async () => {
    db = await openTestDatabase(kind);
    queue = new TurnQueueRepository(db.database.system);
  });
  afterAll(() => db?.close());
  beforeEach(async () => {
    await db.asOwner("DELETE FROM turn_queue");
    acme = await db.addTenant();
    turns = new TurnRepository(db.database.forTenant(acme), acme);
    changes = new TurnChangeRepository(db.database.forTenant(acme), acme);
  });

  const accept = (message: IncomingMessage) => turns.accept(message, defaultQueueLimits);
  const edit = (edited: EditedMessage, limits: Partial<QueueLimits> = {}, of = changes) =>
    of.edit(edited, { ...defaultQueueLimits, ...limits });
  const again = (turn: TurnId, attempt: number, limits: Partial<QueueLimits> = {}, of = changes) =>
    of.again(turn, { channel, person: alice, attempt }, { ...defaultQueueLimits, ...limits });
  async function claimed(): Promise<Lease> {
    const [lease] = await queue.claim({ leaseMs: 60_000, perTenant: 8, most: 1, after: undefined, except: [] });
    if (!lease) throw new Error("nothing to claim");
    return lease;
  }
  const begun = async () => {
    const lease = await claimed();
    return { lease, turn: await turns.start(lease) };
  };
  const memory = () => new ThreadRepository(db.database.forTenant(acme), acme).history(channel, thread, 50);
  const texts = async () => (await memory()).map(({ text }) => text);

  test("where others read along now, the answers that are being made begin anew, those of other channels and tenants go on", async () => {
    await accept(said(thread));
    await accept(said("11.000001", { channel: channelId("C2") }));
    const [here, elsewhere] = [await begun(), await begun()];
    await accept(said("12.000001"));
    expect(await changes.restart(channel, bob)).toEqual([here.lease.turn]);
    expect(await changes.restart(channel, bob)).toEqual([]);
    const globex = await db.addTenant();
    const other = new TurnChangeRepository(db.database.forTenant(globex), globex);
    expect(await other.restart(channelId("C2"), bob)).toEqual([]);
    expect(await turns.finish(here.lease, { status: "answered", answer: "for other eyes" })).toBe(false);
    expect(await turns.finish(elsewhere.lease, { status: "answered", answer: "fine" })).toBe(true);
    const audit = "SELECT actor || ' ' || action || ' ' || outcome AS line FROM audit_log WHERE tenant_id = ";
    expect(await db.asOwner(`${audit}'${acme}'`)).toEqual([{ line: "U2 audience-changed done" }]);
  });

  describe("an edit", () => {
    test("of a question that waits is what is asked in the end", async () => {
      await accept(said(thread));
      expect(await edit(wording(thread, "better"))).toBe("noted");
      expect((await begun()).turn).toMatchObject({ text: "better" });
      expect(await texts()).toEqual(["better"]);
    });

    test("of a question that is being answered begins the answer anew, and nothing of the old one is kept", async () => {
      await accept(said(thread));
      const { lease } = await begun();
      expect(await edit(wording(thread, "better"))).toBe("replaced");
      expect(await queue.halted([lease.turn])).toEqual([{ turn: lease.turn, halt: "replaced" }]);
      expect(await turns.finish(lease, { status: "answered", answer: "too late" })).toBe(false);
      await queue.release(lease);
      const again = await begun();
      expect(again.turn).toMatchObject({ id: lease.turn, text: "better", earlierAttempts: 1 });
      expect(again.turn?.halt).toBeUndefined();
      expect(await turns.finish(again.lease, { status: "answered", answer: "in time" })).toBe(true);
      expect(await texts()).toEqual(["better", "in time"]);
    });

    test("of an answered question asks it again; the old answer is not what was said any more", async () => {
      await accept(said(thread));
      const { lease } = await begun();
      await turns.journal(lease).note(0, messageTs("11.000001"));
      await turns.finish(lease, { status: "answered", answer: "old" });
      expect(await edit(wording(thread, "better"))).toBe("queued");
      expect(await texts()).toEqual(["better"]);
      const again = await begun();
      expect(await turns.journal(again.lease).posted()).toEqual(["11.000001"]);
      await turns.finish(again.lease, { status: "answered", answer: "new" });
      expect(await texts()).toEqual(["better", "new"]);
    });

    test("that changes no word, comes twice, is older than another one or somebody else's changes nothing", async () => {
      await accept(said(thread));
      const { lease } = await begun();
      await turns.finish(lease, { status: "answered", answer: "old" });
      expect(await edit(wording(thread, `question ${thread}`))).toBe("unchanged");
      expect(await edit(wording(thread, "theirs", { person: bob }))).toBe("unchanged");
      expect(await edit(wording(thread, "second", { editedTs: messageTs("52.000001") }))).toBe("queued");
      expect(await edit(wording(thread, "second", { editedTs: messageTs("52.000001") }))).toBe("unchanged");
      expect(await edit(wording(thread, "first", { editedTs: messageTs("51.000001") }))).toBe("unchanged");
      expect((await begun()).turn).toMatchObject({ text: "second" });
    });

    test("of a remark in a thread is how it is remembered; of a message that is none of ours nothing is kept", async () => {
      await accept(said(thread));
      await accept(reply("12.000001", { asks: "never", text: "a remark" }));
      expect(await edit(wording("12.000001", "another remark"))).toBe("noted");
      expect(await texts()).toEqual([`question ${thread}`, "another remark"]);
      expect(await edit(wording("13.000001", "none of ours"))).toBe("unchanged");
    });

    test("that comes at the very moment at which the answer ends is not lost", async () => {
      for (let round = 0; round < 8; round += 1) {
        const at = `2${round}.000001`;
        await accept(said(at));
        const { lease } = await begun();
        const [ended, edited] = await Promise.all([
          turns.finish(lease, { status: "answered", answer: "old" }),
          edit(wording(at, "better", { editedTs: messageTs(`6${round}.000001`) })),
        ]);
        expect([ended, edited]).toEqual(ended ? [true, "queued"] : [false, "replaced"]);
        await queue.release(lease);
        const again = await begun();
        expect(again.turn).toMatchObject({ text: "better" });
        await turns.finish(again.lease, { status: "answered" });
      }
    });
  });

  describe("a deletion", () => {
    test("of a question that waits or runs cancels it, and its words are gone", async () => {
      await accept(said(thread));
      const turn = await changes.remove(gone(thread));
      const { lease, turn: started } = await begun();
      expect(turn).toBe(lease.turn);
      expect(started).toMatchObject({ halt: "cancelled", text: "" });
      expect(await texts()).toEqual([]);
      // An edit that comes later brings nothing back.
      expect(await edit(wording(thread, "back"))).toBe("unchanged");
    });

    test("of an answered question forgets its words; it is not asked again by any button", async () => {
      await accept(said(thread));
      const { lease } = await begun();
      await turns.finish(lease, { status: "answered", answer: "the answer" });
      expect(await changes.remove(gone(thread))).toBeUndefined();
      expect(await texts()).toEqual(["the answer"]);
      expect(await again(lease.turn, 0)).toBe("not-offered");
    });

    test("that overtakes its message keeps it from being asked", async () => {
      await changes.remove(gone(thread));
      expect(await accept(said(thread))).toBe("ignored");
    });
  });

  describe("a reply that comes before the question that began its thread", () => {
    test("is asked after it, each once, in order", async () => {
      expect(await accept(reply("12.000001"))).toBe("ignored");
      expect(await accept(reply("11.000001", { asks: "never", text: "to a colleague" }))).toBe("ignored");
      expect(await accept(reply("13.000001"))).toBe("ignored");
      expect(await accept(said(thread))).toBe("queued");
      expect(await accept(reply("12.000001"))).toBe("seen");
      const order: (string | undefined)[] = [];
      for (let i = 0; i < 3; i += 1) {
        const { lease, turn } = await begun();
        order.push(turn?.ts);
        await turns.finish(lease, { status: "answered" });
      }
      expect(order).toEqual([thread, "12.000001", "13.000001"]);
      expect(await texts()).toEqual([`question ${thread}`, "to a colleague", "question 12.000001", "question 13.000001"]);
    });

    test("is none of ours when the question comes after it in the thread", async () => {
      await accept(reply("12.000001"));
      await accept(said("13.000001", { thread }));
      expect(await texts()).toEqual(["question 13.000001"]);
    });

    test("may be edited and deleted meanwhile", async () => {
      await accept(reply("12.000001"));
      await accept(reply("13.000001"));
      expect(await edit(wording("12.000001", "better"))).toBe("noted");
      await changes.remove(gone("13.000001", { thread }));
      await accept(said(thread));
      expect(await texts()).toEqual([`question ${thread}`, "better"]);
    });

    test("is not kept for long", async () => {
      await accept(reply("12.000001"));
      await db.asOwner("UPDATE early_messages SET received_at = now() - interval '1 hour'");
      await accept(said("20.000001", { thread: messageTs("19.000001"), asks: "in-known-thread" }));
      const left = await db.asOwner<{ ts: string }>(`SELECT ts FROM early_messages WHERE tenant_id = '${acme}'`);
      expect(left).toEqual([{ ts: "20.000001" }]);
    });
  });

  describe("an edit that overtakes its message", () => {
    const overtaking = (text: string, more: Partial<EditedMessage> = {}) => wording(thread, text, { awaited: true, ...more });

    test("is how it is asked and remembered, once it comes; the later of two counts, whichever came first", async () => {
      expect(await edit(overtaking("third", { editedTs: messageTs("52.000001") }))).toBe("noted");
      expect(await edit(overtaking("second", { editedTs: messageTs("51.000001") }))).toBe("unchanged");
      expect(await accept(said(thread))).toBe("queued");
      expect((await begun()).turn).toMatchObject({ text: "third" });
      expect(await texts()).toEqual(["third"]);
      // Neither an older wording nor the message itself, delivered once more, changes that.
      expect(await edit(overtaking("second", { editedTs: messageTs("51.000001") }))).toBe("unchanged");
      expect(await accept(said(thread))).toBe("seen");
      expect(await texts()).toEqual(["third"]);
    });

    test("also when it begins as it is stored, and when it is a reply that waits for its thread's first question", async () => {
      await edit(overtaking("better"));
      expect(await turns.accept(said(thread), defaultQueueLimits, { leaseMs: 600_000, perTenant: 8 })).toMatchObject({
        turn: { text: "better" },
      });
      const root = messageTs("20.000001");
      const late = { thread: root, asks: "in-known-thread" } as const;
      await edit(wording("21.000001", "a better reply", { thread: root, awaited: true }));
      expect(await accept(said("21.000001", late))).toBe("ignored");
      await accept(said(root));
      const history = await new ThreadRepository(db.database.forTenant(acme), acme).history(channel, root, 50);
      expect(history.map(({ text }) => text)).toEqual([`question ${root}`, "a better reply"]);
    });

    test("is kept neither for what is none of ours, nor for long after the message; a deletion takes it along", async () => {
      expect(await edit(overtaking("none of ours", { awaited: false }))).toBe("unchanged");
      expect(await edit(overtaking("an hour later", { editedTs: messageTs("3700.000001") }))).toBe("unchanged");
      expect(await edit(overtaking("theirs", { person: bob }))).toBe("noted");
      expect(await accept(said(thread))).toBe("queued");
      expect(await texts()).toEqual([`question ${thread}`]);
      await edit(wording("30.000001", "better", { awaited: true }));
      await changes.remove(gone("30.000001"));
      expect(await accept(said("30.000001"))).toBe("ignored");
    });

    test("at the very moment at which it is stored is not lost", async () => {
      for (let round = 0; round < 6; round += 1) {
        const at = `4${round}.000001`;
        await Promise.all([accept(said(at)), edit(wording(at, "better", { awaited: true, editedTs: messageTs(`6${round}.000001`) }))]);
        const { lease, turn } = await begun();
        expect(turn).toMatchObject({ ts: at, text: "better" });
        await turns.finish(lease, { status: "answered" });
      }
    });
  });

  describe("asking again counts like a question", () => {
    const answered = async (at: string) => {
      await accept(said(at));
      const { lease } = await begun();
      await turns.finish(lease, { status: "answered", answer: `answer to ${at}` });
      return lease.turn;
    };

    test.each([
      ["thread-full", { perThread: 1 }],
      ["workspace-full", { perTenant: 1 }],
      ["workspace-full", { total: 1 }],
    ] as const)(
      "by an edit and by the button (%s, %j): refused, and the answer that is there stays; else queued",
      async (refused, limits) => {
        const first = await answered(thread);
        await accept(reply("12.000001"));
        expect(await again(first, 0, limits)).toEqual({ refused, thread });
        expect(await edit(wording(thread, "better"), limits)).toEqual({ refused, thread });
        expect(await texts()).toEqual(["better", `answer to ${thread}`, "question 12.000001"]);
        // The new wording is what the button asks when there is room again.
        expect(await again(first, 0)).toBe("queued");
        await turns.finish((await begun()).lease, { status: "answered" });
        expect((await begun()).turn).toMatchObject({ id: first, text: "better" });
      },
    );
  });

  test("a wish to stop counts once: its later deliveries stop nothing that was asked again meanwhile; another wish does", async () => {
    await accept(said(thread));
    const { lease } = await begun();
    expect(await changes.stop([lease.turn], alice, "one")).toEqual([lease.turn]);
    await turns.finish(lease, { status: "stopped", answer: "half" });
    expect(await again(lease.turn, 0)).toBe("queued");
    expect(await changes.stop([lease.turn], alice, "one")).toBeUndefined();
    expect(await queue.halted([lease.turn])).toEqual([]);
    expect(await changes.stop([lease.turn], alice, "two")).toEqual([lease.turn]);
    // One that found nothing says nothing about what is asked after it.
    expect(await changes.stop([], alice, "three")).toEqual([]);
    expect(await changes.stop([lease.turn], alice, "three")).toBeUndefined();
  });

  test("what one workspace's people do changes nothing in another one with the same ids", async () => {
    await accept(said(thread));
    const { lease } = await begun();
    const globex = await db.addTenant();
    const others = new TurnChangeRepository(db.database.forTenant(globex), globex);
    expect(await edit(wording(thread, "theirs"), {}, others)).toBe("unchanged");
    expect(await others.remove(gone(thread))).toBeUndefined();
    expect(await others.unfinished({ channel })).toEqual([]);
    expect(await others.stop([lease.turn], alice, "a wish")).toEqual([]);
    expect(await again(lease.turn, 0, {}, others)).toBe("not-offered");
    expect(await queue.halted([lease.turn])).toEqual([]);
  });
});
