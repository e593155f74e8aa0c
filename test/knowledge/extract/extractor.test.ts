import { afterEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { createExtractor, type Extractor } from "../../../src/knowledge/ingest/extract/extractor.ts";

const { signal } = new AbortController();
const text = Buffer.from("Eighteen weeks.");
/** A thread that hangs on files called "hang" and dies of others called "die". */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ name }) => {
      if (name === "die") process.exit(3);
      if (name === "hang") for (;;);
      parentPort.postMessage({ type: "done", document: { title: name, format: "text", blocks: [], notes: [] } });
    });`)}`,
);

describe("reading in a thread of its own", () => {
  let extractor: Extractor;
  afterEach(() => extractor.close());

  test("reads one file after another and reports failures in their own words", async () => {
    extractor = createExtractor(systemClock);
    const [one, empty, two] = await Promise.allSettled([
      extractor.extract("one.txt", text, signal),
      extractor.extract("empty.txt", new Uint8Array(), signal),
      extractor.extract("two.md", text, signal),
    ]);
    expect(one).toMatchObject({ value: { title: "One", blocks: [{ text: "Eighteen weeks." }] } });
    expect(empty).toMatchObject({
      reason: { code: "DOCUMENT_EMPTY", message: "The document holds no text. The file has no content (0 bytes)." },
    });
    expect(two).toMatchObject({ value: { title: "Two" } });
  });

  test("a file that makes no progress is given up, and the next one is read", async () => {
    extractor = createExtractor(systemClock, { entry: program, noProgressMs: 300 });
    const hung = extractor.extract("hang", text, signal);
    const next = extractor.extract("next", text, signal);
    await expect(hung).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE", message: expect.stringContaining("too long") });
    expect(await next).toMatchObject({ title: "next" });
  });

  test("a file that kills the thread is given up, and the next one is read", async () => {
    extractor = createExtractor(systemClock, { entry: program });
    const died = extractor.extract("die", text, signal);
    const next = extractor.extract("next", text, signal);
    await expect(died).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(await next).toMatchObject({ title: "next" });
  });

  test("stopping ends a hanging file at once", async () => {
    extractor = createExtractor(systemClock, { entry: program });
    const stop = new AbortController();
    const hung = extractor.extract("hang", text, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(hung).rejects.toThrow("stopped");
  });
});
