import type { Clock } from "../../core/clock.ts";

/** A moment by both clocks. */
export interface Moment {
  /** Stands still while the machine sleeps. */
  readonly monotonic: number;
  /** May be set forward or back. */
  readonly wall: number;
}

export const momentOf = (clock: Clock): Moment => ({ monotonic: clock.monotonic(), wall: clock.now().getTime() });

/** Milliseconds that have passed since then for other machines, too: what the clock says that says more. */
export const msSince = (clock: Clock, then: Moment): number =>
  Math.max(clock.monotonic() - then.monotonic, clock.now().getTime() - then.wall);
