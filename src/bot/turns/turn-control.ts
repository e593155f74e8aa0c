import type { ChannelId, PersonId, TenantId, TurnId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { atLeast, type Standing, takesPart } from "../../permissions/roles.ts";
import type { DeletedMessage, EditedMessage, StopPlace, TurnChanges } from "./turn-changes.ts";
import type { QueueLimits, Refusal, RefusedPlace } from "./turn-store.ts";
import type { Turns } from "./turns.ts";

export interface TurnControlParts {
  readonly changesOf: (tenant: TenantId) => TurnChanges;
  /** How many questions may wait, those that are asked again included. */
  readonly limits: QueueLimits;
  /** Tells somebody that too many wait. */
  readonly refused: (tenant: TenantId, at: RefusedPlace, reason: Refusal) => void;
  /** Asks Slack anew; undefined when Slack does not know or cannot tell. */
  readonly personNow: (tenant: TenantId, person: PersonId) => Promise<Standing | undefined>;
  readonly turns: Pick<Turns, "halt" | "nudge">;
  /** Tells the person why nothing was stopped; once for all deliveries of the wish. That something was is plain to see. */
  readonly tell: (tenant: TenantId, wish: StopWish, outcome: "nothing-runs" | "not-yours") => Promise<void>;
  readonly log: Logger;
}

/** Somebody's wish to stop what runs in a place. */
export interface StopWish extends StopPlace {
  readonly person: PersonId;
  /** The same for every delivery of the wish. */
  readonly key: string;
  /** Whether they are told that there was nothing to stop. */
  readonly addressed: boolean;
}

/** What people do about what they have asked: they edit and delete it, stop the answer, and ask for another one. */
export class TurnControl {
  readonly #parts: TurnControlParts;

  constructor(parts: TurnControlParts) {
    this.#parts = parts;
  }

  /** An edited question is asked again; its answer takes the place of the former one. */
  async edited(tenant: TenantId, message: EditedMessage): Promise<void> {
    const { changesOf, limits } = this.#parts;
    this.#asked(tenant, message, await changesOf(tenant).edit(message, limits));
  }

  /** A deleted question is answered no further. */
  async deleted(tenant: TenantId, message: DeletedMessage): Promise<void> {
    const { changesOf, turns } = this.#parts;
    const cancelled = await changesOf(tenant).remove(message);
    if (cancelled) turns.halt([cancelled], { kind: "cancelled" });
  }

  /** Stops what the person may stop: what they have asked themselves; as an admin, everything in a thread. */
  async stop(tenant: TenantId, wish: StopWish): Promise<void> {
    const { changesOf, turns, tell, log } = this.#parts;
    const changes = changesOf(tenant);
    const found = await changes.unfinished(wish);
    const own = found.filter(({ person }) => person === wish.person);
    const narrow = wish.thread !== undefined || wish.turn !== undefined;
    const stopped = own.length === found.length || !narrow || !(await this.#isAdmin(tenant, wish.person)) ? own : found;
    const ids = stopped.map(({ turn }) => turn);
    // Also when there is nothing: what is asked later is not meant by any delivery of this wish.
    const halted = await changes.stop(ids, wish.person, wish.key);
    if (!halted) return;
    turns.halt(halted, { kind: "stopped", by: wish.person });
    log.info("Somebody wants answers to stop.", { tenant, count: halted.length });
    if (stopped.length > 0 || (found.length === 0 && !wish.addressed)) return;
    const outcome = narrow && found.length > 0 ? "not-yours" : "nothing-runs";
    tell(tenant, wish, outcome).catch(() => log.warn("A notice about stopping could not be sent.", { tenant }));
  }

  /** Another answer in place of the one that the asker does not like. */
  async again(
    tenant: TenantId,
    turn: TurnId,
    click: { readonly channel: ChannelId; readonly person: PersonId; readonly attempt: number },
  ): Promise<void> {
    const { changesOf, limits } = this.#parts;
    this.#asked(tenant, click, await changesOf(tenant).again(turn, click, limits));
  }

  /** Works off what was queued again, or says why it was not. */
  #asked(
    tenant: TenantId,
    { channel, person }: Omit<RefusedPlace, "thread">,
    outcome: Awaited<ReturnType<TurnChanges["edit" | "again"]>>,
  ): void {
    if (outcome === "queued") this.#parts.turns.nudge();
    else if (typeof outcome === "object") this.#parts.refused(tenant, { channel, person, thread: outcome.thread }, outcome.refused);
  }

  async #isAdmin(tenant: TenantId, id: PersonId): Promise<boolean> {
    const person = await this.#parts.personNow(tenant, id);
    return person !== undefined && takesPart(person) && atLeast(person.role, "admin");
  }
}
