import { systemClock } from "../../../src/core/clock.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { everyone, type Principal } from "../../../src/core/principal.ts";
import type { DocumentSource } from "../../../src/knowledge/sources/document-source.ts";
import { SourceRunner } from "../../../src/knowledge/sources/source-runner.ts";
import type { StoredSource, SyncReport } from "../../../src/knowledge/sources/source-store.ts";
import { SourceScheduleRepository } from "../../../src/store/repositories/source-schedule.ts";
import { SourceRepository } from "../../../src/store/repositories/sources.ts";
import type { DatabaseKind } from "../../fakes/test-database.ts";
import { type KnowledgeFixture, openKnowledge } from "../knowledge-fixture.ts";

export interface SourceFixture extends KnowledgeFixture {
  readonly schedule: SourceScheduleRepository;
  readonly runner: SourceRunner;
  rowsOf(tenant: TenantId): SourceRepository;
  addSource(tenant: TenantId, grants?: readonly Principal[], everyMinutes?: number, place?: Place): Promise<StoredSource>;
  sync(tenant: TenantId, source: StoredSource, options?: { readonly removeMany?: boolean }): Promise<SyncReport>;
  /** Titles that these principals see, sorted. */
  titles(tenant: TenantId, principals?: readonly Principal[]): Promise<readonly string[]>;
}

type Place = Pick<StoredSource, "kind" | "address">;

const never = new AbortController().signal;

/** Sources over a fresh database; every source is the place that `open` gives. */
export async function openSources(
  kind: DatabaseKind,
  open: (tenant: TenantId, source: StoredSource) => DocumentSource,
): Promise<SourceFixture> {
  const knowledge = await openKnowledge(kind);
  const { database } = knowledge.test;
  const schedule = new SourceScheduleRepository(database.system);
  const rowsOf = (tenant: TenantId) => new SourceRepository(database.forTenant(tenant), tenant);
  const { ingestion } = knowledge;
  const runner = new SourceRunner({ schedule, ingestion, rowsOf, open, clock: systemClock, log: silentLogger });
  let count = 0;
  return {
    ...knowledge,
    ...{ schedule, runner, rowsOf },
    addSource: (tenant, grants = [everyone], everyMinutes, place = { kind: "folder", address: "/somewhere" }) =>
      rowsOf(tenant).add({
        name: `source ${count++}`,
        ...place,
        grants,
        ...(everyMinutes !== undefined && { everyMinutes }),
      }),
    sync: (tenant, source, options = {}) => runner.run(tenant, source.id, { ...options, signal: never }),
    titles: async (tenant, principals = [everyone]) => {
      const { documents } = await knowledge.library.forTenant(tenant).list({ principals, limit: 100, offset: 0 });
      return documents.map(({ title }) => title).sort();
    },
  };
}
