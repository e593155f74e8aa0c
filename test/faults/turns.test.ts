import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { TurnQueue } from "../../src/bot/turns/turn-store.ts";
import { traceId } from "../../src/core/ids.ts";
import type { Ask } from "../bot/in/bot.ts";
import { echo, gone, queueWith, takingAtMost, until, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());
beforeEach(async () => {
  world = await World.start({}, db);
});
afterEach(() => world?.stop());

/** For a worker that is to lose its lease soon. */
const short = { leaseMs: 2_000, pollMs: 100, abortMs: 200 };
/** For a worker that goes on in its place: however slow the machine, it loses nothing. */
const patient = { pollMs: 100, abortMs: 200 };
const post = (text: string, more: { thread?: string; as?: string; workspace?: string } = {}) =>
  world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: `@footnote ${text}`, ...more });
const answers = (thread: string, workspace = "acme") => world.answers(workspace, "general", thread);
const final = (thread: string) => world.slack.waitFor(() => answers(thread).some((text) => text.startsWith("Answer")) && answers(thread));

/** Shows a beginning of the answer, then never ends and heeds no signal: like a process that was killed or is stuck. */
const stuck: Ask = async (_question, sink) => {
  await sink.write({ type: "answer-start", traceId: traceId("t") });
  await sink.write({ type: "text-delta", text: "The leave is" });
  await new Promise(() => undefined);
};

