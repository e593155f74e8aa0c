import type { EntityManager } from "typeorm";
import type { Clock } from "../../src/core/clock.ts";
import { newId, personId, type TenantId, tenantId } from "../../src/core/ids.ts";
import { everyone, groupPrincipal, type Principal, personPrincipal } from "../../src/core/principal.ts";
import { percentile } from "../../src/knowledge/evaluate/metrics.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import { mendVectorIndexes } from "../../src/store/vector-index.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { DIMENSIONS, embeddingNear, fill, MODEL, wordsOf } from "./synthetic.ts";

interface Plan {
  readonly kind: string;
  readonly size: number;
  readonly questions: number;
  /** Whether the search by words is measured too. */
  readonly words: boolean;
  readonly clock: Clock;
}

/** Milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** Somebody who asks, and what it costs. */
export interface ReaderResult {
  readonly who: string;
  readonly visible: number;
  readonly plan: "all compared" | "index walked";
  /** Of the ten nearest by exact comparison, how many were among the first ten found. */
  readonly recall: number;
  readonly semantic: Times;
  /** The plain statement of the same plan in a transaction of the program's: no sample, no choice. */
  readonly raw: Times;
  readonly words?: Times;
  /** The same full text search as the tables' owner, in a transaction of as many trips. */
  readonly wordsBare?: Times;
}

/** Groups of the large workspace, and of how many of its documents each may read one. */
const groups: readonly (readonly [Principal, number])[] = [
  [everyone, 1],
  [groupPrincipal("S10"), 10],
  [groupPrincipal("S3"), 33],
  [groupPrincipal("S1"), 100],
  [personPrincipal(personId("UBOB")), 1_000],
];
const SMALL_TENANT = 50;
/** Seeds of questions: beyond those of any passage. */
const QUESTIONS_FROM = 10_000_000;
const WARMING = 10;
/** Questions whose answers are compared with the exact ones. */
const CHECKED = 20;

