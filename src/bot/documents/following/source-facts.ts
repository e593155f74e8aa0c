import type { Principal } from "../../../core/principal.ts";
import type { SourceRows, StoredSource } from "../../../knowledge/sources/source-store.ts";

/** A source with what it holds now. */
export interface CountedSource extends StoredSource {
  readonly documents: number;
  /** Why something of it is not read, in English, each with its name. */
  readonly failures: readonly string[];
}

/** Sources whose documents somebody may read; others are as if they were not there, for admins too. */
export const readableSources = async (rows: Pick<SourceRows, "list">, principals: readonly Principal[]): Promise<readonly StoredSource[]> =>
  (await rows.list()).filter(({ grants }) => grants.some((grant) => principals.includes(grant)));

export const withCounts = (rows: Pick<SourceRows, "items">, sources: readonly StoredSource[]): Promise<readonly CountedSource[]> =>
  Promise.all(
    sources.map(async (source) => {
      const items = await rows.items(source.id);
      const documents = items.filter(({ document }) => document !== undefined).length;
      // Where an item goes by an id, its name stands in the reason already.
      const named = (uri: string, failure: string) => (source.kind === "slack" ? failure : `${uri}: ${failure}`);
      return { ...source, documents, failures: items.flatMap(({ uri, failure }) => (failure === undefined ? [] : [named(uri, failure)])) };
    }),
  );
