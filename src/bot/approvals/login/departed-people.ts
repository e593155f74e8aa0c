import type { Clock } from "../../../core/clock.ts";
import { codeOf } from "../../../core/errors.ts";
import type { PersonId, TenantId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { WakingLoop } from "../../../core/waking-loop.ts";
import type { Directory, Person } from "../../../permissions/directory.ts";
import { takesPart } from "../../../permissions/roles.ts";

export interface DepartedPeopleParts {
  /** Workspaces that are served. */
  tenants(): Promise<readonly TenantId[]>;
  /** Those with a log-in at some server. */
  peopleOf(tenant: TenantId): Promise<readonly PersonId[]>;
  directoryOf(tenant: TenantId): Promise<Pick<Directory, "person">>;
  /** Destroys all of somebody's log-ins. */
  logOut(tenant: TenantId, person: PersonId): Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often it is looked whether somebody has left, in milliseconds. Until then their log-ins lie unused: nobody can ask in their name. */
const SWEEP_MS = 60 * 60_000;

/** Ends the log-ins of people whose account was closed. Asks Slack itself: its events would come for every change of anybody's status. */
export class DepartedPeople {
  readonly #parts: DepartedPeopleParts;
  readonly #loop: WakingLoop;

  constructor(parts: DepartedPeopleParts) {
    this.#parts = parts;
    this.#loop = new WakingLoop({ clock: parts.clock, restMs: SWEEP_MS, round: () => this.sweepNow() });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Looks at everybody who has a log-in. A workspace that cannot be asked keeps its own until the next time. */
  async sweepNow(): Promise<void> {
    for (const tenant of await this.#parts.tenants())
      await this.#sweepOne(tenant).catch((thrown: unknown) =>
        this.#parts.log.warn("Log-ins of people who have left could not be looked for.", { tenant, code: codeOf(thrown) }),
      );
  }

  async #sweepOne(tenant: TenantId): Promise<void> {
    const { peopleOf, directoryOf, logOut, log } = this.#parts;
    const people = await peopleOf(tenant);
    if (people.length === 0) return;
    const directory = await directoryOf(tenant);
    for (const id of people) {
      if (this.#loop.signal.aborted) return;
      if (!hasLeft(await directory.person(id))) continue;
      await logOut(tenant, id);
      log.info("The log-ins of somebody who has left were destroyed.", { tenant });
    }
  }
}

/** Of whom Slack cannot tell, nothing is known. */
const hasLeft = (person: Person | undefined): boolean => person !== undefined && !takesPart(person);
