import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterAll, describe, expect, test } from "@jest/globals";
import { localEmbedder } from "../../../src/knowledge/embedder/local.ts";

const { signal } = new AbortController();
const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  Array.from(a ?? []).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);

describe("the built-in embedding model", () => {
  const before = getPriority();
  const embedder = localEmbedder();
  afterAll(() => embedder.close());

  test("a question is nearer to its answer than to anything else, without a shared word", async () => {
    const [question] = await embedder.embed(["How long can new fathers stay at home?"], "query", signal);
    const [answer, other] = await embedder.embed(
      ["Parental leave is eighteen weeks for each parent after the birth of a child.", "Trains are booked in Wayfare fourteen days ahead."],
      "passage",
      signal,
    );
    expect(question).toHaveLength(512);
    expect(Math.hypot(...(question ?? []))).toBeCloseTo(1, 3);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.1);
  });

  (process.platform === "linux" ? test : test.skip)(
    "documents are embedded behind questions: the thread for them gives way, the program itself does not",
    () => {
      // Field 19 of proc_pid_stat(5), counted from behind the name, which may hold anything.
      const niceOf = (thread: string) => Number(readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(/\) /)[1]?.split(" ")[16]);
      const all = readdirSync("/proc/self/task").map(niceOf);
      expect(Math.max(...all)).toBe(Math.max(10, before));
      expect(niceOf(String(process.pid))).toBe(before);
    },
  );

  test("it says which languages it does not read", () => {
    expect(embedder.reads("What is our parental leave?")).toBe(true);
    expect(embedder.reads("parental leave")).toBe(true);
    expect(embedder.reads("Wie lange dauert die Elternzeit?")).toBe(false);
    expect(embedder.reads("育児休暇は何週間ですか")).toBe(false);
    expect(embedder.reads("Сколько длится отпуск?")).toBe(false);
  });

  test("a stopped call gives the signal's reason", async () => {
    await expect(embedder.embed(["x"], "query", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });
});
