import type { Clock } from "../../src/core/clock.ts";
import { newId, personId, type TenantId, tenantId } from "../../src/core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../src/core/principal.ts";
import { percentile } from "../../src/knowledge/evaluate/metrics.ts";
import { PassageRepository } from "../../src/store/repositories/passages.ts";
import { mendVectorIndexes } from "../../src/store/vector-index.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { DIMENSIONS, embeddingNear, fill, MODEL, wordsOf } from "./synthetic.ts";

interface Plan {
  readonly kind: string;
  readonly size: number;
  readonly questions: number;
  readonly clock: Clock;
}

interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** Somebody who asks, and what it costs; milliseconds. */
export interface ReaderResult {
  readonly who: string;
  readonly visible: number;
  /** Of the ten nearest by exact comparison, how many were among the first ten found. */
  readonly recall: number;
  readonly semantic: Times;
  /** The plain statement a reader of the manual would write, with the same breadth where the index is walked: no sample, no choice of plan. */
  readonly raw: Times;
  readonly words: Times;
  /** The same full text search as the tables' owner. */
  readonly wordsBare: Times;
}

/** Half of all passages are one workspace's, a hundredth of which one person alone may see; the rest belongs to workspaces of fifty. */
export async function measureSize({ database, asOwner }: BenchDatabase, { kind, size, questions, clock }: Plan) {
  const addTenant = async (name: string) => {
    const id = newId();
    await asOwner("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $3)", [id, `T${id}`, name]);
    return tenantId(id);
  };
  const begun = clock.monotonic();
  const bob = personPrincipal(personId("UBOB"));
  const large = await addTenant("large");
  const bobs = Math.max(5, Math.round(size * 0.005));
  await fill(asOwner, large, "everyone", Math.round(size * 0.9) - bobs);
  await fill(asOwner, large, bob, bobs);
  let small = large;
  for (let left = size * 0.1; left >= 1; left -= 50) {
    small = await addTenant(`small ${left}`);
    await fill(asOwner, small, "everyone", Math.min(50, Math.ceil(left)));
  }
  const loadMs = clock.monotonic() - begun;
  await asOwner("INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2)", [MODEL, DIMENSIONS]);
  if (kind === "embedded") await database.mendVectorIndexes();
  else await mendVectorIndexes((sql) => asOwner<object>(sql), { concurrently: true });
  const indexMs = clock.monotonic() - begun - loadMs;
  await asOwner("ANALYZE");
  const readers: [string, TenantId, Principal[]][] = [
    ["all of a large workspace", large, [everyone, bob]],
    ["a person of it", large, [bob]],
    ["a small workspace", small, [everyone]],
  ];
  const results: ReaderResult[] = [];
  for (const [who, tenant, principals] of readers) results.push(await measureReader(who, tenant, principals));
  return { kind, size, loadMs: Math.round(loadMs), indexMs: Math.round(indexMs), readers: results };

  async function measureReader(who: string, tenant: TenantId, principals: Principal[]): Promise<ReaderResult> {
    const passages = new PassageRepository(database.forTenant(tenant), tenant);
    const exact = new PassageRepository(database.forTenant(tenant), tenant, { exactUpTo: Number.MAX_SAFE_INTEGER });
    const bare = new PassageRepository((work) => unprotected(work), tenant);
    const times = { semantic: [] as number[], raw: [] as number[], words: [] as number[], wordsBare: [] as number[] };
    const took = async <T>(kept: number[], work: () => Promise<T>): Promise<T> => {
      const from = clock.monotonic();
      const result = await work();
      kept.push(clock.monotonic() - from);
      return result;
    };
    let found = 0;
    let wanted = 0;
    for (let n = -5; n < questions; n++) {
      const warming = n < 0;
      const kept = (of: number[]) => (warming ? [] : of);
      const query = { model: MODEL, vector: embeddingNear(n + 1_000_000) };
      const near = await took(kept(times.semantic), () => passages.byVector(query, principals, 100));
      await took(kept(times.raw), () =>
        database.forTenant(tenant)(async (manager) => {
          await manager.query(sameBreadth);
          await manager.query(rawSql, [tenant, principals, `[${query.vector.join(",")}]`]);
        }),
      );
      const terms = wordsOf(n + 1_000_000, 3).map((term) => [term]);
      await took(kept(times.words), () => passages.byTerms(terms, principals, 100));
      await took(kept(times.wordsBare), () => bare.byTerms(terms, principals, 100));
      if (n >= 0 && n < 20) {
        const right = (await exact.byVector(query, principals, 10)).candidates.map(({ passageId }) => passageId);
        const first = near.candidates.slice(0, 10).map(({ passageId }) => passageId);
        found += right.filter((id) => first.includes(id)).length;
        wanted += right.length;
      }
    }
    const visible = await asOwner<{ count: number }>(
      "SELECT sum(passage_count)::int AS count FROM documents WHERE tenant_id = $1 AND id IN (SELECT document_id FROM document_grants WHERE principal = ANY($2))",
      [tenant, principals],
    );
    const figures = (of: number[]): Times => ({ p50: percentile(of, 0.5), p95: percentile(of, 0.95) });
    return {
      who,
      visible: visible[0]?.count ?? 0,
      recall: found / Math.max(1, wanted),
      semantic: figures(times.semantic),
      raw: figures(times.raw),
      words: figures(times.words),
      wordsBare: figures(times.wordsBare),
    };
  }

  /** The same statements in a transaction of their own, by a role that row-level security does not bind. */
  function unprotected<T>(work: Parameters<ReturnType<typeof database.forTenant>>[0]): Promise<T> {
    const manager = { query: (sql: string, values?: unknown[]) => asOwner(sql, values) };
    return work(manager as never) as Promise<T>;
  }
}

const sameBreadth = `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '200', true),
  set_config('hnsw.max_scan_tuples', '100000', true)`;

const rawSql = `
  SELECT passage_id, vector::vector(${DIMENSIONS}) <=> $3::vector(${DIMENSIONS}) AS distance FROM embeddings
  WHERE tenant_id = $1 AND document_id IN (SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2::text[]))
    AND model = '${MODEL}' AND dimensions = ${DIMENSIONS}
  ORDER BY distance LIMIT 100`;
