import { type BudgetedMethod, WorkspaceBudget } from "../../../src/bot/out/workspace-budget.ts";
import { ManualClock } from "./quick-clock.ts";

function open(factor?: number) {
  const clock = new ManualClock();
  const budget = new WorkspaceBudget(clock, factor);
  const made: string[] = [];
  const ask = (name: string, method: BudgetedMethod = "chat.update", channel = "C1", final = false, signal?: AbortSignal) =>
    budget.take({ method, channel, final: () => final }, signal).then(
      () => made.push(name),
      () => made.push(`${name} gave up`),
    );
  return { clock, budget, made, ask };
}

describe("what one workspace may send", () => {
  test("edits never pass 50 a minute once the burst is used up", async () => {
    const { clock, made, ask } = open();
    for (let at = 0; at < 200; at++) void ask(`${at}`);
    await clock.pass(0);
    const burst = made.length;
    await clock.pass(60_000);
    expect(burst).toBeLessThanOrEqual(25);
    expect(made.length - burst).toBeLessThanOrEqual(50);
    expect(made.length - burst).toBeGreaterThanOrEqual(48);
    expect(made).toEqual(made.map((_, at) => `${at}`));
  });

  test("where Slack has granted four times as much, four times as much is sent", async () => {
    const { clock, made, ask } = open(4);
    for (let at = 0; at < 400; at++) void ask(`${at}`);
    await clock.pass(0);
    const burst = made.length;
    await clock.pass(60_000);
    expect(burst).toBe(90);
    expect(made.length - burst).toBeLessThanOrEqual(200);
    expect(made.length - burst).toBeGreaterThanOrEqual(192);
  });

  test("drafts leave a reserve, and a final edit goes before all drafts that wait", async () => {
    const { clock, made, ask } = open();
    for (let at = 0; at < 30; at++) void ask("draft");
    await clock.pass(0);
    expect(made.length).toBe(15);
    void ask("final", "chat.update", "C1", true);
    await clock.pass(0);
    expect(made.at(-1)).toBe("final");
  });

  test("a draft that becomes final while it waits goes at once", async () => {
    const { clock, budget, made } = open();
    let ended = false;
    for (let at = 0; at < 20; at++) void budget.take({ method: "chat.update", channel: "C1", final: () => false });
    void budget.take({ method: "chat.update", channel: "C1", final: () => ended }).then(() => made.push("it"));
    await clock.pass(0);
    expect(made).toEqual([]);
    ended = true;
    budget.reconsider();
    await clock.pass(0);
    expect(made).toEqual(["it"]);
  });

  test("one channel takes one post a second after a short burst, another channel is not held up", async () => {
    const { clock, made, ask } = open();
    for (let at = 0; at < 6; at++) void ask("C1", "chat.postMessage", "C1");
    void ask("C2", "chat.postMessage", "C2");
    await clock.pass(0);
    expect(made).toEqual(["C1", "C1", "C1", "C2"]);
    await clock.pass(1_000);
    expect(made.length).toBe(5);
    await clock.pass(2_000);
    expect(made.length).toBe(7);
  });

  test("Retry-After holds up that method in that channel and nothing else", async () => {
    const { clock, budget, made, ask } = open();
    budget.limited({ method: "chat.update", channel: "C1", final: () => false }, 30);
    void ask("same", "chat.update", "C1", true);
    void ask("other channel", "chat.update", "C2");
    void ask("other method", "chat.postMessage", "C1");
    await clock.pass(29_999);
    expect(made).toEqual(["other channel", "other method"]);
    await clock.pass(2);
    expect(made).toEqual(["other channel", "other method", "same"]);
  });

  test("who gives up waiting takes nothing and holds up nobody", async () => {
    const { clock, made, ask } = open();
    const stop = new AbortController();
    for (let at = 0; at < 15; at++) void ask("draft");
    void ask("quitter", "chat.update", "C1", false, stop.signal);
    void ask("next");
    await clock.pass(0);
    stop.abort();
    await clock.pass(1_300);
    expect(made.slice(15)).toEqual(["quitter gave up", "next"]);
  });

  test("says when edits have become scarce", async () => {
    const { clock, budget, ask } = open();
    expect(budget.scarce).toBe(false);
    for (let at = 0; at < 22; at++) void ask("final", "chat.update", "C1", true);
    await clock.pass(0);
    expect(budget.scarce).toBe(true);
    await clock.pass(60_000);
    expect(budget.scarce).toBe(false);
  });
});
