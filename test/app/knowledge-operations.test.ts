import { expect, test } from "@jest/globals";
import { knowledgeOperations } from "../../src/app/knowledge-operations.ts";
import { AppError } from "../../src/core/errors.ts";
import { wordEmbedder } from "../knowledge/word-embedder.ts";

const bench = () => {
  const did: string[] = [];
  const embedder = wordEmbedder("small-32", 32);
  const note = (what: string) => async () => void did.push(what);
  const use = { want: note("wanted"), read: async () => ({ current: "", wanted: "" }), hasIndex: async () => true };
  const operations = knowledgeOperations({
    store: { embedderUse: use, tenants: { list: async () => [] } } as never,
    database: { mendVectorIndexes: note("indexed") },
    embedders: { list: async () => [{ name: "small", embedder }] } as never,
    reEmbedder: { start: () => did.push("started"), wake: () => did.push("woken"), problem: undefined } as never,
    fullText: undefined,
  });
  return { did, embedder, operations };
};

test("a model that cannot run is not put in use: what is missing is said at once, and nothing is waited for", async () => {
  const { did, embedder, operations } = bench();
  embedder.failure = new AppError("EMBEDDER_FAILED", "The package that runs such models is not installed.");
  await expect(operations.useEmbedder("small")).rejects.toThrow("The package that runs such models is not installed.");
  expect(did).toEqual([]);
});

test("one that runs is wanted, gets its index while it has no vectors, and these are made", async () => {
  const { did, operations } = bench();
  expect(await operations.useEmbedder("small")).toMatchObject([{ name: "small", dimensions: 32, indexed: true }]);
  expect(did).toEqual(["wanted", "indexed", "started", "woken"]);
  await expect(operations.useEmbedder("large")).rejects.toMatchObject({ code: "EMBEDDER_UNKNOWN" });
});
