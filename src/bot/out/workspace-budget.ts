import { type Clock, notNeeded } from "../../core/clock.ts";

/** Methods that count against a budget, as Slack names them. */
export type BudgetedMethod =
  | "chat.postMessage"
  | "chat.update"
  | "chat.delete"
  | "chat.postEphemeral"
  | "chat.startStream"
  | "chat.appendStream"
  | "chat.stopStream"
  | "conversations.replies";

export interface BudgetedCall {
  readonly method: BudgetedMethod;
  readonly channel: string;
  /** Whether this is the last edit of an answer: goes first, and may use the reserve. Asked again on every turn, since a draft may become final while it waits. */
  final(): boolean;
}

/** Calls a minute and how many of them may come at once. `reserve` is what only final edits may use. */
interface Allowance {
  readonly perMinute: number;
  readonly burst: number;
  readonly reserve: number;
}

// Slack's tiers (docs.slack.dev/apis/web-api/rate-limits); the bursts are ours, small enough for any way of counting a minute.
const allowances: Readonly<Record<BudgetedMethod, Allowance>> = {
  "chat.postMessage": { perMinute: 300, burst: 60, reserve: 0 },
  "chat.update": { perMinute: 50, burst: 25, reserve: 10 },
  "chat.delete": { perMinute: 50, burst: 25, reserve: 0 },
  "chat.postEphemeral": { perMinute: 100, burst: 30, reserve: 0 },
  // Every stream that is started has to be stopped: ends may come all at once, but not more of them than starts.
  "chat.startStream": { perMinute: 12, burst: 8, reserve: 0 },
  "chat.appendStream": { perMinute: 75, burst: 25, reserve: 5 },
  "chat.stopStream": { perMinute: 14, burst: 12, reserve: 4 },
  "conversations.replies": { perMinute: 50, burst: 25, reserve: 0 },
};
// Beside the workspace's allowance, one channel takes one post a second, with short bursts.
const perChannel: Allowance = { perMinute: 60, burst: 3, reserve: 0 };

interface Bucket {
  tokens: number;
  at: number;
}

interface Waiter {
  readonly call: BudgetedCall;
  readonly go: () => void;
}

/** What one workspace may send, shared by all its answers: first come, first served, final edits before all others. */
export class WorkspaceBudget {
  readonly #clock: Clock;
  readonly #factor: number;
  readonly #buckets = new Map<string, Bucket>();
  /** Until when Slack asked us to leave a method alone in a channel (monotonic milliseconds). */
  readonly #blocked = new Map<string, number>();
  #waiting: Waiter[] = [];
  #wake: AbortController | undefined;

  /** @param factor how many times the documented limits may be used; 1 unless Slack has granted more */
  constructor(clock: Clock, factor = 1) {
    this.#clock = clock;
    this.#factor = factor;
  }

  /** Resolves when the call may be made; it then counts as made. Rejects with the signal's reason when that aborts first. */
  take(call: BudgetedCall, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiter: Waiter = { call, go };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Makes the call now or not at all. @returns whether it may be made; it then counts as made */
  takeNow(call: BudgetedCall): boolean {
    const free = this.#wait(call) <= 0 && !this.#waiting.some(({ call: other }) => other.method === call.method);
    if (free) this.#spend(call);
    return free;
  }

  /** To be called when a waiting call has become final. */
  reconsider(): void {
    this.#serve();
  }

  /** Slack answered 429: that method waits in that channel; everything else goes on. */
  limited(call: BudgetedCall, retryAfterSeconds: number): void {
    this.#blocked.set(blockKey(call), this.#clock.monotonic() + retryAfterSeconds * 1_000);
  }

  /** Whether edits have become so scarce that an answer had better be posted once, when it is ready. */
  get scarce(): boolean {
    const allowance = this.#allowance("chat.update");
    return this.#bucket("chat.update", allowance).tokens < allowance.reserve / 2;
  }

  /** Lets through everybody whose turn it is and wakes up again when the next one's turn comes. */
  #serve(): void {
    this.#wake?.abort(notNeeded);
    this.#wake = undefined;
    let next = Number.POSITIVE_INFINITY;
    const held = new Map<string, number>();
    const still: Waiter[] = [];
    const finals = this.#waiting.filter(({ call }) => call.final());
    for (const waiter of [...finals, ...this.#waiting.filter((one) => !finals.includes(one))]) {
      const { call } = waiter;
      const wait = Math.max(this.#wait(call), held.get(call.method) ?? 0);
      if (wait <= 0) {
        this.#spend(call);
        waiter.go();
        continue;
      }
      // Nobody overtakes on the same allowance; a channel that Slack paused holds up nobody else.
      if (this.#workspaceWait(call) > 0) held.set(call.method, wait);
      next = Math.min(next, wait);
      still.push(waiter);
    }
    this.#waiting = still;
    if (next < Number.POSITIVE_INFINITY) this.#wakeIn(next);
  }

  #wakeIn(ms: number): void {
    const wake = new AbortController();
    this.#wake = wake;
    this.#clock.sleep(Math.ceil(ms), wake.signal).then(
      () => this.#serve(),
      () => undefined,
    );
  }

  /** Milliseconds until the call may be made. */
  #wait(call: BudgetedCall): number {
    const blocked = (this.#blocked.get(blockKey(call)) ?? 0) - this.#clock.monotonic();
    if (blocked <= 0) this.#blocked.delete(blockKey(call));
    const channel = call.method === "chat.postMessage" ? waitFor(this.#bucket(blockKey(call), this.#channel), this.#channel, 0) : 0;
    return Math.max(blocked, channel, this.#workspaceWait(call));
  }

  #workspaceWait(call: BudgetedCall): number {
    const allowance = this.#allowance(call.method);
    return waitFor(this.#bucket(call.method, allowance), allowance, call.final() ? 0 : allowance.reserve);
  }

  #allowance(method: BudgetedMethod): Allowance {
    return times(allowances[method], this.#factor);
  }

  get #channel(): Allowance {
    return times(perChannel, this.#factor);
  }

  #spend(call: BudgetedCall): void {
    this.#bucket(call.method, this.#allowance(call.method)).tokens -= 1;
    if (call.method === "chat.postMessage") this.#bucket(blockKey(call), this.#channel).tokens -= 1;
  }

  #bucket(key: string, allowance: Allowance): Bucket {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(key) ?? { tokens: allowance.burst, at: now };
    bucket.tokens = Math.min(allowance.burst, bucket.tokens + ((now - bucket.at) / 60_000) * allowance.perMinute);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > mostBuckets) this.#forgetFull();
    return bucket;
  }

  /** A channel's full bucket says nothing that a new one would not. */
  #forgetFull(): void {
    const now = this.#clock.monotonic();
    for (const [key, bucket] of this.#buckets) if (key.includes(" ") && now - bucket.at > 60_000) this.#buckets.delete(key);
  }
}

const times = ({ perMinute, burst, reserve }: Allowance, factor: number): Allowance => ({
  perMinute: perMinute * factor,
  burst: burst * factor,
  reserve,
});

const mostBuckets = 200;

const blockKey = (call: BudgetedCall): string => `${call.method} ${call.channel}`;

const waitFor = (bucket: Bucket, allowance: Allowance, reserve: number): number =>
  bucket.tokens >= reserve + 1 ? 0 : ((reserve + 1 - bucket.tokens) / allowance.perMinute) * 60_000;
