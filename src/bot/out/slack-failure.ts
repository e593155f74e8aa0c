import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";

/**
 * What a failed call means for the one who writes:
 * - `rate-limited`: later, after `retryAfter` seconds; nothing was done
 * - `too-long`: the same in smaller pieces
 * - `message-gone`: this message cannot be edited any more; continue in a new one
 * - `place-gone`: this channel or thread takes nothing any more
 * - `token-dead`: this workspace's token is worth nothing; other workspaces go on
 * - `transient`: perhaps done, perhaps not; worth another try
 * - `refused`: our own mistake; trying again changes nothing
 */
export type FailureKind = "rate-limited" | "too-long" | "message-gone" | "place-gone" | "token-dead" | "transient" | "refused";

const kinds: Readonly<Record<Exclude<FailureKind, "rate-limited">, readonly string[]>> = {
  "too-long": ["msg_too_long", "msg_blocks_too_long", "msg_blocks_too_many", "invalid_blocks_format"],
  "message-gone": [
    "message_not_found",
    "cant_update_message",
    "edit_window_closed",
    "message_not_owned_by_app",
    "streaming_state_conflict",
  ],
  "place-gone": [
    "channel_not_found",
    "is_archived",
    "not_in_channel",
    "thread_not_found",
    "cannot_reply_to_message",
    "restricted_action",
    "restricted_action_read_only_channel",
    "restricted_action_thread_locked",
    "messages_tab_disabled",
    "user_not_in_channel",
    "cannot_dm_bot",
    "team_access_not_granted",
  ],
  "token-dead": [
    "token_revoked",
    "token_expired",
    "account_inactive",
    "invalid_auth",
    "not_authed",
    "org_login_required",
    "team_not_found",
    "access_denied",
  ],
  transient: [
    "internal_error",
    "fatal_error",
    "service_unavailable",
    "request_timeout",
    "team_added_to_org",
    "accesslimited",
    "ratelimited",
  ],
  refused: [],
};

/** A call to Slack that failed, sorted by what can be done about it. Holds no text of the message. */
export class SlackFailure extends Error {
  readonly kind: FailureKind;
  /** Slack's error code, or "http_<status>", "network". */
  readonly code: string;
  /** Seconds, with `rate-limited`. */
  readonly retryAfter: number;

  constructor(kind: FailureKind, code: string, retryAfter = 0) {
    super(`Slack: ${code}`);
    this.name = "SlackFailure";
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether this conversation or workspace is out of reach, so that writing on is useless. */
  get final(): boolean {
    return this.kind === "place-gone" || this.kind === "token-dead";
  }
}

/** Sorts whatever the Web API client threw. */
export function slackFailure(thrown: unknown): SlackFailure {
  if (thrown instanceof SlackFailure) return thrown;
  if (thrown instanceof WebAPIRateLimitedError) return new SlackFailure("rate-limited", "ratelimited", Math.max(1, thrown.retryAfter));
  if (thrown instanceof WebAPIPlatformError) {
    const code = thrown.data.error;
    const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => kinds[name].includes(code));
    return new SlackFailure(kind ?? "refused", code);
  }
  if (thrown instanceof WebAPIHTTPError) return new SlackFailure("transient", `http_${thrown.statusCode}`);
  return new SlackFailure("transient", "network");
}
