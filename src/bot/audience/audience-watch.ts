import type { ChannelId, PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Person } from "../../permissions/directory.ts";
import { atLeast, takesPart } from "../../permissions/roles.ts";
import type { TurnChanges } from "../turns/turn-changes.ts";
import type { Turns } from "../turns/turns.ts";

export interface AudienceWatchParts {
  directoryOf(tenant: TenantId): Promise<{
    person(id: PersonId): Promise<Person | undefined>;
    forget(channel: ChannelId): void;
  }>;
  changesOf(tenant: TenantId): Pick<TurnChanges, "restart">;
  readonly turns: Pick<Turns, "halt" | "nudge">;
  readonly log: Logger;
}

/** Has answers begun anew that are being written where others read along now than when they were begun. */
export class AudienceWatch {
  readonly #parts: AudienceWatchParts;

  constructor(parts: AudienceWatchParts) {
    this.#parts = parts;
  }

  /** Somebody has joined a channel. A full member sees nothing that was not meant for full members anyway; everybody else may. */
  async joined(tenant: TenantId, channel: ChannelId, person: PersonId): Promise<void> {
    const directory = await this.#parts.directoryOf(tenant);
    directory.forget(channel);
    const known = await directory.person(person);
    const harmless = known && (known.isBot || (takesPart(known) && atLeast(known.role, "member")));
    if (!harmless) await this.#restart(tenant, channel, person);
  }

  /** A channel is shared with another organisation, or is about to be. */
  async shared(tenant: TenantId, channel: ChannelId): Promise<void> {
    (await this.#parts.directoryOf(tenant)).forget(channel);
    await this.#restart(tenant, channel, undefined);
  }

  async #restart(tenant: TenantId, channel: ChannelId, by: PersonId | undefined): Promise<void> {
    const { changesOf, turns, log } = this.#parts;
    const restarted = await changesOf(tenant).restart(channel, by);
    if (restarted.length === 0) return;
    turns.halt(restarted, { kind: "replaced" });
    turns.nudge();
    log.warn("Answers are begun anew: others read along now.", { tenant, count: restarted.length });
  }
}
