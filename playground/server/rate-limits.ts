import type { Clock } from "../../src/core/clock.ts";
import type { Tier } from "./web-api/call.ts";

/** Calls a minute by tier. "post" is chat.postMessage for a whole workspace, "status" assistant.threads.setStatus. */
const perMinute: Readonly<Record<Tier, number>> = { 1: 1, 2: 20, 3: 50, 4: 100, post: 300, status: 600 };
/** chat.postMessage goes to one channel once a second, with short bursts let through. */
const perChannel = { perSecond: 1, burst: 3 } as const;

/** Slack's documented limits as token buckets, one per workspace and method. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. @returns seconds to wait (whole, for Retry-After) when the call is too many, otherwise undefined */
  take(teamId: string, method: string, tier: Tier, channel: string | undefined): number | undefined {
    const waits = [this.#take(`${teamId} ${method}`, perMinute[tier] / 60, perMinute[tier])];
    if (tier === "post" && channel) waits.push(this.#take(`${teamId} ${method} ${channel}`, perChannel.perSecond, perChannel.burst));
    const longest = Math.max(...waits);
    return longest > 0 ? Math.ceil(longest) : undefined;
  }

  #take(key: string, perSecond: number, size: number): number {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(key) ?? { tokens: size, at: now };
    bucket.tokens = Math.min(size, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond;
    bucket.tokens -= 1;
    return 0;
  }
}
