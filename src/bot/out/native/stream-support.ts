import { LRUCache } from "lru-cache";
import type { Clock } from "../../../core/clock.ts";
import type { ChannelId } from "../../../core/ids.ts";
import type { SlackFailure } from "../slack-failure.ts";

/** Refusals that hold for the whole workspace: the method, a scope or the feature is missing, or Slack does not take what we send. */
const everywhere: ReadonlySet<string> = new Set([
  "unknown_method",
  "method_deprecated",
  "method_not_supported_for_channel_type",
  "missing_scope",
  "not_allowed",
  "not_allowed_token_type",
  "no_permission",
  "feature_not_enabled",
  "team_access_not_granted",
  "enterprise_is_restricted",
  "invalid_chunks",
  "invalid_arguments",
  "invalid_arg_name",
  "http_404",
]);
/** Refusals that hold for a channel. */
const inChannel: ReadonlySet<string> = new Set(["channel_type_not_supported", "invalid_thread_ts", "thread_not_supported"]);

// After a refusal streams are tried again when somebody may have changed the app; after a failure when Slack may have recovered.
const refusedMs = 3_600_000;
const failedMs = 60_000;

/** What one workspace's Slack has said about native streams, so that not every answer has to find out. Forgotten at a restart. */
export class StreamSupport {
  readonly #clock: Clock;
  readonly #channels = new LRUCache<ChannelId, number>({ max: 1_000 });
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a stream is worth a try there. */
  works(channel: ChannelId): boolean {
    const now = this.#clock.monotonic();
    return now >= this.#notBefore && now >= (this.#channels.get(channel) ?? Number.NEGATIVE_INFINITY);
  }

  worked(): void {
    this.#notBefore = Number.NEGATIVE_INFINITY;
  }

  /** Any other refusal concerns this answer alone: its reader, its thread. */
  failed(channel: ChannelId, { code, kind }: SlackFailure): void {
    const now = this.#clock.monotonic();
    if (everywhere.has(code)) this.#notBefore = now + refusedMs;
    else if (inChannel.has(code)) this.#channels.set(channel, now + refusedMs);
    else if (kind === "transient") this.#notBefore = now + failedMs;
  }
}
