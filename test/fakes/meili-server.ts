import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { systemClock } from "../../src/core/clock.ts";
import { type Filter, parseFilter } from "./meili-filter.ts";
import { type Settings, settingNames, standardSettings } from "./meili-settings.ts";

type Json = Readonly<Record<string, unknown>>;

export interface MeiliKey {
  readonly key: string;
  readonly uid: string;
  readonly actions: readonly string[];
  readonly indexes: readonly string[];
}

export interface MeiliRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: unknown;
}

interface Index {
  primaryKey: string | null;
  settings: Settings;
  readonly documents: Map<string, Json>;
}

interface Task {
  readonly uid: number;
  readonly indexUid: string;
  readonly type: string;
  status: "enqueued" | "succeeded" | "failed";
  error: Json | null;
  run(): void;
}

/** What the server refuses, with its code. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const searchParameters = new Set(
  "q offset limit filter attributesToRetrieve attributesToSearchOn showRankingScore rankingScoreThreshold matchingStrategy locales sort facets".split(
    " ",
  ),
);
const MOST_WORDS = 10;

/**
 * Meilisearch's HTTP interface on the loopback interface, as it is documented, and as strict: what the real server refuses is refused with the same
 * code, by the request itself or by the task that follows it. Its search is a simple one.
 */
export class FakeMeili {
  readonly requests: MeiliRequest[] = [];
  readonly indexes = new Map<string, Index>();
  /** While it is set, tasks are taken but not worked off. */
  frozen = false;
  /** While it is set, every connection is cut. */
  down = false;
  payloadLimit = 100_000_000;
  /** Documents that it does not take, for whatever reason of its own: their task fails. */
  dislikes: (document: Json) => boolean = () => false;
  readonly writeKey: MeiliKey;
  readonly searchKey: MeiliKey;
  readonly #keys: MeiliKey[];
  readonly #tasks: Task[] = [];
  readonly #server;