/** A promise and the means to fulfil it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("a question whose worker died before it began is answered after the next start", async () => {
  await world.bot({ works: false });
  const ts = post("anybody?");
  await world.slack.waitFor(() => world.slack.acks.length >= 2);
  const { TurnQueueRepository } = await import("../../src/store/repositories/turn-queue.ts");
  const [dead] = await new TurnQueueRepository(world.db.database.system).claim({
    leaseMs: 1_000,
    perTenant: 8,
    most: 1,
    after: undefined,
    except: [],
  });
  expect(dead).toBeDefined();

  await world.bot({ limits: patient });
  expect(await final(ts)).toEqual(["Answer to: anybody?"]);
});

test("after a worker died in the middle of an answer, the next one continues in the same message", async () => {
  // Renewing fails from the first time on, as it does for a process that is gone.
  const dying = await world.bot({
    ask: stuck,
    limits: { ...patient, stallMs: 120_000 },
    queue: (queue) => takingAtMost(0, gone(queue)),
  });
  const ts = post("how long?");
  await world.slack.waitFor(() => answers(ts).includes("The leave is"));
  await world.endLeases();
  void dying.turns.stop({ graceMs: 60_000 });

  const next = await world.bot({ limits: patient });
  expect(await final(ts)).toEqual(["Answer to: how long?"]);
  expect(world.slack.calls.filter((call) => call.method === "chat.postMessage" && call.args.thread_ts === ts)).toHaveLength(1);
  expect(next.questions).toHaveLength(1);
});

test("an answer that was cut off twice is marked with a Retry button that works for the asker alone, and once", async () => {
  let cuts = 2;
  const cutting: Ask = async (question, sink, signal) => {
    if (cuts > 0) {
      cuts -= 1;
      await stuck(question, sink, signal);
    }
    await echo(question, sink, signal);
  };
  // Not renewed while it is cut: each of these tries ends when its lease runs out, and the next one begins.
  let down = true;
  const cut = (queue: TurnQueue) =>
    queueWith(queue, {
      renew: (leases, ms) =>
        down && leases.some(({ attempt }) => attempt <= 2) ? Promise.reject(new Error("down")) : queue.renew(leases, ms),
      release: async () => undefined,
    });
  const bot = await world.bot({
    ask: cutting,
    limits: short,
    queue: cut,
  });
  const ts = post("how long?");
  const message = await world.slack.waitFor(() =>
    world.slack.messages({ workspace: "acme", channel: "general", thread: ts }).find(({ text }) => text.includes("interrupted")),
  );
  await world.idle();
  down = false;
  expect(bot.questions).toHaveLength(2);
  expect(answers(ts)).toHaveLength(1);

  const click = (as: string) => world.slack.click({ workspace: "acme", as, channel: "general", ts: message.ts, actionId: "retry_turn" });
  await click("bob");
  await world.idle();
  expect(bot.questions).toHaveLength(2);
  await click("alice");
  expect(await final(ts)).toEqual(["Answer to: how long?"]);
  expect(JSON.stringify(message.blocks)).not.toContain("retry_turn");
  await world.slack.deliver({
    type: "block_actions",
    api_app_id: "A0FOOTNOTE1",
    team: { id: world.slack.workspace("acme").teamId },
    user: { id: world.slack.workspace("acme").person("alice") },
    channel: { id: world.slack.workspace("acme").channel("general") },
    actions: [{ type: "button", action_id: "retry_turn", value: (await turnIds())[0] }],
  });
  await world.idle();
  expect(bot.questions).toHaveLength(3);
});

const turnIds = async () => (await world.db.asOwner<{ id: string }>("SELECT id FROM turns")).map((row) => row.id);

test("a worker that wakes up after its lease was taken over writes nothing more", async () => {
  const asleep = gate();
  const late = gate();
  const sleepy = await world.bot({
    ask: async (question, sink) => {
      await sink.write({ type: "answer-start", traceId: traceId("t") });
      await asleep.opened;
      await sink.write({ type: "answer-end", text: "Answer that is out of date", outcome: "answered" });
      late.open();
      return question;
    },
    limits: { ...short, leaseMs: 8_000 },
    queue: (queue) =>
      takingAtMost(0, queueWith(queue, { renew: () => new Promise(() => undefined), halted: () => new Promise(() => undefined) })),
  });
  const ts = post("which?");
  await world.slack.waitFor(() => answers(ts).includes("…"));
  const stopped = sleepy.turns.stop({ graceMs: 20_000 });
  await world.bot({ limits: patient });
  expect(await final(ts)).toEqual(["Answer to: which?"]);
  asleep.open();
  await Promise.all([late.opened, stopped]);
  await world.idle();

  expect(answers(ts)).toEqual(["Answer to: which?"]);
  const memory = await world.db.asOwner<{ text: string }>("SELECT text FROM thread_messages WHERE author = 'assistant'");
  expect(memory).toEqual([{ text: "Answer to: which?" }]);
});

test("two questions in one thread are answered one after the other; another thread does not wait", async () => {
  const first = gate();
  const order: string[] = [];
  await world.bot({
    ask: async (question, sink, signal) => {
      order.push(`start ${question.text}`);
      if (question.text === "slow") await first.opened;
      await echo(question, sink, signal);
      order.push(`end ${question.text}`);
    },
  });
  const thread = post("slow");
  await until(() => order.includes("start slow"));
  post("quick", { thread });
  const other = post("elsewhere");
  await final(other);
  expect(order).toEqual(["start slow", "start elsewhere", "end elsewhere"]);
  first.open();
  await world.slack.waitFor(() => answers(thread).length === 2);
  await world.idle();
  expect(order).toEqual(["start slow", "start elsewhere", "end elsewhere", "end slow", "start quick", "end quick"]);
});

test("H5-THR-07: two questions in one thread at the same moment, over two processes: each is stored with its own answer", async () => {
  const first = gate();
  const order: string[] = [];
  const ask: Ask = async (question, sink, signal) => {
    order.push(`start ${question.text}`);
    if (question.text === "slow") await first.opened;
    await echo(question, sink, signal);
    order.push(`end ${question.text}`);
  };
  for (let i = 0; i < 2; i += 1) await world.bot({ ask, limits: { pollMs: 50 } });
  const thread = post("slow");
  const other = post("quick", { thread });
  await until(() => order.includes("start slow") && world.slack.acks.length >= 4);
  first.open();
  await world.slack.waitFor(() => answers(thread).filter((text) => text.startsWith("Answer")).length === 2);
  await world.idle();
  expect(order).toEqual(["start slow", "end slow", "start quick", "end quick"]);
  const stored = await world.db.asOwner<{ text: string; answers_ts: string | null }>(
    "SELECT text, answers_ts FROM thread_messages ORDER BY coalesce(answers_ts, ts)::numeric, author DESC",
  );
  expect(stored.map(({ text, answers_ts }) => [text.replace(/<@\w+>/, "@"), answers_ts])).toEqual([
    ["@ slow", null],
    ["Answer to: slow", thread],
    ["@ quick", null],
    ["Answer to: quick", other],
  ]);
});

test("one workspace's flood does not hold up another workspace", async () => {
  const held = gate();
  const bot = await world.bot({
    ask: async (question, sink, signal) => {
      if (question.text.startsWith("flood")) await held.opened;
      await echo(question, sink, signal);
    },
    limits: { perTenant: 3, perProcess: 5 },
  });
  for (let i = 0; i < 10; i += 1) post(`flood ${i}`);
  await until(() => bot.questions.length >= 3);
  const ts = post("me too?", { workspace: "globex" });
  await world.slack.waitFor(() => answers(ts, "globex").includes("Answer to: me too?"));
  expect(bot.questions.filter((question) => question.text.startsWith("flood"))).toHaveLength(3);
  held.open();
  await world.idle();
  expect(bot.questions).toHaveLength(11);
});

test("too many questions are refused with one notice per person, the accepted ones are answered", async () => {
  const held = gate();
  const bot = await world.bot({
    ask: async (question, sink, signal) => {
      await held.opened;
      await echo(question, sink, signal);
    },
    queueLimits: { perThread: 2, perTenant: 4, total: 100 },
  });
  const sent: string[] = [];
  for (let i = 0; i < 8; i += 1) {
    sent.push(post(`question ${i}`));
    await world.slack.waitFor(() => world.slack.acks.length >= 2 * (i + 1));
  }
  expect(world.slack.acks.every((ack) => ack.outcome === "acknowledged")).toBe(true);
  held.open();
  await world.idle();
  expect(sent.map((ts) => answers(ts).length)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  expect(bot.refusals).toHaveLength(1);
  expect(bot.refusals[0]?.reason).toBe("workspace-full");
});

test("H5-OPS-03: on shutdown running answers end, new ones are left to others", async () => {
  const held = gate();
  const first = await world.bot({
    ask: async (question, sink, signal) => {
      await held.opened;
      await echo(question, sink, signal);
    },
  });
  const ts = post("finish me");
  await until(() => first.questions.length === 1);
  const stopped = first.turns.stop({ graceMs: 120_000 });
  const other = post("leave me");
  await world.slack.waitFor(() => world.slack.acks.length >= 4);
  held.open();
  await stopped;
  expect(answers(ts)).toEqual(["Answer to: finish me"]);
  expect(first.questions).toHaveLength(1);

  await world.bot();
  expect(await final(other)).toEqual(["Answer to: leave me"]);
});

test("twenty answers that do not end in time are handed over at once and end elsewhere, none lost, none twice", async () => {
  const first = await world.bot({ ask: stuck, limits: { perTenant: 30, abortMs: 3_000 } });
  const sent = Array.from({ length: 20 }, (_, i) => post(`number ${i}`));
  await world.slack.waitFor(() => sent.every((ts) => answers(ts).includes("The leave is")));
  await first.stop(50);

  // The lease is far longer than this test: only a hand-over explains that the next process can go on.
  const second = await world.bot({ limits: { perTenant: 30 } });
  await world.slack.waitFor(() => sent.every((ts, i) => answers(ts).includes(`Answer to: number ${i}`)));
  await world.idle();
  expect(sent.map((ts) => answers(ts).length)).toEqual(Array(20).fill(1));
  expect(second.questions).toHaveLength(20);
});

test("an agent that makes no progress is given up with an error and its id, not waited for for ever", async () => {
  const bot = await world.bot({ ask: stuck, limits: { stallMs: 5_000, abortMs: 100 } });
  const ts = post("anything?");
  await world.slack.waitFor(() => answers(ts).some((text) => /no progress.*Error id: [0-9a-f-]{36}/s.test(text)));
  await world.idle();
  expect(bot.turns.running).toBe(0);
});

test.each([
  ["fails", () => Promise.reject(new Error("boom: secret-canary"))],
  ["ends without an end", async () => undefined],
  [
    "fails when a message is there already",
    async (_question, sink) => {
      await sink.write({ type: "answer-start", traceId: traceId("t") });
      throw new Error("boom: secret-canary");
    },
  ],
] as [string, Ask][])("H5-OPS-03: an agent that %s still leaves an error with an id", async (_name, ask) => {
  const lines: string[] = [];
  const collect = (message: string, fields?: object) => void lines.push(JSON.stringify([message, fields]));
  const log = { debug: collect, info: collect, warn: collect, error: collect, with: () => log };
  await world.bot({ ask, log });
  const ts = post("anything?");
  await world.slack.waitFor(() => answers(ts).some((text) => /went wrong.*Error id/s.test(text)));
  await world.idle();
  expect(answers(ts)).toHaveLength(1);
  expect(lines.join("\n")).not.toMatch(/secret-canary|anything\?|xoxb/);
});

describe("a question that cannot even be begun, again and again", () => {
  const atOnce = (queue: TurnQueue) => queueWith(queue, { postpone: (lease) => queue.postpone(lease, 0) });

  test("ends with a reason and an error id as soon as its asker can be told", async () => {
    let failures = 4;
    const beforePrepare = () => {
      if (failures-- > 0) throw new Error("down");
    };
    const bot = await world.bot({ beforePrepare, queue: atOnce, limits: { pollMs: 20 } });
    const ts = post("anything?");
    await world.slack.waitFor(() => answers(ts).some((text) => /interrupted.*Error id: [0-9a-f-]{36}/s.test(text)));
    await world.idle();
    expect(answers(ts)).toHaveLength(1);
    expect(bot.questions).toEqual([]);
  });

  test("does not hold up its thread for ever when nobody can be told", async () => {
    const errors: string[] = [];
    const ignore = () => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: (message: string) => void errors.push(message), with: () => log };
    const beforePrepare = () => {
      throw new Error("down");
    };
    await world.bot({ beforePrepare, queue: atOnce, limits: { pollMs: 20 }, log });
    post("anything?");
    await until(() => errors.some((message) => message.includes("could not be told")));
    await world.idle();
    const [turn] = await world.db.asOwner<{ status: string; error_code: string }>("SELECT status, error_code FROM turns");
    expect(turn).toEqual({ status: "interrupted", error_code: "TURN_INTERRUPTED" });
  });
});

test("an agent that goes on after its end changes nothing", async () => {
  await world.bot({
    ask: async (question, sink, signal) => {
      await echo(question, sink, signal);
      await sink.write({ type: "answer-end", text: "Second end", outcome: "answered" });
      throw new Error("late");
    },
  });
  const ts = post("once?");
  await final(ts);
  await world.idle();
  expect(answers(ts)).toEqual(["Answer to: once?"]);
});
