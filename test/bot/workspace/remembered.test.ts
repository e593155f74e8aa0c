import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { Remembered } from "../../../src/bot/workspace/remembered.ts";

/** Monotonic time as the cache reads it. */
let now = 1_000;
const advance = async (ms: number) => {
  now += ms;
  // The cache looks at the time once a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5));
};
beforeEach(() => {
  jest.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A look-up that says how often it was made. */
function counting() {
  let count = 0;
  return async () => ++count;
}

test("what is asked for again and again stays known, and is never older than its time", async () => {
  const remembered = new Remembered<number>({ max: 10, freshMs: 60_000 });
  const look = counting();
  expect(remembered.known("key", look)).toBeUndefined();
  expect(await remembered.get("key", look)).toBe(1);

  await advance(20_000);
  expect(await remembered.known("key", look)).toBe(1);
  await advance(20_000);
  // Past half of its time: still the old one, and a new one is on its way.
  expect(await remembered.known("key", look)).toBe(1);
  await advance(40_000);
  expect(await remembered.known("key", look)).toBe(2);
  await advance(70_000);
  expect(remembered.known("key", look)).toBeUndefined();
});

test("a look-up in the background that fails leaves what is known to its end", async () => {
  const remembered = new Remembered<number>({ max: 10, freshMs: 60_000 });
  await remembered.get("key", async () => 1);
  await advance(40_000);
  const failing = async () => {
    throw new Error("limited");
  };
  expect(await remembered.known("key", failing)).toBe(1);
  expect(await remembered.known("key", failing)).toBe(1);
  await advance(30_000);
  expect(remembered.known("key", failing)).toBeUndefined();
});
