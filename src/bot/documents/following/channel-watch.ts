import { codeOf } from "../../../core/errors.ts";
import type { ChannelId, TenantId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Ingestion } from "../../../knowledge/ingest/pipeline.ts";
import type { SourceRunner } from "../../../knowledge/sources/source-runner.ts";
import type { SourceRows, StoredSource } from "../../../knowledge/sources/source-store.ts";
import { removeSource } from "../../../knowledge/sources/sync-source.ts";

export interface ChannelWatchParts {
  sourcesOf(tenant: TenantId): Pick<SourceRows, "list" | "items" | "remove">;
  readonly ingestion: Pick<Ingestion, "remove" | "release">;
  readonly runner: Pick<SourceRunner, "hasten">;
  readonly log: Logger;
}

/** Has the sources look that read a channel's files, when Slack says that something has changed there. */
export class ChannelWatch {
  readonly #parts: ChannelWatchParts;

  constructor(parts: ChannelWatchParts) {
    this.#parts = parts;
  }

  /** @param channel where it happened; every channel when Slack does not say */
  async changed(tenant: TenantId, channel?: ChannelId): Promise<void> {
    const { sourcesOf, runner, log } = this.#parts;
    try {
      const sources = (await sourcesOf(tenant).list()).filter(({ kind, address }) => kind === "slack" && (channel ?? address) === address);
      for (const { id } of sources) await runner.hasten(tenant, id);
    } catch (thrown) {
      // They look by themselves, too.
      log.warn("A channel's files could not be looked at now.", { tenant, code: codeOf(thrown) });
    }
  }

  /** Has one source read as soon as may be. */
  read(tenant: TenantId, { id }: Pick<StoredSource, "id">): Promise<void> {
    return this.#parts.runner.hasten(tenant, id);
  }

  /** Ends one source; what nobody else holds of it goes. Gives how many documents it had. */
  remove(tenant: TenantId, source: Pick<StoredSource, "id" | "kind">): Promise<number> {
    const { sourcesOf, ingestion } = this.#parts;
    return removeSource({ rows: sourcesOf(tenant), ingestion }, tenant, source);
  }
}