  private constructor(writeActions: readonly string[]) {
    this.writeKey = { key: `write-${randomUUID()}`, uid: randomUUID(), actions: writeActions, indexes: ["*"] };
    this.searchKey = { key: `search-${randomUUID()}`, uid: randomUUID(), actions: ["search"], indexes: ["*"] };
    this.#keys = [this.writeKey, this.searchKey];
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param actions of the writing key; by default without those on keys */
  static async start(actions: readonly string[] = ["indexes.*", "settings.*", "documents.*", "tasks.get", "version"]): Promise<FakeMeili> {
    const server = new FakeMeili(actions);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Works off what was taken while it was frozen. */
  thaw(): void {
    this.frozen = false;
    for (const task of this.#tasks) this.#run(task);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.down) return void request.socket.destroy();
    const send = (status: number, body: unknown) =>
      void response.writeHead(status, { "Content-Type": "application/json" }).end(body === undefined ? "" : JSON.stringify(body));
    try {
      const bytes = await buffer(request);
      const url = new URL(request.url ?? "/", this.url);
      if (bytes.length > this.payloadLimit) throw new Refusal(413, "payload_too_large");
      const body = parsed(bytes, request.headers["content-type"]);
      const authorization = request.headers.authorization ?? "";
      this.requests.push({ method: request.method ?? "", path: url.pathname, authorization, body });
      const [status, result] = this.#route(`${request.method} ${url.pathname}`, url, body, authorization);
      send(status, result);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) return send(500, { message: String(thrown), code: "internal", type: "internal", link: "" });
      const type = thrown.status === 401 || thrown.status === 403 ? "auth" : "invalid_request";
      send(thrown.status, { message: thrown.message, code: thrown.code, type, link: `https://docs.meilisearch.com/errors#${thrown.code}` });
    }
  }

  #route(route: string, url: URL, body: unknown, authorization: string): [number, unknown] {
    const [, uid = "", rest = ""] = /^\w+ \/indexes\/([^/]+)(\/.*)?$/.exec(route) ?? [];
    const allow = (action: string, index = uid) => this.#authorise(authorization, action, index);
    const method = route.split(" ")[0];
    switch (uid === "" ? route : `${method} /indexes/:uid${rest}`) {
      case "GET /version":
        allow("version");
        return [200, { commitSha: "0", commitDate: "2026-01-01", pkgVersion: "1.22.0" }];
      case "GET /keys":
        allow("keys.get");
        return [200, { results: this.#keys.map((key) => ({ ...key, expiresAt: null })), offset: 0, limit: 20, total: this.#keys.length }];
      case "POST /multi-search":
        return [
          200,
          {
            results: (body as { queries: Json[] }).queries.map(({ indexUid, ...query }) =>
              this.#search(String(indexUid), query, authorization),
            ),
          },
        ];
      case "POST /indexes":
        return this.#createIndex(body as Json, authorization);
      case "GET /indexes/:uid":
        allow("indexes.get");
        return [200, { uid, primaryKey: this.#index(uid).primaryKey, createdAt: "", updatedAt: "" }];
      case "DELETE /indexes/:uid":
        allow("indexes.delete");
        return this.#enqueue(uid, "indexDeletion", () => {
          this.#index(uid);
          this.indexes.delete(uid);
        });
      case "GET /indexes/:uid/settings":
        allow("settings.get");
        return [200, this.#index(uid).settings];
      case "PATCH /indexes/:uid/settings":
        allow("settings.update");
        return this.#updateSettings(uid, body as Json);
      case "POST /indexes/:uid/documents":
        allow("documents.add");
        return this.#addDocuments(uid, body, url.searchParams.get("primaryKey"));
      case "POST /indexes/:uid/documents/delete":
        allow("documents.delete");
        return this.#deleteDocuments(uid, body as Json);
      case "GET /indexes/:uid/documents":
      case "POST /indexes/:uid/documents/fetch":
        allow("documents.get");
        return this.#documents(uid, body === undefined ? Object.fromEntries(url.searchParams) : (body as Json));
      case "POST /indexes/:uid/search":
        return [200, this.#search(uid, body as Json, authorization)];
      default: {
        const task = /^GET \/tasks\/(\d+)$/.exec(route)?.[1];
        if (task === undefined) throw new Refusal(404, "not_found");
        allow("tasks.get", "*");
        const found = this.#tasks[Number(task)];
        if (!found) throw new Refusal(404, "task_not_found");
        const { run: _, ...shown } = found;
        return [200, shown];
      }
    }
  }

  /** @returns the filter that a tenant token enforces for this index, when it is one */
  #authorise(authorization: string, action: string, index: string): string | undefined {
    if (authorization === "") throw new Refusal(401, "missing_authorization_header");
    const token = authorization.replace(/^Bearer /, "");
    const key = this.#keys.find((each) => each.key === token);
    if (key) {
      const may = key.actions.some((each) => each === "*" || each === action || each === `${action.split(".")[0]}.*`);
      if (!may || !covers(key.indexes, index)) throw new Refusal(403, "invalid_api_key");
      return undefined;
    }
    if (action !== "search") throw new Refusal(403, "invalid_api_key");
    return this.#tenantFilter(token, index);
  }

  #tenantFilter(token: string, index: string): string | undefined {
    const no = () => new Refusal(403, "invalid_api_key", "The provided API key is invalid.");
    const [head = "", payload = "", signature = ""] = token.split(".");
    const header = decoded(head);
    const claims = decoded(payload);
    if (header?.alg !== "HS256" || header.typ !== "JWT" || !claims) throw no();
    const key = this.#keys.find(({ uid }) => uid === claims.apiKeyUid);
    if (!key?.actions.includes("search") || !covers(key.indexes, index)) throw no();
    const wanted = createHmac("sha256", key.key).update(`${head}.${payload}`).digest();
    const given = Buffer.from(signature, "base64url");
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw no();
    if (typeof claims.exp === "number" && claims.exp * 1000 <= systemClock.now().getTime()) throw no();
    const rules = claims.searchRules as Record<string, { filter?: string } | null>;
    const name = Object.keys(rules).find((each) => each === index) ?? Object.keys(rules).find((each) => covers([each], index));
    if (name === undefined) throw no();
    return rules[name]?.filter;
  }

  #createIndex(body: Json, authorization: string): [number, unknown] {
    const uid = String(body.uid);
    this.#authorise(authorization, "indexes.create", uid);
    checkIndexUid(uid);
    return this.#enqueue(uid, "indexCreation", () => {
      if (this.indexes.has(uid)) throw new Refusal(409, "index_already_exists");
      this.indexes.set(uid, { primaryKey: (body.primaryKey as string) ?? null, settings: standardSettings(), documents: new Map() });
    });
  }

