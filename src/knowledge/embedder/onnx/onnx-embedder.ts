import { compiledEntry } from "../../../core/compiled-entry.ts";
import { EmbedThread } from "../embed-thread.ts";
import type { Embedder } from "../port.ts";
import type { ModelFolder } from "./model-folder.ts";

/** What is peculiar to a family of models: what texts begin with, and where cosines lie. */
interface Family {
  readonly names: RegExp;
  readonly prefixes: { readonly query: string; readonly passage: string };
  readonly scale: Embedder["scale"];
}

const families: readonly Family[] = [
  // Trained with these words in front, and with cosines squeezed into the upper quarter.
  { names: /(^|-)e5(-|$)/, prefixes: { query: "query: ", passage: "passage: " }, scale: { unrelated: 0.75, related: 0.9 } },
  {
    names: /^bge-.*-en/,
    prefixes: { query: "Represent this sentence for searching relevant passages: ", passage: "" },
    scale: { unrelated: 0.4, related: 0.8 },
  },
];
const usual: Omit<Family, "names"> = { prefixes: { query: "", passage: "" }, scale: { unrelated: 0.1, related: 0.6 } };

/** Weight beside full text; what suits a model can be measured with `footnote eval`. */
const WEIGHT = 0.5;

/** An ONNX sentence-transformer from a folder, in threads of its own; questions do not wait behind an ingestion. */
export function onnxEmbedder(folder: ModelFolder): Embedder {
  const { name, dimensions } = folder;
  const { prefixes, scale } = families.find(({ names }) => names.test(name)) ?? usual;
  const entry = compiledEntry("./onnx-worker.ts", import.meta.url);
  const threads = {
    query: new EmbedThread(entry, { behindAnswers: false, model: folder }),
    passage: new EmbedThread(entry, { behindAnswers: true, model: folder }),
  };
  return {
    id: `${name}-${dimensions}`,
    dimensions,
    weight: WEIGHT,
    scale,
    reads: () => true,
    embed: (texts, kind, signal) =>
      threads[kind].embed(
        texts.map((text) => prefixes[kind] + text),
        dimensions,
        signal,
      ),
    warm: () => threads.query.warm(),
    async close() {
      await Promise.all([threads.query.close(), threads.passage.close()]);
    },
  };
}
