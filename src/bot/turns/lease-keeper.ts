import type { Clock } from "../../core/clock.ts";
import type { Lease, TurnQueue } from "./turn-store.ts";

/** How many times a lease is renewed within its length: one missed renewal does no harm. */
const renewalsPerLease = 3;
/** Part of the lease after which a holder that hears nothing from the database stops by itself: before another one may begin. */
const safePart = 0.8;

/**
 * Renews a lease until `signal` aborts. Resolves with "lost" as soon as it is not ours any more, or may not be because the database
 * has not answered for most of its length; with "stopped" when the signal aborted first.
 * @param claimedAt the clock's monotonic time just before the lease was claimed
 */
export async function keepLease(
  lease: Lease,
  {
    queue,
    leaseMs,
    claimedAt,
    clock,
    signal,
  }: { queue: Pick<TurnQueue, "renew">; leaseMs: number; claimedAt: number; clock: Clock; signal: AbortSignal },
): Promise<"lost" | "stopped"> {
  const pauseMs = leaseMs / renewalsPerLease;
  let heldFrom = claimedAt;
  while (!signal.aborted) {
    await clock.sleep(Math.min(pauseMs, Math.max(1, heldFrom + leaseMs * safePart - clock.monotonic())), signal).catch(() => undefined);
    if (signal.aborted) break;
    const untilMs = heldFrom + leaseMs * safePart - clock.monotonic();
    if (untilMs <= 0) return "lost";
    const asked = clock.monotonic();
    const answer = await Promise.race([
      queue.renew(lease, leaseMs).catch(() => undefined),
      clock.sleep(untilMs, signal).then(
        () => undefined,
        () => undefined,
      ),
    ]);
    if (signal.aborted) break;
    if (answer === false) return "lost";
    if (answer) heldFrom = asked;
  }
  return "stopped";
}
