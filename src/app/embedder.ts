import { fileURLToPath } from "node:url";
import type { EmbedderConfig } from "../config.ts";
import { compiledEntry } from "../core/compiled-entry.ts";
import { withKnownVectors } from "../knowledge/embedder/known-vectors.ts";
import { localEmbedder } from "../knowledge/embedder/local.ts";
import { openAiEmbedder } from "../knowledge/embedder/openai.ts";
import type { Embedder } from "../knowledge/embedder/port.ts";

/** Vectors of the handbooks that come with the project, made once after the install by scripts/build-known-vectors.ts. */
export const knownVectorsFile = fileURLToPath(compiledEntry("../../known-vectors", import.meta.url));

/** The embedder that the operator has chosen. */
export const embedderFor = (config: EmbedderConfig): Embedder =>
  config.kind === "local" ? withKnownVectors(localEmbedder(), knownVectorsFile) : openAiEmbedder(config);
