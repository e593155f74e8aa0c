import { AppError } from "../../core/errors.ts";
import { channelId, type TenantId } from "../../core/ids.ts";
import { channelPrincipal, type Principal } from "../../core/principal.ts";
import type { Ingestion } from "../../knowledge/ingest/pipeline.ts";
import type { SourceRunner } from "../../knowledge/sources/source-runner.ts";
import { type NewSource, type SourceKind, type SourceRows, type StoredSource, sourceKinds } from "../../knowledge/sources/source-store.ts";
import { removeSource } from "../../knowledge/sources/sync-source.ts";
import type { SourceReport, SourceRequest, SourceRunReport } from "../../operations.ts";
import type { Directory } from "../../permissions/directory.ts";

export interface SourceOperatorParts {
  readonly runner: Pick<SourceRunner, "run">;
  readonly ingestion: Pick<Ingestion, "remove" | "release">;
  rowsOf(tenant: TenantId): SourceRows;
  directory(tenant: TenantId): Promise<Pick<Directory, "place" | "findChannel">>;
  /** @throws AppError SOURCE_INVALID for an address that can never be a source */
  check(source: Pick<NewSource, "kind" | "address">): void;
}

/** Sources that documents are kept current from, as the operator sees them. */
export class SourceOperator {
  readonly #parts: SourceOperatorParts;

  constructor(parts: SourceOperatorParts) {
    this.#parts = parts;
  }

  async list(tenant: TenantId): Promise<readonly SourceReport[]> {
    const rows = this.#parts.rowsOf(tenant);
    const sources = await rows.list();
    const channels = sources.some(({ kind }) => kind === "slack");
    // A channel goes by its name as it is now; by Slack's id where Slack does not tell.
    const directory = channels ? await this.#parts.directory(tenant).catch(() => undefined) : undefined;
    return Promise.all(
      sources.map(async (source) => {
        const name = source.kind === "slack" ? (await directory?.place(channelId(source.address)))?.name : undefined;
        return { ...(await reportOf(rows, source)), ...(name !== undefined && { address: `#${name}` }) };
      }),
    );
  }

  /** The files of a channel, for its readers and nobody else. @throws AppError SOURCE_INVALID, SOURCE_EXISTS, CHANNEL_UNKNOWN */
  async follow(tenant: TenantId, source: Omit<SourceRequest, "workspace">): Promise<SourceReport> {
    if (source.channel !== undefined || source.person !== undefined)
      throw new AppError("SOURCE_INVALID", "A channel's files are for whoever reads the channel; name no other readers.");
    const place = await (await this.#parts.directory(tenant)).findChannel(source.address);
    if (!place) throw new AppError("CHANNEL_UNKNOWN");
    return this.add(tenant, { ...source, address: place.id }, channelPrincipal(place.id));
  }

  /** @throws AppError SOURCE_INVALID, SOURCE_EXISTS */
  async add(
    tenant: TenantId,
    { name, kind, address, everyMinutes }: { name: string; kind: string; address: string; everyMinutes?: number },
    grant: Principal,
  ): Promise<SourceReport> {
    if (!isSourceKind(kind)) throw new AppError("SOURCE_INVALID", `There are these kinds: ${sourceKinds.join(", ")}.`);
    this.#parts.check({ kind, address });
    const rows = this.#parts.rowsOf(tenant);
    const added = await rows.add({ name, kind, address, grants: [grant], ...(everyMinutes !== undefined && { everyMinutes }) });
    return reportOf(rows, added);
  }

  /** @throws AppError SOURCE_UNKNOWN, SOURCE_BUSY */
  async sync(
    tenant: TenantId,
    name: string,
    options: { readonly removeMany?: boolean; onProgress(done: number): void },
    signal: AbortSignal,
  ): Promise<SourceRunReport> {
    return this.#parts.runner.run(tenant, (await this.#named(tenant, name)).id, { ...options, signal });
  }

  /** Its documents go with it. @throws AppError SOURCE_UNKNOWN */
  async remove(tenant: TenantId, name: string): Promise<{ readonly name: string; readonly documents: number }> {
    const rows = this.#parts.rowsOf(tenant);
    const source = await this.#named(tenant, name);
    return { name, documents: await removeSource({ rows, ingestion: this.#parts.ingestion }, tenant, source) };
  }

  async #named(tenant: TenantId, name: string): Promise<StoredSource> {
    const all = await this.#parts.rowsOf(tenant).list();
    const found = all.find((source) => source.name === name);
    if (!found) throw new AppError("SOURCE_UNKNOWN", all.length > 0 ? `There are: ${all.map((each) => each.name).join(", ")}.` : undefined);
    return found;
  }
}

const isSourceKind = (kind: string): kind is SourceKind => sourceKinds.some((known) => known === kind);

async function reportOf(rows: SourceRows, { id, name, kind, address, everyMinutes, lastRun }: StoredSource): Promise<SourceReport> {
  const items = await rows.items(id);
  return {
    ...{ name, kind, address },
    everyMinutes: everyMinutes ?? null,
    documents: items.filter(({ document }) => document !== undefined).length,
    failures: items.flatMap(({ uri, failure }) => (failure === undefined ? [] : [{ item: uri, reason: failure }])),
    lastRun: lastRun ?? null,
  };
}
