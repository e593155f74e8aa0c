import type { EmbedderConfig } from "../config.ts";
import { localEmbedder } from "../knowledge/embedder/local.ts";
import { openAiEmbedder } from "../knowledge/embedder/openai.ts";
import type { Embedder } from "../knowledge/embedder/port.ts";

/** The embedder that the operator has chosen. */
export const embedderFor = (config: EmbedderConfig): Embedder => (config.kind === "local" ? localEmbedder() : openAiEmbedder(config));