  #updateSettings(uid: string, body: Json): [number, unknown] {
    const unknown = Object.keys(body).find((name) => !settingNames.has(name));
    if (unknown) throw new Refusal(400, "bad_request", `Unknown field \`${unknown}\``);
    const rules = (body.rankingRules ?? []) as string[];
    if (rules.some((rule) => !/^(words|typo|proximity|attribute(Rank)?|wordPosition|exactness|sort|[\w.-]+:(asc|desc))$/.test(rule)))
      throw new Refusal(400, "invalid_settings_ranking_rules");
    return this.#enqueue(uid, "settingsUpdate", () => {
      const index = this.#index(uid);
      index.settings = { ...index.settings, ...body };
    });
  }

  #addDocuments(uid: string, body: unknown, primaryKey: string | null): [number, unknown] {
    checkIndexUid(uid);
    if (!Array.isArray(body)) throw new Refusal(400, "malformed_payload");
    return this.#enqueue(uid, "documentAdditionOrUpdate", () => {
      const index = this.indexes.get(uid) ?? { primaryKey: null, settings: standardSettings(), documents: new Map<string, Json>() };
      const key = keyOf(index, primaryKey, body[0] as Json | undefined);
      const ids = (body as Json[]).map((document) => {
        const id = document[key];
        if (this.dislikes(document)) throw new Refusal(500, "internal");
        if (id === undefined) throw new Refusal(400, "missing_document_id");
        // Only these, 511 bytes at most: the whole task fails for one that is not.
        if (!/^[\w-]{1,511}$/.test(String(id))) throw new Refusal(400, "invalid_document_id");
        return String(id);
      });
      index.primaryKey = key;
      this.indexes.set(uid, index);
      for (const [at, document] of (body as Json[]).entries()) index.documents.set(ids[at] ?? "", document);
    });
  }

  #deleteDocuments(uid: string, body: Json): [number, unknown] {
    const filter = filterOf(body.filter, "invalid_document_filter");
    if (!filter) throw new Refusal(400, "missing_document_filter");
    return this.#enqueue(uid, "documentDeletion", () => {
      const index = this.#index(uid);
      requireFilterable(filter, index, "invalid_document_filter");
      for (const [id, document] of index.documents) if (filter.holds(document)) index.documents.delete(id);
    });
  }

  #documents(uid: string, { offset = 0, limit = 20, fields }: Json): [number, unknown] {
    const index = this.#index(uid);
    const wanted = typeof fields === "string" ? fields.split(",") : (fields as string[] | undefined);
    const [from, count] = [Number(offset), Number(limit)];
    const results = [...index.documents.values()].slice(from, from + count).map((document) => picked(document, wanted));
    return [200, { results, offset: from, limit: count, total: index.documents.size }];
  }

  #search(uid: string, body: Json, authorization: string): Json {
    const enforced = this.#authorise(authorization, "search", uid);
    const unknown = Object.keys(body).find((name) => !searchParameters.has(name));
    if (unknown) throw new Refusal(400, "bad_request", `Unknown field \`${unknown}\``);
    const index = this.#index(uid);
    const filters = [enforced, body.filter].map((each) => filterOf(each, "invalid_search_filter"));
    for (const filter of filters) if (filter) requireFilterable(filter, index, "invalid_search_filter");
    const words = wordsOf(String(body.q ?? "")).slice(0, MOST_WORDS);
    const searchable = index.settings.searchableAttributes as readonly string[];
    const displayed = index.settings.displayedAttributes as readonly string[];
    const found = [...index.documents.values()]
      .filter((document) => filters.every((filter) => filter?.holds(document) ?? true))
      .map((document) => {
        const read = searchable.includes("*") ? Object.keys(document) : searchable;
        const own = wordsOf(read.map((name) => String(document[name] ?? "")).join(" "));
        const matched = words.filter((word) => own.some((each) => alike(each, word))).length;
        return { document, score: words.length === 0 ? 1 : matched / words.length };
      })
      .filter(({ score }) => (body.matchingStrategy === "all" ? score === 1 : score > 0))
      .sort((a, b) => b.score - a.score);
    const wanted = (body.attributesToRetrieve as string[] | undefined) ?? ["*"];
    const hits = found.slice(0, Number(body.limit ?? 20)).map(({ document, score }) => ({
      ...picked(picked(document, displayed.includes("*") ? undefined : displayed), wanted.includes("*") ? undefined : wanted),
      ...(body.showRankingScore === true && { _rankingScore: score }),
    }));
    return { hits, query: body.q ?? "", processingTimeMs: 0, limit: body.limit ?? 20, offset: 0, estimatedTotalHits: found.length };
  }

  #index(uid: string): Index {
    const index = this.indexes.get(uid);
    if (!index) throw new Refusal(404, "index_not_found");
    return index;
  }

  #enqueue(indexUid: string, type: string, run: () => void): [number, unknown] {
    const task: Task = { uid: this.#tasks.length, indexUid, type, status: "enqueued", error: null, run };
    this.#tasks.push(task);
    if (!this.frozen) this.#run(task);
    return [202, { taskUid: task.uid, indexUid, status: "enqueued", type, enqueuedAt: "" }];
  }

  #run(task: Task): void {
    if (task.status !== "enqueued") return;
    try {
      task.run();
      task.status = "succeeded";
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      task.status = "failed";
      task.error = { message: thrown.message, code: thrown.code, type: "invalid_request", link: "" };
    }
  }
}

