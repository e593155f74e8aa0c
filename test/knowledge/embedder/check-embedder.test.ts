import { expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { checkEmbedder } from "../../../src/knowledge/embedder/check-embedder.ts";
import type { Embedder } from "../../../src/knowledge/embedder/port.ts";

const embedder = (embed: Embedder["embed"]): Embedder => ({
  ...{ id: "small-3", dimensions: 3, weight: 0.5, scale: { unrelated: 0, related: 1 } },
  reads: () => true,
  embed,
  close: async () => {},
});
const vectors = (dimensions: number) => embedder(async (texts) => texts.map(() => new Float32Array(dimensions)));

test("an embedder that gives vectors of its dimension is fine", async () =>
  expect(await checkEmbedder(vectors(3), systemClock)).toMatchObject({
    status: "ok",
    summary: expect.stringContaining("into 3 dimensions"),
  }));

test("another dimension is a failure with its setting", async () =>
  expect(await checkEmbedder(vectors(4), systemClock)).toMatchObject({
    status: "failed",
    summary: "small-3 gave 4 dimensions, not 3.",
    mend: "Set FOOTNOTE_EMBEDDING_DIMENSIONS.",
  }));

test("one that does not work says why, and nothing that somebody else wrote", async () => {
  const failing = (thrown: unknown) =>
    checkEmbedder(
      embedder(() => Promise.reject(thrown)),
      systemClock,
    );
  expect((await failing(new AppError("EMBEDDER_FAILED", "Status 401."))).summary).toBe("small-3 does not work: Status 401.");
  expect((await failing(new Error("canary"))).summary).toBe("small-3 does not work: It did not answer.");
});
