import { AppError } from "../core/errors.ts";
import type { Embedder } from "../knowledge/embedder/port.ts";
import type { ReEmbedder } from "../knowledge/embedder/re-embedder.ts";
import type { EmbedderReport, KnowledgeOperations, MendedReport } from "../operations/knowledge.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import type { Embedders } from "./embedder.ts";
import type { FullTextSide } from "./full-text.ts";

export interface KnowledgeOperationsParts {
  readonly database: Pick<Database, "mendVectorIndexes">;
  readonly store: Store;
  readonly embedders: Embedders;
  readonly reEmbedder: ReEmbedder;
  readonly fullText: FullTextSide | undefined;
}

/** How long a model may take to be loaded and to embed a sentence. */
const PATIENCE_MS = 120_000;

/** What an operator does about the search itself, over this program's parts. */
export function knowledgeOperations({ database, store, embedders, reEmbedder, fullText }: KnowledgeOperationsParts): KnowledgeOperations {
  const report = async (): Promise<readonly EmbedderReport[]> => {
    const [choice, all, tenants] = await Promise.all([store.embedderUse.read(), embedders.list(), store.tenants.list()]);
    return Promise.all(
      all.map(async ({ name, embedder: { id, dimensions } }) => {
        const each = await Promise.all(tenants.map((tenant) => store.forTenant(tenant.id).embeddings.progress(id)));
        const sum = (of: "passages" | "embedded") => each.reduce((total, progress) => total + progress[of], 0);
        const status = id === choice.current ? "in use" : id === choice.wanted ? "preparing" : "available";
        const indexed = await store.embedderUse.hasIndex(id);
        const problem = status === "preparing" ? reEmbedder.problem : undefined;
        const counts = { passages: sum("passages"), embedded: sum("embedded") };
        return { name, dimensions, status, ...counts, indexed, ...(problem !== undefined && { problem }) } as const;
      }),
    );
  };
  const named = async (name: string): Promise<Embedder> => {
    const all = await embedders.list();
    const found = all.find((each) => each.name === name);
    if (!found) throw new AppError("EMBEDDER_UNKNOWN", `There are: ${all.map((each) => each.name).join(", ")}.`);
    return found.embedder;
  };
  return {
    embedders: report,
    useEmbedder: async (name) => {
      const wanted = await named(name);
      // One that cannot run (its package is missing, its endpoint is away) is not waited for: the reason is told now, and nothing changes.
      await wanted.embed(["How many weeks of leave are there?"], "query", AbortSignal.timeout(PATIENCE_MS));
      await store.embedderUse.want(wanted);
      // While it has no vectors yet: then this takes no time.
      await database.mendVectorIndexes();
      reEmbedder.start();
      reEmbedder.wake();
      return report();
    },
    forgetEmbedder: async (name) => {
      const { id } = await named(name);
      const { current, wanted } = await store.embedderUse.read();
      if (id === current || id === wanted) throw new AppError("EMBEDDER_IN_USE");
      await store.embedderUse.forget(id);
      await database.mendVectorIndexes();
      for (const tenant of await store.tenants.list()) await store.forTenant(tenant.id).embeddings.forget(id);
      return report();
    },
    mendFullText: async ({ workspace }) => {
      if (!fullText)
        throw new AppError("FULL_TEXT_FAILED", "MEILI_URL is not set: words are searched in the database, where nothing can differ.");
      const all = await store.tenants.list();
      const tenants = workspace === undefined ? all : all.filter(({ name }) => name === workspace);
      if (tenants.length === 0) throw new AppError("WORKSPACE_UNKNOWN");
      const mended: MendedReport[] = [];
      for (const { id, name } of tenants) mended.push({ workspace: name, ...(await fullText.indexer.mend(id)) });
      return mended;
    },
  };
}
