import { expect, test } from "@jest/globals";
import { reloader } from "../../playground/ui/reloader.ts";

/** A load that ends when it is told to, and how often it was begun. */
function slowLoad() {
  const ends: (() => void)[] = [];
  const load = () => new Promise<void>((resolve) => ends.push(resolve));
  const end = async () => {
    ends.at(-1)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { load, end, begun: () => ends.length };
}

test("what happens while a list is loaded, or asks for it again, has it loaded once more; never two at a time", async () => {
  for (const meanwhile of ["load", "happened"] as const) {
    const slow = slowLoad();
    const list = reloader(slow.load);
    list.load();
    list[meanwhile]();
    list[meanwhile]();
    expect(slow.begun()).toBe(1);
    await slow.end();
    expect(slow.begun()).toBe(2);
    await slow.end();
    expect(slow.begun()).toBe(2);
  }
});

test("what happens when nothing is loaded needs no load; a later one is begun at once", async () => {
  const slow = slowLoad();
  const list = reloader(slow.load);
  list.happened();
  expect(slow.begun()).toBe(0);
  list.load();
  await slow.end();
  list.load();
  expect(slow.begun()).toBe(2);
});
