import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { messageTs, personId, traceId } from "../../src/core/ids.ts";
import { TurnChangeRepository } from "../../src/store/repositories/turn-changes.ts";
import { type Ask, type Bot, gone, until, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

let world: World;
const at = { workspace: "acme", as: "alice", channel: "general" };

/** Goes on to its next step when it is let; then answers all that it was asked until then. */
class Steps {
  begun = 0;
  #next: (() => void)[] = [];
  readonly ask: Ask = async (question, sink, signal) => {
    this.begun += 1;
    await sink.write({ type: "answer-start", traceId: traceId("t") });
    await sink.write({ type: "text-delta", text: "Let me see." });
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([new Promise<void>((resolve) => this.#next.push(resolve)), stopped]);
    if (signal.aborted) return sink.write({ type: "answer-stopped", text: "Let me see." });
    const added = (await question.additions?.()) ?? [];
    const text = `Answer to: ${[question.text, ...added.map((one) => one.text)].join(" + ")}`;
    return sink.write({ type: "answer-end", text, outcome: "answered" });
  };

  next(): void {
    for (const go of this.#next.splice(0)) go();
  }
}

describe.each(testDatabases)("a question that is taken into a running answer, on the %s database", (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db?.close());
  beforeEach(async () => {
    world = await World.start({}, db);
  });
  afterEach(() => world?.stop());

  const answers = (thread: string) => world.answers("acme", "general", thread);
  const statuses = async () =>
    (await db.asOwner<{ status: string }>("SELECT status FROM turns ORDER BY message_ts::numeric")).map(({ status }) => status);
  const changes = () => {
    const tenant = world.tenant("acme");
    return new TurnChangeRepository(db.database.forTenant(tenant), tenant);
  };
  const channelOf = () => world.slack.workspace("acme").channel("general");
  /** What the button does. */
  const takeIn = async (ts: string, bot?: Bot, as = "alice") => {
    const person = personId(world.slack.workspace("acme").person(as));
    const host = await changes().takeIn({ channel: channelOf() as never, ts: messageTs(ts), person });
    if (host) bot?.turns.added(host);
    return host !== undefined;
  };
  const add = async (thread: string, text: string, as = "alice") => {
    const before = await world.turnCount();
    const ts = world.slack.post({ ...at, as, text, thread });
    while ((await world.turnCount()) === before) await world.clock.sleep(10);
    return ts;
  };
  /** An answer that has begun, with a question that waits behind it. */
  async function running(steps: Steps, bot: { queue?: typeof gone } = {}) {
    const process = await world.bot({ ask: steps.ask, ...bot });
    const thread = world.slack.post({ ...at, text: "@footnote one?" });
    await until(() => steps.begun === 1);
    const second = await add(thread, "two?");
    return { process, thread, second };
  }

  test("is answered with it, once, and remembered before that answer", async () => {
    const steps = new Steps();
    const { process, thread, second } = await running(steps);
    const third = await add(thread, "three?");
    expect(await takeIn(second, process)).toBe(true);
    expect(await takeIn(third, process)).toBe(true);
    steps.next();
    await world.idle();
    expect(answers(thread)).toEqual(["Answer to: one? + two? + three?"]);
    expect(await statuses()).toEqual(["answered", "merged", "merged"]);
    const told = await db.asOwner<{ text: string }>(
      "SELECT text FROM thread_messages ORDER BY coalesce(answers_ts, ts)::numeric, author = 'assistant', created_at",
    );
    expect(told.map(({ text }) => text).slice(1)).toEqual(["two?", "three?", "Answer to: one? + two? + three?"]);
    expect(await takeIn(second)).toBe(false);
  });

  test("of somebody else, or behind somebody else's, or with a file, is not taken in", async () => {
    const steps = new Steps();
    const { thread, second } = await running(steps);
    const theirs = await add(thread, "and me?", "bob");
    expect(await takeIn(theirs, undefined, "bob")).toBe(false);
    expect(await takeIn(second, undefined, "bob")).toBe(false);
    expect(await takeIn(theirs, undefined, "alice")).toBe(false);
    await db.asOwner(`UPDATE turns SET files = '{F01 a.pdf}' WHERE message_ts = '${second}'`);
    expect(await takeIn(second)).toBe(false);
    await db.asOwner(`UPDATE turns SET files = '{}' WHERE message_ts = '${second}'`);
    expect(await takeIn(second)).toBe(true);
  });

  test("is answered by itself, once, when the answer ends before", async () => {
    const steps = new Steps();
    const { thread, second } = await running(steps);
    // A process that has not heard of it, as another one's that looks for news in a moment.
    await db.asOwner("UPDATE turn_queue SET merges_into = NULL");
    steps.next();
    await until(() => steps.begun === 2);
    expect(await takeIn(second)).toBe(false);
    steps.next();
    await world.idle();
    expect(answers(thread)).toEqual(["Answer to: one?", "Answer to: two?"]);
    expect(await statuses()).toEqual(["answered", "answered"]);
  });

  test("is found by the process that makes the answer when it was clicked at another one", async () => {
    const patient: Ask = async (question, sink) => {
      let added: readonly { readonly text: string }[] = [];
      while (added.length === 0) {
        added = (await question.additions?.()) ?? [];
        await world.clock.sleep(10);
      }
      await sink.write({ type: "answer-end", text: `Answer to: ${question.text} + ${added[0]?.text}`, outcome: "answered" });
    };
    const bot = await world.bot({ ask: patient });
    const thread = world.slack.post({ ...at, text: "@footnote one?" });
    await until(() => bot.questions.length === 1);
    await takeIn(await add(thread, "two?"));
    await world.idle();
    expect([answers(thread), await statuses()]).toEqual([["Answer to: one? + two?"], ["answered", "merged"]]);
  });

  test.each(["before it is taken in", "after it is taken in"])(
    "is not lost, nor answered twice, when the process is gone %s",
    async (when) => {
      const dying = new Steps();
      const { process, thread, second } = await running(dying, { queue: gone });
      await takeIn(second, process);
      if (when.startsWith("after")) {
        const [question] = process.questions;
        expect((await question?.additions?.())?.map(({ text }) => text)).toEqual(["two?"]);
        expect(await statuses()).toEqual(["running", "merged"]);
      }
      await world.endLeases();
      const steps = new Steps();
      await world.bot({ ask: steps.ask });
      await until(() => steps.begun === 1);
      // The one that is gone notices nothing, and takes nothing any more.
      if (when.startsWith("before")) await expect(process.questions[0]?.additions?.()).rejects.toMatchObject({ code: "LEASE_LOST" });
      steps.next();
      await world.idle();
      expect(answers(thread).filter((text) => text.startsWith("Answer"))).toEqual(["Answer to: one? + two?"]);
      expect(await statuses()).toEqual(["answered", "merged"]);
    },
  );

  describe("once it is taken in", () => {
    async function takenIn() {
      const steps = new Steps();
      const found = await running(steps);
      await takeIn(found.second, found.process);
      await found.process.questions[0]?.additions?.();
      expect(await statuses()).toEqual(["running", "merged"]);
      return { ...found, steps };
    }

    test("ends with the answer when that is stopped", async () => {
      const { thread } = await takenIn();
      world.slack.post({ ...at, text: "stop", thread });
      await world.idle();
      expect(await statuses()).toEqual(["stopped", "merged"]);
    });

    test("is part of the answer in its new wording when it is edited, also when it was answered already", async () => {
      const { thread, second, steps } = await takenIn();
      world.slack.edit({ ...at, ts: second, text: "better two?" });
      await until(() => steps.begun === 2);
      steps.next();
      await world.idle();
      expect(answers(thread)).toEqual(["Answer to: one? + better two?"]);
      world.slack.edit({ ...at, ts: second, text: "best two?" });
      await until(() => steps.begun === 3);
      steps.next();
      await world.idle();
      expect(answers(thread)).toEqual(["Answer to: one? + best two?"]);
      expect(await statuses()).toEqual(["answered", "merged"]);
    });

    test("is no part of the answer any more when it is deleted", async () => {
      const { thread, second, steps } = await takenIn();
      world.slack.delete({ ...at, ts: second });
      await until(() => steps.begun === 2);
      steps.next();
      await world.idle();
      expect(answers(thread)).toEqual(["Answer to: one?"]);
    });

    test("is asked by itself when the question that has taken it in is deleted", async () => {
      const { thread, steps } = await takenIn();
      world.slack.delete({ ...at, ts: thread });
      await until(() => steps.begun === 2);
      steps.next();
      await world.idle();
      expect(await statuses()).toEqual(["cancelled", "answered"]);
      expect(answers(thread).filter((text) => text.startsWith("Answer"))).toEqual(["Answer to: two?"]);
    });
  });
});