function parsed(bytes: Buffer, type: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!type?.startsWith("application/json")) throw new Refusal(415, "invalid_content_type");
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Refusal(400, "malformed_payload");
  }
}

function decoded(part: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const covers = (patterns: readonly string[], index: string): boolean =>
  patterns.some((each) => (each.endsWith("*") ? index.startsWith(each.slice(0, -1)) : each === index));

function checkIndexUid(uid: string): void {
  if (!/^[\w-]{1,400}$/.test(uid)) throw new Refusal(400, "invalid_index_uid");
}

/** Without a stated key the server guesses, and gives up when several fields end in "id". */
function keyOf({ primaryKey }: Index, stated: string | null, first: Json | undefined): string {
  if (primaryKey !== null) {
    if (stated !== null && stated !== primaryKey) throw new Refusal(400, "index_primary_key_already_exists");
    return primaryKey;
  }
  if (stated !== null) return stated;
  const candidates = Object.keys(first ?? {}).filter((name) => name.toLowerCase().endsWith("id"));
  if (candidates.length > 1) throw new Refusal(400, "index_primary_key_multiple_candidates_found");
  if (candidates[0] === undefined) throw new Refusal(400, "index_primary_key_no_candidate_found");
  return candidates[0];
}

function filterOf(given: unknown, code: string): Filter | undefined {
  if (given === undefined || given === null) return undefined;
  try {
    return parseFilter(String(given));
  } catch (thrown) {
    throw new Refusal(400, code, String(thrown));
  }
}

function requireFilterable({ attributes }: Filter, { settings }: Index, code: string): void {
  const known = settings.filterableAttributes as readonly string[];
  const missing = [...attributes].find((attribute) => !known.includes(attribute));
  if (missing) throw new Refusal(400, code, `Attribute \`${missing}\` is not filterable.`);
}

const picked = (document: Json, names: readonly string[] | undefined): Json =>
  names === undefined ? document : Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Words of five letters may have one slip, words of nine two, as the server has it. */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const slips = b.length >= 9 ? 2 : b.length >= 5 ? 1 : 0;
  return slips > 0 && Math.abs(a.length - b.length) <= slips && distance(a, b) <= slips;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length] ?? 0;
}
