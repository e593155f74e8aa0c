import type { Clock } from "../../src/core/clock.ts";
import type { SlackSeed } from "./seed.ts";

/** How the bot is reached. `url` is the bot's address for events, commands and interactions. */
export type DeliverBy = { readonly mode: "socket" } | { readonly mode: "http"; readonly url: string };

/** How a fake Slack is started. */
export interface FakeSlackOptions {
  readonly seed: SlackSeed;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Socket Mode by default. */
  readonly deliver?: DeliverBy;
  /** Whether rate limits are enforced; limits on lengths always are. */
  readonly limits?: "off" | "documented";
  /** The time to acknowledge, then the waits before re-delivery, in milliseconds. Slack's own by default. */
  readonly retryDelaysMs?: readonly number[];
  /** How long a trigger id opens a view, in milliseconds. Slack's three seconds by default. */
  readonly triggerLifeMs?: number;
  readonly clock?: Clock;
  /** Events the app is subscribed to; messages as `message.channel`, `message.group`, `message.im`. Those of Footnote by default. */
  readonly events?: readonly string[];
  /** How many calls, acknowledgements, envelopes, and states of one message are kept for looking at; all by default. */
  readonly keep?: number;
  /** Folder of the built page; without it there is no page, only its API. */
  readonly uiDir?: string;
}

/** What an app like Footnote subscribes to. */
export const usualEvents: readonly string[] = [
  "app_mention",
  "message.channel",
  "message.group",
  "message.im",
  "reaction_added",
  "reaction_removed",
  "member_joined_channel",
  "channel_shared",
  "file_deleted",
  "file_shared",
  "file_unshared",
  "file_change",
  "channel_left",
  "group_left",
  "member_left_channel",
  "channel_archive",
  "app_home_opened",
  "agent_session_stopped",
  "app_uninstalled",
  "tokens_revoked",
];

/** A workspace as tests address it. Each function throws when there is no such name. */
export interface WorkspaceHandle {
  readonly teamId: string;
  readonly botToken: string;
  readonly botUserId: string;
  person(name: string): string;
  channel(name: string): string;
  /** The conversation between the bot and this person. */
  direct(name: string): string;
}
