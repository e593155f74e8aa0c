import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { AppError } from "../../../core/errors.ts";
import { type ModelFolder, modelFolders } from "./model-folder.ts";

export interface InstallModelRequest {
  /** As the host names it ("Xenova/multilingual-e5-small"); without an owner it is Xenova's. */
  readonly model: string;
  /** The folder in which models have theirs. */
  readonly parent: string;
  /** A host that serves as Hugging Face does. */
  readonly host?: string;
  readonly signal: AbortSignal;
  onProgress(line: string): void;
}

const HOST = "https://huggingface.co";
const OWNER = "Xenova";
/** Files of a model, and whether it works without. */
const files: readonly { readonly path: string; readonly optional?: true }[] = [
  { path: "config.json" },
  { path: "tokenizer.json" },
  { path: "tokenizer_config.json", optional: true },
  { path: "special_tokens_map.json", optional: true },
  { path: "onnx/model_quantized.onnx" },
];

/**
 * Fetches a model into a folder of its own; it is there whole or not at all. The only place where weights are ever fetched, and only because somebody
 * asked for it.
 * @throws AppError EMBEDDER_UNKNOWN when there is no such model there; EMBEDDER_FAILED when it cannot be fetched
 */
export async function installModel({ model, parent, host = HOST, signal, onProgress }: InstallModelRequest): Promise<ModelFolder> {
  const [, owner = OWNER, name] = /^(?:([\w.-]+)\/)?(\w[\w.-]*)$/.exec(model) ?? [];
  if (name === undefined) throw new AppError("EMBEDDER_UNKNOWN", "Name it as owner/model.");
  const unfinished = join(parent, `.${name}.unfinished`);
  await rm(unfinished, { recursive: true, force: true });
  try {
    for (const { path, optional } of files) {
      onProgress(`Fetching ${path} of ${owner}/${name} from ${host}`);
      const found = await download(`${host}/${owner}/${name}/resolve/main/${path}`, join(unfinished, path), signal);
      if (!found && !optional) throw new AppError("EMBEDDER_UNKNOWN", `${host}/${owner}/${name} has no ${path}.`);
    }
    const target = join(parent, name);
    await rm(target, { recursive: true, force: true });
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const installed = (await modelFolders(parent)).find((each) => each.name === name);
  if (!installed) throw new AppError("EMBEDDER_FAILED", "What was fetched is no sentence-transformer: its config.json names no dimension.");
  return installed;
}

/** False when there is no such file. */
async function download(url: string, to: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal });
    if (response.status === 404) return false;
    if (!response.ok || !response.body) throw new AppError("EMBEDDER_FAILED", `${url} answered with status ${response.status}.`);
    await mkdir(dirname(to), { recursive: true });
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(to), { signal });
    return true;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError) throw thrown;
    throw new AppError("EMBEDDER_FAILED", `${url} cannot be fetched.`, { cause: thrown });
  }
}
