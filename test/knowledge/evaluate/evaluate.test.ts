import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { evaluate } from "../../../src/knowledge/evaluate/evaluate.ts";
import { readJudgedSets } from "../../../src/knowledge/evaluate/judged-set.ts";
import { quality } from "../../../src/knowledge/evaluate/metrics.ts";
import { type KnowledgeFixture, openKnowledge } from "../knowledge-fixture.ts";

const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join("\n");

describe("measuring the search on judged questions", () => {
  let folder: string;
  let knowledge: KnowledgeFixture;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "footnote-judged-"));
    const corpus = lines(
      { id: "leave", title: "Leave", text: "Parental leave is eighteen weeks." },
      { id: "travel", title: "Travel", text: "Trains are booked in Wayfare." },
      { id: "empty", title: "Empty", text: "" },
    );
    const questions = lines({ id: "q1", text: "How long is parental leave?" }, { id: "q2", text: "Where are trains booked?" });
    await writeFile(join(folder, "corpus.en.jsonl"), corpus);
    await writeFile(join(folder, "queries.en.jsonl"), questions);
    await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\tleave\t1\nq2\tleave\t1\n");
    knowledge = await openKnowledge("embedded");
  });
  afterAll(async () => {
    await knowledge.test.close();
    await rm(folder, { recursive: true });
  });

  test("each stage is scored against the judgments, and a document without text stops nothing", async () => {
    const [set] = await readJudgedSets(folder);
    if (!set) throw new Error("no set");
    expect(set.name).toMatch(/-en$/);
    const tenant = await knowledge.test.addTenant();
    const { storage, embedder } = knowledge;
    const { signal } = new AbortController();
    const report = await evaluate(set, { storage, tenant, embedder, clock: systemClock, signal, onProgress: () => {} });
    expect(report).toMatchObject({ documents: 3, passages: 2, questions: 2 });
    // The first question is answered by the right document, the second by one that was judged wrong.
    expect(report.stages["full text"]).toMatchObject({ ndcg10: 0.5, recall10: 0.5, recall100: 0.5 });
    expect(Object.keys(report.stages)).toEqual(["full text", "semantic", "fused", "fused, re-ranked", "fused, diversified", "whole"]);
  });

  test("a folder that holds no set is refused by name", async () => {
    await expect(readJudgedSets(tmpdir())).rejects.toThrow("corpus.jsonl");
  });

  test("scores are those of trec_eval: linear gains, discounted by rank", () => {
    const judgments = new Map([
      [
        "1",
        new Map([
          ["a", 2],
          ["b", 1],
          ["c", 0],
        ]),
      ],
      ["2", new Map([["x", 1]])],
    ]);
    const rankings = new Map([
      ["1", ["c", "a", "b"]],
      ["2", ["y"]],
    ]);
    const first = (2 / Math.log2(3) + 1 / Math.log2(4)) / (2 + 1 / Math.log2(3));
    expect(quality(rankings, judgments).ndcg10).toBeCloseTo(first / 2, 12);
    expect(quality(rankings, judgments).recall10).toBe(0.5);
  });
});
