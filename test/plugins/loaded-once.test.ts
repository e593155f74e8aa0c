import { expect, test } from "@jest/globals";
import { loadedOnce } from "../../src/plugins/loaded-once.ts";

test("what is loaded is loaded once, for all who ask at the same time; what failed is tried again by the next", async () => {
  let tries = 0;
  const get = loadedOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("away");
    return tries;
  });
  await expect(Promise.all([get(), get()])).rejects.toThrow("away");
  expect(await Promise.all([get(), get(), get()])).toEqual([2, 2, 2]);
  expect(await get()).toBe(2);
});
