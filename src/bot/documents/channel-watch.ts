import { codeOf } from "../../core/errors.ts";
import type { ChannelId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SourceRunner } from "../../knowledge/sources/source-runner.ts";
import type { SourceRows } from "../../knowledge/sources/source-store.ts";

export interface ChannelWatchParts {
  sourcesOf(tenant: TenantId): Pick<SourceRows, "list">;
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
}
