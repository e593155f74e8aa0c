import { basename, dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { giveWay } from "../../give-way.ts";
import type { EmbedReply, EmbedRequest, WorkerStart } from "../embed-thread.ts";
import type { ModelFolder } from "./model-folder.ts";

type Extract = Awaited<ReturnType<typeof import("@huggingface/transformers")["pipeline"]>>;

const MISSING = "The package that runs such models is not installed. Run: npm install --no-save @huggingface/transformers@4.3.2";

const start = workerData as WorkerStart<ModelFolder>;
if (start.behindAnswers) giveWay();

let loading: Promise<Extract> | undefined;

/** From the folder alone: nothing is ever fetched here. */
async function load({ path, quantized }: Pick<ModelFolder, "path" | "quantized">): Promise<Extract> {
  const { env, pipeline } = await import("@huggingface/transformers").catch(() => {
    throw new Error(MISSING);
  });
  env.allowRemoteModels = false;
  env.localModelPath = dirname(path);
  return await pipeline("feature-extraction", basename(path), { dtype: quantized ? "q8" : "fp32", local_files_only: true });
}

parentPort?.on("message", async ({ id, texts }: EmbedRequest) => {
  try {
    loading ??= load(start.model as ModelFolder);
    const extract = await loading;
    const vectors = (await extract(texts, { pooling: "mean", normalize: true })).tolist().map((each) => Float32Array.from(each));
    parentPort?.postMessage({ id, vectors } satisfies EmbedReply);
  } catch (thrown) {
    loading = undefined;
    const error = thrown instanceof Error ? thrown.message : String(thrown);
    const mend = error === MISSING ? MISSING : "The model in its folder cannot be run: install it again.";
    parentPort?.postMessage({ id, error, mend } satisfies EmbedReply);
  }
});