/** Nine tenths of all passages are one workspace's, with groups that see 100 % to 0.1 % of them; the rest belongs to workspaces of fifty. */
export async function measureSize(bench: BenchDatabase, { kind, size, questions, words, clock }: Plan) {
  const { database, asOwner } = bench;
  const filled = await asOwner<{ id: string; name: string }>("SELECT id, name FROM tenants WHERE name IN ('large', 'small')");
  const begun = clock.monotonic();
  if (filled.length === 0) await fillAll();
  const loadMs = clock.monotonic() - begun;
  if (kind === "embedded") await database.mendVectorIndexes();
  else await mendVectorIndexes((sql) => asOwner<object>(sql), { concurrently: false });
  const indexMs = clock.monotonic() - begun - loadMs;
  // A server does so by itself; the embedded database never does.
  if (filled.length === 0 && kind === "server") await asOwner("ANALYZE");
  const tenants = new Map((await asOwner<{ id: string; name: string }>("SELECT id, name FROM tenants")).map((row) => [row.name, row.id]));
  const tenant = (name: string) => tenantId(tenants.get(name) ?? "");
  const results: ReaderResult[] = [];
  for (const [principal, of] of groups) results.push(await measureReader(`${+(100 / of).toPrecision(1)} %`, tenant("large"), [principal]));
  results.push(await measureReader("all of a small workspace", tenant("small"), [everyone]));
  return { kind, size, loadMs: Math.round(loadMs), indexMs: Math.round(indexMs), readers: results };

  async function fillAll(): Promise<void> {
    const add = async (name: string, passages: number) => {
      const id = newId();
      await asOwner("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $3)", [id, `T${id}`, name]);
      // Scattered: documents that follow each other are about the same few things.
      const scattered = (document: number) => Math.imul(document, 0x9e3779b1) >>> 8;
      const grants = (document: number) => groups.flatMap(([principal, of]) => (scattered(document) % of === 0 ? [principal] : []));
      await fill(asOwner, { tenant: tenantId(id), passages, grants, words });
    };
    await add("large", Math.round(size * 0.9));
    await add("small", SMALL_TENANT);
    for (let left = size * 0.1 - SMALL_TENANT; left >= 1; left -= SMALL_TENANT)
      await add(`small ${left}`, Math.min(SMALL_TENANT, Math.ceil(left)));
    await asOwner("INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2)", [MODEL, DIMENSIONS]);
  }

  async function measureReader(who: string, tenant: TenantId, principals: Principal[]): Promise<ReaderResult> {
    const inTenant = database.forTenant(tenant);
    const passages = new PassageRepository(inTenant, tenant);
    const exact = new PassageRepository(inTenant, tenant, { exactUpTo: Number.MAX_SAFE_INTEGER });
    const bare = new PassageRepository(bench.unprotected, tenant);
    const { exact: all } = await passages.byVector({ model: MODEL, vector: embeddingNear(QUESTIONS_FROM) }, principals, 1);
    const times = { semantic: [] as number[], raw: [] as number[], words: [] as number[], wordsBare: [] as number[] };
    let found = 0;
    let wanted = 0;
    for (let n = -WARMING; n < questions; n++) {
      const took = async <T>(kept: number[], work: () => Promise<T>): Promise<T> => {
        const from = clock.monotonic();
        const result = await work();
        if (n >= 0) kept.push(clock.monotonic() - from);
        return result;
      };
      const query = { model: MODEL, vector: embeddingNear(n + QUESTIONS_FROM) };
      const terms = wordsOf(n + QUESTIONS_FROM, 3).map((term) => [term]);
      const pairs: [() => Promise<unknown>, () => Promise<unknown>][] = [
        [
          () => took(times.semantic, () => passages.byVector(query, principals, 100)),
          () => took(times.raw, () => inTenant((manager) => raw(manager, all, [tenant, principals, `[${query.vector.join(",")}]`]))),
        ],
      ];
      if (words)
        pairs.push([
          () => took(times.words, () => passages.byTerms(terms, principals, 100)),
          () => took(times.wordsBare, () => bare.byTerms(terms, principals, 100)),
        ]);
      // Whoever comes first reads what the other then finds in memory: each does so every other time.
      for (const pair of pairs) for (const work of n % 2 === 0 ? pair : pair.reverse()) await work();
      if (n >= 0 && n < CHECKED) {
        const right = (await exact.byVector(query, principals, 10)).candidates.map(({ passageId }) => passageId);
        const first = (await passages.byVector(query, principals, 100)).candidates.slice(0, 10).map(({ passageId }) => passageId);
        found += right.filter((id) => first.includes(id)).length;
        wanted += right.length;
      }
    }
    const visible = await asOwner<{ count: number }>(
      "SELECT sum(passage_count)::int AS count FROM documents WHERE tenant_id = $1 AND id IN (SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2))",
      [tenant, principals],
    );
    const figures = (of: number[]): Times => ({ p50: percentile(of, 0.5), p95: percentile(of, 0.95) });
    return {
      who,
      visible: visible[0]?.count ?? 0,
      plan: all ? "all compared" : "index walked",
      recall: found / Math.max(1, wanted),
      semantic: figures(times.semantic),
      raw: figures(times.raw),
      ...(words && { words: figures(times.words), wordsBare: figures(times.wordsBare) }),
    };
  }
}

const sameBreadth = `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '400', true),
  set_config('hnsw.max_scan_tuples', '100000', true)`;

const DISTANCE = `vector::vector(${DIMENSIONS}) <=> $3::vector(${DIMENSIONS})`;
const VISIBLE = "SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2::text[])";
const vectorsOf = (documents: string): string =>
  `FROM embeddings WHERE tenant_id = $1 AND document_id ${documents} AND model = '${MODEL}' AND dimensions = ${DIMENSIONS}`;

/** OFFSET 0 keeps the planner from the index. */
const rawCompared = `SELECT * FROM (SELECT passage_id, ${DISTANCE} AS distance ${vectorsOf(`= ANY (ARRAY(${VISIBLE}))`)} OFFSET 0) AS compared
  ORDER BY distance LIMIT 100`;
const rawWalked = `SELECT passage_id, ${DISTANCE} AS distance ${vectorsOf(`IN (${VISIBLE})`)} ORDER BY distance LIMIT 100`;

async function raw(manager: EntityManager, all: boolean, values: readonly unknown[]): Promise<unknown> {
  if (all) return await manager.query(rawCompared, [...values]);
  await manager.query(sameBreadth);
  return await manager.query(rawWalked, [...values]);
}
