import { Budget } from "../../src/agent/budget.ts";
import { defaultLimits } from "../../src/agent/limits.ts";
import { ManualClock } from "../playground/manual-clock.ts";

describe("time in which a person is waited for", () => {
  const started = () => {
    const clock = new ManualClock();
    return { clock, budget: new Budget({ ...defaultLimits, wallMs: 180_000 }, clock) };
  };

  test("does not count against the answer, neither afterwards nor meanwhile", () => {
    const { clock, budget } = started();
    clock.advance(10_000);
    const over = budget.wait();
    clock.advance(600_000);
    expect(budget.msLeft).toBe(170_000);
    over();
    clock.advance(20_000);
    expect(budget.msLeft).toBe(150_000);
  });

  test("counts once, however many calls of one step wait at the same time, and whichever ends first", () => {
    const { clock, budget } = started();
    const ends = Array.from({ length: 8 }, () => {
      clock.advance(1_000);
      return budget.wait();
    });
    clock.advance(60_000);
    for (const over of ends) {
      over();
      // Told twice it ends once.
      over();
      clock.advance(1_000);
    }
    // One second before the first wait, and one after the last.
    expect(budget.msLeft).toBe(178_000);
    const again = budget.wait();
    clock.advance(5_000);
    again();
    expect(budget.msLeft).toBe(178_000);
  });
});
