import { type EnqueuedTask, Meilisearch, MeilisearchApiError, type Settings } from "meilisearch";
import { generateTenantToken } from "meilisearch/token";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { isUuid, type PassageId, type TenantId } from "../../../core/ids.ts";
import type { Secret } from "../../../core/secret.ts";

export interface MeiliOptions {
  readonly url: string;
  /** Key for writing: indexes, settings, documents, tasks. */
  readonly key: Secret;
  /** Key that can search and nothing else, with its id; without it, one is looked for with the first key. */
  readonly search?: { readonly key: Secret; readonly id: string } | undefined;
  readonly clock: Clock;
}

/** What the index keeps of a passage. Every document's entries carry its revision, so that stale ones can be told. */
export interface Entry {
  readonly id: PassageId;
  readonly document: string;
  readonly revision: string;
  readonly grants: readonly string[];
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

export type KeptEntry = Pick<Entry, "id" | "document" | "revision">;

/** A search by one tenant, within what a filter lets through. */
export interface ServerQuery {
  readonly words: string;
  readonly filter: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

const PRIMARY_KEY = "id";
const REQUEST_MS = 30_000;
/** A search takes milliseconds; an answer must not wait for a server that hangs. */
const SEARCH_MS = 10_000;
/** A token is for one query; this is what the clocks of two machines may differ by. */
const TOKEN_MS = 120_000;
/** Longest a task is waited for: a server that is behind takes its queue in order. */
const TASK_MS = 300_000;
const [FIRST_POLL_MS, LONGEST_POLL_MS] = [20, 1_000];
/** Entries and characters in one request; the server takes 100 MB. */
const [MOST_ENTRIES, MOST_CHARACTERS] = [1_000, 4_000_000];
const PAGE = 1_000;

/** A Meilisearch server with an index for each tenant. What it does not do as it should is an AppError: FULL_TEXT_REFUSED where a task failed, else FULL_TEXT_FAILED. */
export class MeiliServer {
  readonly #options: MeiliOptions;
  readonly #client: Meilisearch;
  #search: Promise<{ key: string; id: string }> | undefined;

  constructor(options: MeiliOptions) {
    this.#options = options;
    this.#client = this.#clientWith(options.key.reveal());
  }

  /** Makes the index when there is none, and applies settings one after another. */
  async prepare(tenant: TenantId, migrations: readonly Settings[], signal: AbortSignal): Promise<void> {
    const uid = indexOf(tenant);
    if (!(await this.exists(tenant))) await this.#done(this.#client.createIndex(uid, { primaryKey: PRIMARY_KEY }), signal);
    for (const settings of migrations) await this.#done(this.#client.index(uid).updateSettings(settings), signal);
  }

  async exists(tenant: TenantId): Promise<boolean> {
    return (await this.#unlessMissing(() => this.#client.getRawIndex(indexOf(tenant)))) !== undefined;
  }

  /** Undefined when there is no index. */
  settings(tenant: TenantId): Promise<Settings | undefined> {
    return this.#unlessMissing(() => this.#client.index(indexOf(tenant)).getSettings());
  }

  /** Puts one document's entries in the place of its earlier ones. */
  async write(tenant: TenantId, document: string, revision: string, entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const index = this.#client.index(indexOf(tenant));
    for (const some of batches(entries)) await this.#done(index.addDocuments([...some], { primaryKey: PRIMARY_KEY }), signal);
    await this.#done(index.deleteDocuments({ filter: `document = "${uuid(document)}" AND revision != "${uuid(revision)}"` }), signal);
  }

  /** Removes a document's entries. */
  async remove(tenant: TenantId, document: string, signal: AbortSignal): Promise<void> {
    await this.#done(this.#client.index(indexOf(tenant)).deleteDocuments({ filter: `document = "${uuid(document)}"` }), signal);
  }

  /** Deletes the index with all that is in it; nothing when there is none. */
  async drop(tenant: TenantId, signal: AbortSignal): Promise<void> {
    if (await this.exists(tenant)) await this.#done(this.#client.deleteIndex(indexOf(tenant)), signal);
  }

  /** Everything the index holds. */
  async *entries(tenant: TenantId): AsyncGenerator<readonly KeptEntry[]> {
    for (let offset = 0; ; offset += PAGE) {
      const request = { offset, limit: PAGE, fields: ["id", "document", "revision"] };
      const page = await this.#asked(() => this.#client.index<Record<string, unknown>>(indexOf(tenant)).getDocuments(request));
      yield page.results as unknown as readonly KeptEntry[];
      if (page.results.length < PAGE) return;
    }
  }

  /** Best first, with Meilisearch's own score from 0 to 1. The filter is in the token, which is for this query and this index alone. */
  async search(tenant: TenantId, { words, filter, limit, signal }: ServerQuery): Promise<readonly { id: PassageId; score: number }[]> {
    const uid = indexOf(tenant);
    const { key, id } = await this.#searchKey();
    const expiresAt = new Date(this.#options.clock.now().getTime() + TOKEN_MS);
    const token = await generateTenantToken({ apiKey: key, apiKeyUid: id, searchRules: { [uid]: { filter } }, expiresAt });
    const found = await this.#asked(() =>
      this.#clientWith(token)
        .index<Record<string, unknown>>(uid)
        .search(
          words,
          { limit, attributesToRetrieve: [PRIMARY_KEY], showRankingScore: true, matchingStrategy: "frequency" },
          { signal: AbortSignal.any([signal, AbortSignal.timeout(SEARCH_MS)]) },
        ),
    ).catch((thrown: unknown) => {
      signal.throwIfAborted();
      throw thrown;
    });
    return found.hits.map((hit) => ({ id: hit[PRIMARY_KEY] as PassageId, score: hit._rankingScore ?? 0 }));
  }

  async version(): Promise<string> {
    return (await this.#asked(() => this.#client.getVersion())).pkgVersion;
  }

  /** Whether the writing key could also make and read keys: more than this program needs. */
  async readsKeys(): Promise<boolean> {
    return this.#client.getKeys({ limit: 1 }).then(
      () => true,
      () => false,
    );
  }

  /** @throws AppError FULL_TEXT_FAILED when there is none */
  async requireSearchKey(): Promise<void> {
    await this.#searchKey();
  }

  #searchKey(): Promise<{ key: string; id: string }> {
    this.#search ??= this.#findSearchKey().catch((thrown: unknown) => {
      this.#search = undefined;
      throw thrown;
    });
    return this.#search;
  }

