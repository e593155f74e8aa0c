import { expect, test } from "@jest/globals";
import { tenantId } from "../../../src/core/ids.ts";
import { FairQueue } from "../../../src/knowledge/ingest/reader/fair-queue.ts";

const acme = tenantId("00000000-0000-8000-8000-00000000000a");
const globex = tenantId("00000000-0000-8000-8000-00000000000b");
const { signal } = new AbortController();

/** Notes the order in which work is done. */
function noted() {
  const order: string[] = [];
  const piece = (name: string) => async () => {
    order.push(name);
    await Promise.resolve();
    return name;
  };
  return { order, piece };
}

test("a workspace with a single file waits for one file of another that has fifty", async () => {
  const { order, piece } = noted();
  const queue = new FairQueue();
  const many = Array.from({ length: 50 }, (_, n) => queue.run(acme, piece(`acme ${n}`), signal));
  const one = queue.run(globex, piece("globex"), signal);
  expect(await one).toBe("globex");
  await Promise.all(many);
  await queue.idle();
  expect(order.indexOf("globex")).toBe(1);
  expect(order.filter((name) => name !== "globex")).toEqual(Array.from({ length: 50 }, (_, n) => `acme ${n}`));
});

test("what fails is told to whoever asked, and the next piece is done; so is what comes after the queue was empty", async () => {
  const { piece } = noted();
  const queue = new FairQueue();
  const failed = queue.run(acme, () => Promise.reject(new Error("damaged")), signal);
  const next = queue.run(acme, piece("next"), signal);
  await expect(failed).rejects.toThrow("damaged");
  expect(await next).toBe("next");
  expect(await queue.run(acme, piece("later"), signal)).toBe("later");
});

test("what is no longer wanted ends at once and is not done; what waits behind it is", async () => {
  const { order, piece } = noted();
  const queue = new FairQueue();
  let end = () => {};
  const first = queue.run(
    acme,
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    signal,
  );
  const stop = new AbortController();
  const unwanted = queue.run(acme, piece("unwanted"), stop.signal);
  const wanted = queue.run(acme, piece("wanted"), signal);
  stop.abort(new Error("stopped"));
  await expect(unwanted).rejects.toThrow("stopped");
  await expect(queue.run(globex, piece("never"), stop.signal)).rejects.toThrow("stopped");
  end();
  await Promise.all([first, wanted]);
  expect(order).toEqual(["wanted"]);
});
