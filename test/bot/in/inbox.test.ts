import { expect, test } from "@jest/globals";
import { Inbox } from "../../../src/bot/in/inbox.ts";
import type { Accepted, IncomingMessage } from "../../../src/bot/turns/turn-store.ts";
import { channelId, messageTs, personId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";

const tenant = tenantId("t1");
const mention: IncomingMessage = {
  eventId: "Ev1",
  channel: channelId("C1"),
  thread: messageTs("1.1"),
  ts: messageTs("1.1"),
  person: personId("U1"),
  text: "<@UBOT> hello",
  asks: "always",
};
/** The same words as Slack's other event says them. */
const twin = { ...mention, eventId: "Ev2" };

/** An inbox over a store that gives these results, one after the other, and counts. */
function inboxOver(...results: (Accepted | Error)[]) {
  const count = { stored: 0, nudged: 0 };
  const inbox = new Inbox({
    turnsOf: () => ({
      accept: async () => {
        const result = results[count.stored++];
        if (result === undefined || result instanceof Error) throw result;
        return result;
      },
      retry: async () => "not-offered",
    }),
    nudge: () => void count.nudged++,
    refuse: async () => undefined,
    log: silentLogger,
  });
  return { inbox, count };
}

test("a mention that comes as two events at once is stored once, and neither is acknowledged before it is", async () => {
  const { inbox, count } = inboxOver("queued");
  expect(await Promise.all([inbox.accept(tenant, mention), inbox.accept(tenant, twin)])).toEqual(["queued", "seen"]);
  expect(await inbox.accept(tenant, twin)).toBe("seen");
  expect(count).toEqual({ stored: 1, nudged: 1 });
});

test.each<[Accepted, boolean]>([
  ["queued", true],
  ["kept", false],
  ["thread-full", false],
])("whoever asks something is told that it waits, when it does (%s: %s); that this fails costs nothing", async (outcome, tells) => {
  const told: string[] = [];
  const inbox = new Inbox({
    turnsOf: () => ({ accept: async () => outcome, retry: async () => "not-offered" }),
    nudge: () => undefined,
    refuse: async () => undefined,
    waits: async (_tenant, message) => {
      told.push(message.ts);
      throw new Error("Slack is down.");
    },
    log: silentLogger,
  });
  expect(await inbox.accept(tenant, mention)).toBe(outcome);
  expect(told).toEqual(tells ? [mention.ts] : []);
});

test("when the first of two events could not be stored, the second is stored on its own account", async () => {
  const { inbox } = inboxOver(new Error("the database is down"), "queued");
  const [first, second] = await Promise.allSettled([inbox.accept(tenant, mention), inbox.accept(tenant, twin)]);
  expect([first?.status, second]).toEqual(["rejected", { status: "fulfilled", value: "queued" }]);
});

test.each<Accepted>(["ignored", "kept"])("an event that started nothing (%s) says nothing about the other one", async (first) => {
  const { inbox, count } = inboxOver(first, "queued");
  await inbox.accept(tenant, mention);
  expect(await inbox.accept(tenant, twin)).toBe("queued");
  expect(count.stored).toBe(2);
});

test("messages of one thread are stored in the order in which they come, whatever becomes of the first; another thread's does not wait", async () => {
  const order: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  const slow = new Promise<Accepted>((_, reject) => {
    fail = reject;
  });
  const inbox = new Inbox({
    turnsOf: () => ({
      accept: async ({ ts }: IncomingMessage) => {
        order.push(ts);
        return ts === "1.1" ? slow : "queued";
      },
      retry: async () => "not-offered",
    }),
    nudge: () => undefined,
    refuse: async () => undefined,
    log: silentLogger,
  });
  const first = inbox.accept(tenant, mention);
  const second = inbox.accept(tenant, { ...mention, ts: messageTs("1.2") });
  expect(await inbox.accept(tenant, { ...mention, thread: messageTs("2.1"), ts: messageTs("2.1") })).toBe("queued");
  fail(new Error("the database is down"));
  await expect(first).rejects.toThrow("down");
  expect(await second).toBe("queued");
  expect(order).toEqual(["1.1", "2.1", "1.2"]);
});

test("the same timestamp in another channel or workspace is another message", async () => {
  const { inbox, count } = inboxOver("queued", "queued", "queued");
  await inbox.accept(tenant, mention);
  expect(await inbox.accept(tenant, { ...mention, channel: channelId("C2") })).toBe("queued");
  expect(await inbox.accept(tenantId("t2"), mention)).toBe("queued");
  expect(count.stored).toBe(3);
});