  async #findSearchKey(): Promise<{ key: string; id: string }> {
    const { search } = this.#options;
    if (search) return { key: search.key.reveal(), id: search.id };
    const { results } = await this.#asked(() => this.#client.getKeys({ limit: 1_000 })).catch(() => ({ results: [] }));
    const found = results.find(
      ({ actions, indexes, expiresAt }) => actions.join() === "search" && coversAll(indexes) && expiresAt === null,
    );
    if (!found)
      throw new AppError("FULL_TEXT_FAILED", "Set MEILI_SEARCH_KEY and MEILI_SEARCH_KEY_ID to a key that may search and nothing else.");
    return { key: found.key, id: found.uid };
  }

  #clientWith(apiKey: string): Meilisearch {
    // A redirect would carry the key to whoever it names.
    return new Meilisearch({ host: this.#options.url, apiKey, timeout: REQUEST_MS, requestInit: { redirect: "error" } });
  }

  /** Accepted is not done: waits for the task's end and surfaces its failure. */
  async #done(request: Promise<EnqueuedTask>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const { taskUid } = await this.#asked(() => request);
    const since = clock.monotonic();
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 2)) {
      const task = await this.#asked(() => this.#client.tasks.getTask(taskUid));
      if (task.status === "succeeded") return;
      if (task.status === "failed") throw new AppError("FULL_TEXT_REFUSED", `Meilisearch says: ${task.error?.code ?? "unknown"}.`);
      if (task.status === "canceled") throw new AppError("FULL_TEXT_REFUSED", "Somebody has cancelled it in Meilisearch.");
      if (clock.monotonic() - since > TASK_MS)
        throw new AppError("FULL_TEXT_FAILED", `Meilisearch did not do it within ${TASK_MS / 60_000} minutes.`);
      await clock.sleep(pause, signal);
    }
  }

  async #unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (thrown) {
      if (codeFrom(thrown) === "index_not_found") return undefined;
      throw outward(thrown);
    }
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (thrown) {
      throw outward(thrown);
    }
  }
}

/** Index names are letters, digits, hyphens and underscores. */
export const indexOf = (tenant: TenantId): string => `footnote_${uuid(tenant)}`;

/** Nothing but a UUID gets into a filter or a name. */
function uuid(id: string): string {
  if (!isUuid(id)) throw new AppError("INTERNAL");
  return id;
}

const coversAll = (indexes: readonly string[]): boolean => indexes.some((each) => each === "*" || each === "footnote_*");

const codeFrom = (thrown: unknown): string | undefined => (thrown instanceof MeilisearchApiError ? thrown.cause?.code : undefined);

/** Meilisearch's messages may hold texts and filters: its code says enough. */
function outward(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = codeFrom(thrown);
  if (code === "payload_too_large") return new AppError("FULL_TEXT_REFUSED", `Meilisearch says: ${code}.`);
  if (code !== undefined) return new AppError("FULL_TEXT_FAILED", `Meilisearch says: ${code}.`);
  if (thrown instanceof MeilisearchApiError)
    return new AppError("FULL_TEXT_FAILED", `Meilisearch answered with status ${thrown.response.status}.`);
  return new AppError("FULL_TEXT_FAILED", "Meilisearch does not answer.");
}

function* batches(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = [];
  let size = 0;
  for (const entry of entries) {
    if (batch.length > 0 && (batch.length >= MOST_ENTRIES || size + entry.text.length > MOST_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(entry);
    size += entry.text.length;
  }
  if (batch.length > 0) yield batch;
}
