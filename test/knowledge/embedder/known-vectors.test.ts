import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { packVectors, withKnownVectors } from "../../../src/knowledge/embedder/known-vectors.ts";
import type { Embedder } from "../../../src/knowledge/embedder/port.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "footnote-vectors-"));
});
afterAll(() => rm(folder, { recursive: true }));

const never = new AbortController().signal;

/** Its vectors say that it made them, and it notes what it was asked. */
function embedder(id = "model-2") {
  const asked: string[] = [];
  const embed: Embedder["embed"] = async (texts) => {
    asked.push(...texts);
    return texts.map(() => Float32Array.of(0, 1));
  };
  return {
    asked,
    embedder: {
      id,
      dimensions: 2,
      weight: 1,
      scale: { unrelated: 0, related: 1 },
      reads: () => true,
      embed,
      close: async () => {},
    } as Embedder,
  };
}

async function fileWith(passages: Record<string, readonly number[]>): Promise<string> {
  const file = join(folder, "known");
  const vectors = Object.entries(passages).map(([text, vector]) => [text, Float32Array.from(vector)] as const);
  await writeFile(file, packVectors({ id: "model-2" }, new Map(vectors)));
  return file;
}

test("what is known is not embedded again, the rest is, and the order stays", async () => {
  const { asked, embedder: inner } = embedder();
  const known = withKnownVectors(inner, await fileWith({ old: [1, 0], older: [0.6, 0.8] }));
  const vectors = await known.embed(["older", "new", "old"], "passage", never);
  expect(vectors.map((vector) => [...vector].map((value) => Math.round(value * 10) / 10))).toEqual([
    [0.6, 0.8],
    [0, 1],
    [1, 0],
  ]);
  expect(asked).toEqual(["new"]);
});

test("a question is never answered from there, nor a passage for another model", async () => {
  const file = await fileWith({ old: [1, 0] });
  const one = embedder();
  await withKnownVectors(one.embedder, file).embed(["old"], "query", never);
  expect(one.asked).toEqual(["old"]);
  const other = embedder("model-3");
  await withKnownVectors(other.embedder, file).embed(["old"], "passage", never);
  expect(other.asked).toEqual(["old"]);
});

test("without the file, or with half of one, everything is embedded", async () => {
  const { asked, embedder: inner } = embedder();
  await withKnownVectors(inner, join(folder, "nowhere")).embed(["old"], "passage", never);
  const cut = join(folder, "cut");
  await writeFile(cut, Buffer.alloc(17));
  await withKnownVectors(inner, cut).embed(["old"], "passage", never);
  expect(asked).toEqual(["old", "old"]);
});
