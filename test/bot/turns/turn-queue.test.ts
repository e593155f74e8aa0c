import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { defaultQueueLimits } from "../../../src/bot/in/inbox.ts";
import type { Begun, ClaimWish, IncomingMessage, Lease, QueueLimits } from "../../../src/bot/turns/turn-store.ts";
import { channelId, messageTs, personId, type TenantId } from "../../../src/core/ids.ts";
import { ThreadRepository } from "../../../src/store/repositories/threads.ts";
import { TurnQueueRepository } from "../../../src/store/repositories/turn-queue.ts";
import { TurnRepository } from "../../../src/store/repositories/turns.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const channel = channelId("C1");
const alice = personId("U1");
const bob = personId("U2");
let next = 0;

function said(ts: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  next += 1;
  const at = messageTs(ts);
  return { eventId: `Ev${next}`, channel, thread: at, ts: at, person: alice, text: `question ${ts}`, asks: "always", ...more };
}

describe.each(testDatabases)("turns on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  let globex: TenantId;
  let queue: TurnQueueRepository;

  beforeAll(async () => {
    db = await openTestDatabase(kind);
    queue = new TurnQueueRepository(db.database.system);
  });
  afterAll(() => db?.close());
  beforeEach(async () => {
    await db.asOwner("DELETE FROM turn_queue");
    acme = await db.addTenant();
    globex = await db.addTenant();
  });

  const turnsOf = (tenant: TenantId) => new TurnRepository(db.database.forTenant(tenant), tenant);
  const threadsOf = (tenant: TenantId) => new ThreadRepository(db.database.forTenant(tenant), tenant);
  const accept = (tenant: TenantId, message: IncomingMessage, limits: Partial<QueueLimits> = {}) =>
    turnsOf(tenant).accept(message, { ...defaultQueueLimits, ...limits });
  const claimSome = (wish: Partial<ClaimWish> = {}) =>
    queue.claim({ leaseMs: 60_000, perTenant: 8, most: 1, after: undefined, except: [], ...wish });
  const claim = async (wish: Partial<ClaimWish> = {}) => (await claimSome(wish))[0];
  const renewed = async (lease: Lease) => (await queue.renew([lease], 600_000)).get(lease.token);
  async function claimed(): Promise<Lease> {
    const lease = await claim();
    if (!lease) throw new Error("nothing to claim");
    return lease;
  }

  /** Stores a message in a process that has room. */
  const ask = (tenant: TenantId, message: IncomingMessage, perTenant = 8, leaseMs = 600_000) =>
    turnsOf(tenant).accept(message, defaultQueueLimits, { leaseMs, perTenant });
  async function begun(tenant: TenantId, message: IncomingMessage, perTenant = 8, leaseMs = 600_000): Promise<Begun> {
    const accepted = await ask(tenant, message, perTenant, leaseMs);
    if (typeof accepted === "string") throw new Error(`It is ${accepted}.`);
    return accepted;
  }

  describe("a question that nothing is before begins as it is stored", () => {
    test("with all that its worker must know, and nobody else can take it", async () => {
      const message = said("50.1", { thread: messageTs("50.0"), files: ["a.pdf"] });
      const { lease, turn, moreWait } = await begun(acme, message);
      const { channel, thread, ts, person, text, files } = message;
      expect(turn).toEqual({ ...{ channel, thread, ts, person, text, files }, id: lease.turn, earlierAttempts: 0, joinsThread: true });
      expect([lease.tenant, lease.attempt, moreWait]).toEqual([acme, 1, false]);
      expect(await claim()).toBeUndefined();
      expect(await ask(acme, message)).toBe("seen");
      expect(await renewed(lease)).toBe("renewed");
      await turnsOf(acme).journal(lease).note(0, messageTs("50.5"));
      expect(await turnsOf(acme).finish(lease, { status: "answered", answer: "yes" })).toBe(true);
      expect((await begun(acme, said("50.6", { thread: messageTs("50.0") }))).turn.joinsThread).toBe(false);
    });

    test("when its worker dies, another one goes on with it", async () => {
      const old = await begun(acme, said("51.1"), 8, 1);
      let fresh: Lease | undefined;
      while (!fresh) fresh = await claim();
      expect(fresh).toMatchObject({ turn: old.lease.turn, attempt: 2 });
      expect(await renewed(old.lease)).toBeUndefined();
      expect(await turnsOf(acme).start(fresh)).toMatchObject({ ts: "51.1", earlierAttempts: 1 });
    });

    test("but not while another one of its thread runs or waits", async () => {
      const thread = messageTs("52.0");
      const { lease } = await begun(acme, said("52.1", { thread }));
      expect(await ask(acme, said("52.2", { thread }))).toBe("queued");
      await turnsOf(acme).finish(lease, { status: "answered" });
      expect(await ask(acme, said("52.3", { thread }))).toBe("queued");
      const second = await claimed();
      expect(await turnsOf(acme).start(second)).toMatchObject({ ts: "52.2" });
      await queue.postpone(second, 3_600_000);
      expect(await ask(acme, said("52.4", { thread }))).toBe("queued");
    });

    test("nor beyond what its workspace may have at once, over all processes", async () => {
      for (const ts of ["53.1", "53.2"]) await begun(acme, said(ts), 2);
      expect(await ask(acme, said("53.3"), 2)).toBe("queued");
      // Another one's backlog that has no place itself holds nobody up; one that has a place goes first.
      await begun(globex, said("53.4"), 2);
      expect(await ask(globex, said("53.5"), 3)).toBe("queued");
    });

    test("nor before another workspace's question that waits for a worker", async () => {
      await accept(globex, said("54.1"));
      expect(await ask(acme, said("54.2"))).toBe("queued");
      const first = await claimed();
      await queue.postpone(first, 3_600_000);
      const second = await claimed();
      expect(new Set([first.tenant, second.tenant])).toEqual(new Set([acme, globex]));
      // What is put off, and what waits behind a question that runs, waits for no worker.
      const running = await turnsOf(second.tenant).start(second);
      await accept(second.tenant, said("54.3", { thread: running?.thread ?? messageTs("none") }));
      expect(await ask(acme, said("54.4"))).toMatchObject({ lease: { attempt: 1 } });
    });

    test("replies that came before it are queued behind it", async () => {
      const thread = messageTs("55.1");
      await ask(acme, said("55.2", { thread, asks: "in-known-thread" }));
      const { lease, moreWait } = await begun(acme, said("55.1"));
      expect([moreWait, await claim()]).toEqual([true, undefined]);
      await turnsOf(acme).finish(lease, { status: "answered" });
      expect(await turnsOf(acme).start(await claimed())).toMatchObject({ ts: "55.2" });
    });

    test("many at once, at processes that take from the queue besides: each runs once, none beyond the limit, none is lost", async () => {
      const running: Lease[] = [];
      const stored = Array.from({ length: 12 }, async (_, i) => {
        const accepted = await ask(acme, said(`56.${i + 1}`), 5);
        if (typeof accepted === "object") running.push(accepted.lease);
      });
      const taken = Array.from({ length: 4 }, async () => void running.push(...(await claimSome({ most: 3, perTenant: 5 }))));
      await Promise.all([...stored, ...taken]);
      expect(running.length).toBeLessThanOrEqual(5);
      let ended = 0;
      for (let lease = running.shift(); lease; lease = running.shift()) {
        expect(await turnsOf(acme).finish(lease, { status: "answered" })).toBe(true);
        ended += 1;
        if (ended < 12 && running.length === 0) running.push(...(await claimSome({ most: 12, perTenant: 5 })));
      }
      expect(ended).toBe(12);
    });
  });

  test("the same event four times, two of them at once, is one turn", async () => {
    const message = said("10.1");
    const outcomes = [...(await Promise.all([accept(acme, message), accept(acme, message)]))];
    outcomes.push(await accept(acme, message), await accept(acme, message));

    expect(outcomes.filter((outcome) => outcome === "queued")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "seen")).toHaveLength(3);
  });

  test("two events about one message are one turn, in either order and at once", async () => {
    const outcomes = await Promise.all([accept(acme, said("10.2")), accept(acme, said("10.2"))]);
    expect(outcomes.sort()).toEqual(["queued", "seen"]);
  });

  test("the same ids in two workspaces are two turns, each in its own", async () => {
    const message = said("10.3");
    expect(await accept(acme, message)).toBe("queued");
    expect(await accept(globex, message)).toBe("queued");

    const leases = [await claimed(), await claimed()];
    expect(new Set(leases.map((lease) => lease.tenant))).toEqual(new Set([acme, globex]));
    for (const lease of leases) {
      const other = lease.tenant === acme ? globex : acme;
      expect(await turnsOf(other).start(lease)).toBeUndefined();
      expect(await turnsOf(lease.tenant).start(lease)).toMatchObject({ ts: "10.3" });
    }
  });

  test("questions of one thread run one after the other, in order", async () => {
    const thread = messageTs("11.0");
    for (const ts of ["11.1", "11.2", "11.3"]) await accept(acme, said(ts, { thread }));

    const order: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const lease = await claimed();
      expect(await claim()).toBeUndefined();
      order.push((await turnsOf(acme).start(lease))?.ts ?? "");
      expect(await turnsOf(acme).finish(lease, { status: "answered" })).toBe(true);
    }
    expect(order).toEqual(["11.1", "11.2", "11.3"]);
  });

  test("a claim says whether others wait: in another thread, behind it in its own, or in another workspace", async () => {
    await accept(acme, said("11.5"));
    expect(await claim()).toMatchObject({ moreWait: false });
    await accept(acme, said("11.6", { thread: messageTs("11.5") }));
    await accept(globex, said("11.7"));
    expect(await claim()).toMatchObject({ tenant: globex, moreWait: true });
    expect(await claim()).toBeUndefined();
  });

  test("a process with room takes many at once: each thread's oldest, in order, within the workspace's limit and its share", async () => {
    for (const ts of ["15.1", "15.2", "15.3"]) await accept(acme, said(ts));
    await accept(acme, said("15.4", { thread: messageTs("15.1") }));
    const claims = await claimSome({ most: 10 });
    const started = await Promise.all(claims.map((lease) => turnsOf(acme).start(lease)));
    expect(started.map((turn) => turn?.ts)).toEqual(["15.1", "15.2", "15.3"]);
    expect(new Set(claims.map(({ token }) => token)).size).toBe(3);
    expect(claims.every(({ moreWait }) => moreWait)).toBe(true);

    for (let i = 0; i < 6; i += 1) await accept(globex, said(`16.${i + 1}`));
    expect(await claimSome({ most: 10, perTenant: 4 })).toHaveLength(4);
    expect(await claimSome({ most: 10, perTenant: 4 })).toHaveLength(0);
    for (const ts of ["17.1", "17.2"]) await accept(acme, said(ts));
    // Both wait: of four places each may have two.
    expect(await claimSome({ most: 4 })).toHaveLength(2);
    expect(await claimSome({ most: 4 })).toHaveLength(2);
  });

  test("many threads run at once, up to the workspace's limit", async () => {
    for (let i = 0; i < 4; i += 1) await accept(acme, said(`12.${i + 1}`));
    expect(await claim({ perTenant: 3 })).toBeDefined();
    expect(await claim({ perTenant: 3 })).toBeDefined();
    expect(await claim({ perTenant: 3 })).toBeDefined();
    expect(await claim({ perTenant: 3 })).toBeUndefined();
    expect(await claim({ perTenant: 4 })).toBeDefined();
  });

  test("a workspace with many waiting questions does not hold up another one", async () => {
    for (let i = 0; i < 20; i += 1) await accept(acme, said(`13.${i + 1}`));
    await accept(globex, said("14.1"));
    await accept(globex, said("14.2"));

    const order: TenantId[] = [];
    for (let i = 0; i < 4; i += 1) order.push((await claim({ after: order.at(-1) }))?.tenant as TenantId);
    expect(order.filter((tenant) => tenant === globex)).toHaveLength(2);
  });

  test("workspaces take turns, however long one has been waiting", async () => {
    for (let i = 0; i < 3; i += 1) await accept(acme, said(`14.${i + 11}`));
    for (let i = 0; i < 3; i += 1) await accept(globex, said(`14.${i + 21}`));

    const order: TenantId[] = [];
    for (let i = 0; i < 4; i += 1) {
      const lease = await claim({ after: order.at(-1) });
      if (!lease) throw new Error("nothing to claim");
      order.push(lease.tenant);
      await turnsOf(lease.tenant).finish(lease, { status: "answered" });
    }
    expect(order[0]).not.toBe(order[1]);
    expect(order.slice(2)).toEqual(order.slice(0, 2));
  });

  test("a claim under way in one process is not seen as free in another", async () => {
    for (let i = 0; i < 6; i += 1) await accept(acme, said(`15.${i + 1}`));
    const leases = await Promise.all(Array.from({ length: 8 }, () => claim({ perTenant: 5 })));
    const turns = leases.flatMap((lease) => (lease ? [lease.turn] : []));
    expect(turns).toHaveLength(5);
    expect(new Set(turns).size).toBe(5);
  });

  test("after a lease has run out another worker takes over, and the old one can write nothing more", async () => {
    await accept(acme, said("16.1"));
    const old = await claim({ leaseMs: 1 });
    if (!old) throw new Error("no lease");
    let fresh: Lease | undefined;
    while (!fresh) fresh = await claim();

    expect(fresh).toMatchObject({ turn: old.turn, attempt: 2 });
    expect(await renewed(old)).toBeUndefined();
    expect(await turnsOf(acme).start(old)).toBeUndefined();
    await expect(turnsOf(acme).journal(old).note(0, messageTs("17.0"))).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(await turnsOf(acme).finish(old, { status: "answered", answer: "late" })).toBe(false);
    expect(await turnsOf(acme).start(fresh)).toMatchObject({ earlierAttempts: 0 });
    await turnsOf(acme).journal(fresh).note(0, messageTs("17.1"));
    expect(await turnsOf(acme).journal(fresh).posted()).toEqual(["17.1"]);
    expect(await turnsOf(acme).finish(fresh, { status: "answered", answer: "in time" })).toBe(true);
    expect((await threadsOf(acme).history(channel, messageTs("16.1"), 10)).map((message) => message.text)).toEqual([
      "question 16.1",
      "in time",
    ]);
  });

  test("leases are renewed together: those that are another's are told apart, and one whose turn is being written to holds up no other", async () => {
    for (const ts of ["17.5", "17.6", "17.7"]) await accept(acme, said(ts));
    const [lost, busy, free] = await claimSome({ most: 3 });
    if (!lost || !busy || !free) throw new Error("no leases");
    const outcomes = async () => {
      const renewed = await queue.renew([{ ...lost, token: free.token }, lost, busy, free], 600_000);
      return [lost, busy, free].map(({ token }) => renewed.get(token));
    };
    await db.asOwner(`UPDATE turn_queue SET lease_token = gen_random_uuid() WHERE turn_id = '${lost.turn}'`);
    expect(await outcomes()).toEqual([undefined, "renewed", "renewed"]);
    // Connections to the embedded database take turns: nothing else happens inside a transaction.
    if (kind === "embedded") return;
    let written: () => void = () => undefined;
    const writing = new Promise<void>((begun) => {
      void db.database.forTenant(acme)(async (manager) => {
        await manager.query("SELECT FROM turn_queue WHERE turn_id = $1 FOR UPDATE", [busy.turn]);
        begun();
        await new Promise<void>((resolve) => {
          written = resolve;
        });
      });
    });
    await writing;
    expect(await outcomes()).toEqual([undefined, "busy", "renewed"]);
    written();
  });

  test("a process is not given what it is still at work on, though the lease has run out; another process is", async () => {
    await accept(acme, said("17.8"));
    const [held] = await claimSome({ leaseMs: 1 });
    if (!held) throw new Error("no lease");
    const ranOut = () => db.asOwner(`SELECT FROM turn_queue WHERE turn_id = '${held.turn}' AND lease_until <= clock_timestamp()`);
    while ((await ranOut()).length === 0);
    expect(await claimSome({ except: [held.turn] })).toEqual([]);
    expect(await renewed(held)).toBe("renewed");
    await queue.renew([held], 0);
    expect(await claimSome()).toMatchObject([{ turn: held.turn, attempt: 2 }]);
  });

  test("a turn that is handed over starts at once and does not count as a failed try", async () => {
    await accept(acme, said("18.1"));
    const lease = await claimed();
    expect(await turnsOf(acme).start(lease)).toBeDefined();
    await queue.release(lease);
    expect(await claim()).toMatchObject({ turn: lease.turn, attempt: 1 });
  });

  test("a fifth question in a thread and a question over the workspace's limit are refused, the ones before are not", async () => {
    const thread = messageTs("19.0");
    const outcomes = [];
    for (let i = 1; i <= 5; i += 1) outcomes.push(await accept(acme, said(`19.${i}`, { thread })));
    expect(outcomes).toEqual(["queued", "queued", "queued", "queued", "thread-full"]);

    expect(await accept(acme, said("20.1"), { perTenant: 5 })).toBe("queued");
    expect(await accept(acme, said("20.2"), { perTenant: 5 })).toBe("workspace-full");
    expect(await accept(globex, said("20.3"), { perTenant: 5 })).toBe("queued");
  });

  test("a refused question stays refused when Slack delivers it again", async () => {
    const message = said("21.2");
    await accept(acme, said("21.1"), { perTenant: 1 });
    expect(await accept(acme, message, { perTenant: 1 })).toBe("workspace-full");
    expect(await accept(acme, message, { perTenant: 100 })).toBe("seen");
  });

  test("what was said in a thread before the first question is no question, though it arrives after it", async () => {
    const thread = messageTs("23.1");
    expect(await accept(acme, said("23.10", { thread }))).toBe("queued");
    expect(await accept(acme, said("23.2", { thread, person: bob, asks: "in-known-thread" }))).toBe("queued");
    expect(await accept(acme, said("23.09", { thread, person: bob, asks: "in-known-thread" }))).toBe("ignored");
  });

  test("the thread remembers everybody's words once the bot takes part, and nothing of threads without it", async () => {
    const thread = messageTs("22.1");
    expect(await accept(acme, said("22.0", { thread, person: bob, asks: "in-known-thread" }))).toBe("ignored");
    expect(await accept(acme, said("22.1", { text: "first" }))).toBe("queued");
    const lease = await claimed();
    await turnsOf(acme).start(lease);
    await turnsOf(acme).journal(lease).note(0, messageTs("22.5"));
    await turnsOf(acme).finish(lease, { status: "answered", answer: "answer one" });
    expect(await accept(acme, said("22.6", { thread, person: bob, text: "psst", asks: "never" }))).toBe("kept");
    expect(await accept(acme, said("22.7", { thread, person: bob, text: "and for my team?", asks: "in-known-thread" }))).toBe("queued");
    expect(await accept(globex, said("22.8", { thread, asks: "in-known-thread" }))).toBe("ignored");

    const history = await threadsOf(acme).history(channel, thread, 10);
    expect(history.map(({ author, person, text }) => [author, person, text])).toEqual([
      ["person", alice, "first"],
      ["assistant", undefined, "answer one"],
      ["person", bob, "psst"],
      ["person", bob, "and for my team?"],
    ]);
    expect(await threadsOf(globex).history(channel, thread, 10)).toEqual([]);
  });

  test("a follow-up written while the first answer was being made still sees that answer before it", async () => {
    const thread = messageTs("9.1");
    await accept(acme, said("9.1", { text: "one" }));
    await accept(acme, said("10.1", { thread, text: "two" }));
    const lease = await claimed();
    await turnsOf(acme).journal(lease).note(0, messageTs("11.1"));
    await turnsOf(acme).finish(lease, { status: "answered", answer: "answer to one" });

    const history = await threadsOf(acme).history(channel, thread, 10, messageTs("10.1"));
    expect(history.map((message) => message.text)).toEqual(["one", "answer to one"]);
    const newest = await threadsOf(acme).history(channel, thread, 2);
    expect(newest.map((message) => message.text)).toEqual(["answer to one", "two"]);
  });

  test("what was said before the bot came is added once", async () => {
    const thread = messageTs("30.1");
    const before = [{ ts: messageTs("30.1"), author: "person" as const, person: bob, text: "old" }];
    await threadsOf(acme).add(channel, thread, before);
    await threadsOf(acme).add(channel, thread, before);
    expect(await threadsOf(acme).history(channel, thread, 10)).toEqual(before);
  });

  test("a failed answer is tried again for its asker only, once per failure, and only while not too many wait", async () => {
    const retry = (tenant: TenantId, turn: Lease["turn"], at = { channel, person: alice }, limits: Partial<QueueLimits> = {}) =>
      turnsOf(tenant).retry(turn, at, { ...defaultQueueLimits, ...limits });
    await accept(acme, said("31.1"));
    const { turn, ...lease } = await claimed();
    expect(await retry(acme, turn)).toBe("not-offered");
    await turnsOf(acme).start({ turn, ...lease });
    await turnsOf(acme).finish({ turn, ...lease }, { status: "failed", errorCode: "MODEL_FAILED" });

    expect(await retry(acme, turn, { channel, person: bob })).toBe("not-offered");
    expect(await retry(acme, turn, { channel: channelId("C2"), person: alice })).toBe("not-offered");
    expect(await retry(globex, turn)).toBe("not-offered");
    await accept(acme, said("31.2", { thread: messageTs("31.1") }));
    expect(await retry(acme, turn, undefined, { perThread: 1 })).toEqual({ refused: "thread-full", thread: "31.1" });
    expect(await retry(acme, turn, undefined, { perTenant: 1 })).toEqual({ refused: "workspace-full", thread: "31.1" });
    expect(await retry(acme, turn, undefined, { total: 1 })).toEqual({ refused: "workspace-full", thread: "31.1" });
    const clicks = await Promise.all([retry(acme, turn), retry(acme, turn)]);
    expect(clicks.sort()).toEqual(["not-offered", "queued"]);
    await turnsOf(acme).finish(await claimed(), { status: "answered" });
    const again = await claimed();
    expect(again).toMatchObject({ turn, attempt: 1 });
    expect(await turnsOf(acme).start(again)).toMatchObject({ earlierAttempts: 1, ts: "31.1" });
  });

  test("a mention in a thread that began without the bot is known to join it, a second one is not", async () => {
    const thread = messageTs("32.0");
    await accept(acme, said("32.1", { thread }));
    const first = await claimed();
    expect(await turnsOf(acme).start(first)).toMatchObject({ joinsThread: true });
    await turnsOf(acme).finish(first, { status: "answered" });
    await accept(acme, said("32.2", { thread }));
    expect(await turnsOf(acme).start(await claimed())).toMatchObject({ joinsThread: false });
  });
});
