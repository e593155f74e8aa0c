import OpenAI from "openai";
import { AppError } from "../../core/errors.ts";
import type { Secret } from "../../core/secret.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Embedder } from "./port.ts";

export interface OpenAiEmbedderOptions {
  readonly model: string;
  readonly dimensions: number;
  /** Absent: OpenAI itself. */
  readonly baseUrl?: string | undefined;
  /** Absent for servers that want none. */
  readonly apiKey?: Secret | undefined;
  /** Weight of similarities in hybrid search; 0.6 unless given. Measure it on your own questions. */
  readonly weight?: number;
  /** Most texts and tokens in one request, and most tokens of one text; what exceeds the last is cut. */
  readonly limits?: { readonly texts: number; readonly tokens: number; readonly tokensPerText: number };
}

const DEFAULT_WEIGHT = 0.6;
const DEFAULT_LIMITS = { texts: 64, tokens: 100_000, tokensPerText: 8_000 };
/** Tries after the first, with growing pauses and respect for Retry-After. */
const RETRIES = 4;
const TIMEOUT_MS = 60_000;

/** Any server with OpenAI's embeddings endpoint (Ollama, vLLM, TEI, LM Studio, hosted ones). */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, baseUrl, apiKey, weight = DEFAULT_WEIGHT, limits = DEFAULT_LIMITS } = options;
  const client = new OpenAI({
    apiKey: apiKey?.reveal() ?? "none",
    baseURL: baseUrl ?? "https://api.openai.com/v1",
    // Absent and null differ: unset, the package would read these from the environment.
    organization: null,
    project: null,
    maxRetries: RETRIES,
    timeout: TIMEOUT_MS,
    logLevel: "off",
  });
  return {
    id: `${model}-${dimensions}`,
    dimensions,
    weight,
    scale: { unrelated: 0.2, related: 0.7 },
    reads: () => true,
    async embed(texts, _kind, signal) {
      const vectors: Float32Array[] = [];
      for (const batch of batches(
        texts.map((text) => fitting(text, limits.tokensPerText)),
        limits,
      )) {
        vectors.push(...(await request(client, { model, dimensions }, batch, signal)));
      }
      return vectors;
    },
    async close() {},
  };
}

/** Servers refuse empty texts, and texts over the model's length fail the whole batch. */
function fitting(text: string, tokens: number): string {
  if (text.trim() === "") throw new AppError("EMBEDDER_FAILED", "An empty text has no embedding.");
  let cut = text;
  while (countTokens(cut) > tokens) cut = cut.slice(0, Math.floor((cut.length * tokens) / countTokens(cut)) - 1);
  return cut;
}

function* batches(texts: readonly string[], limits: { texts: number; tokens: number }): Generator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for (const text of texts) {
    const tokens = countTokens(text);
    if (batch.length > 0 && (batch.length >= limits.texts || size + tokens > limits.tokens)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(text);
    size += tokens;
  }
  if (batch.length > 0) yield batch;
}

async function request(
  client: OpenAI,
  { model, dimensions }: { model: string; dimensions: number },
  input: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  // Always "float": the package's own default is base64, which some servers answer in a way that it reads as empty.
  const answer = await client.embeddings.create({ model, input, encoding_format: "float" }, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const status = cause instanceof OpenAI.APIError && cause.status ? ` (status ${cause.status})` : "";
    throw new AppError("EMBEDDER_FAILED", `The embedding server did not answer as it should${status}.`);
  });
  const vectors = new Array<Float32Array | undefined>(input.length).fill(undefined);
  for (const { index, embedding } of answer.data ?? []) {
    if (embedding?.length !== dimensions) {
      throw new AppError(
        "EMBEDDER_FAILED",
        `It gave vectors of ${embedding?.length ?? 0} dimensions, not ${dimensions}: set FOOTNOTE_EMBEDDING_DIMENSIONS.`,
      );
    }
    vectors[index] = unit(embedding);
  }
  const complete = vectors.filter((vector) => vector !== undefined);
  if (complete.length !== input.length || answer.data.length !== input.length) {
    throw new AppError("EMBEDDER_FAILED", `It gave ${answer.data?.length ?? 0} vectors for ${input.length} texts.`);
  }
  return complete;
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  if (!(length > 0)) throw new AppError("EMBEDDER_FAILED", "It gave a vector of length 0.");
  return Float32Array.from(values, (value) => value / length);
}
