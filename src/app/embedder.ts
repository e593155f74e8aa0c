import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config, EmbedderConfig } from "../config.ts";
import { compiledEntry } from "../core/compiled-entry.ts";
import { AppError } from "../core/errors.ts";
import { withKnownVectors } from "../knowledge/embedder/known-vectors.ts";
import { localEmbedder } from "../knowledge/embedder/local.ts";
import { modelFolders } from "../knowledge/embedder/onnx/model-folder.ts";
import { onnxEmbedder } from "../knowledge/embedder/onnx/onnx-embedder.ts";
import { openAiEmbedder } from "../knowledge/embedder/openai.ts";
import type { Embedder } from "../knowledge/embedder/port.ts";

/** Vectors of the handbooks that come with the project, made once after the install by scripts/build-known-vectors.ts. */
export const knownVectorsFile = fileURLToPath(compiledEntry("../../known-vectors", import.meta.url));

/** The one that needs nothing else. */
export const builtInEmbedder = (): Embedder => withKnownVectors(localEmbedder(), knownVectorsFile);

/** The embedder that the environment names. */
export const embedderFor = (config: EmbedderConfig): Embedder => (config.kind === "local" ? builtInEmbedder() : openAiEmbedder(config));

/** Where `footnote embedder install` puts models. */
export const modelsFolder = ({ home }: Pick<Config, "home">): string => join(home, "models");

/** Every embedding model that this program can run, each opened at most once. */
export class Embedders {
  /** The one that the environment names. */
  readonly configured: Embedder;
  readonly #config: Pick<Config, "home" | "embedder">;
  readonly #opened = new Map<string, Embedder>();

  constructor(config: Pick<Config, "home" | "embedder">) {
    this.#config = config;
    this.configured = embedderFor(config.embedder);
    this.#opened.set(this.configured.id, this.configured);
  }

  /** What people call them: a folder's name, the endpoint's model, "built-in". */
  async list(): Promise<readonly { readonly name: string; readonly embedder: Embedder }[]> {
    const { embedder } = this.#config;
    const installed = (await modelFolders(modelsFolder(this.#config))).map((folder) => ({
      name: folder.name,
      embedder: this.#once(`${folder.name}-${folder.dimensions}`, () => onnxEmbedder(folder)),
    }));
    const builtIn = { name: "built-in", embedder: this.#once("use-lite-512", builtInEmbedder) };
    return [builtIn, ...(embedder.kind === "openai" ? [{ name: embedder.model, embedder: this.configured }] : []), ...installed];
  }

  /** @throws AppError EMBEDDER_UNKNOWN */
  async open(id: string): Promise<Embedder> {
    const found = this.#opened.get(id) ?? (await this.list()).find(({ embedder }) => embedder.id === id)?.embedder;
    if (!found) throw new AppError("EMBEDDER_UNKNOWN", `It is ${id}.`);
    return found;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((embedder) => embedder.close()));
  }

  #once(id: string, make: () => Embedder): Embedder {
    const found = this.#opened.get(id) ?? make();
    this.#opened.set(id, found);
    return found;
  }
}
