import type { ReplyRule } from "../../../agent/templates/template.ts";
import type { ChannelId, TenantId } from "../../../core/ids.ts";
import type { ApprovalDesk } from "../../approvals/approval-desk.ts";
import type { AudienceWatch } from "../../audience/audience-watch.ts";
import type { Commands } from "../../commands/commands.ts";
import type { DocumentDesk } from "../../documents/document-desk.ts";
import type { ChannelWatch } from "../../documents/following/channel-watch.ts";
import type { Surface } from "../../surfaces/surface.ts";
import type { TurnControl } from "../../turns/turn-control.ts";
import type { Departures } from "../../workspace/departures.ts";
import type { Installation } from "../../workspace/installations.ts";
import type { RealTimeSearch } from "../../workspace/slack-search.ts";
import type { Inbox } from "../inbox.ts";

/** One delivery that has been routed to a tenant. `payload` is Slack's event or action, `body` all around it: both unchecked. */
export interface Delivery {
  readonly installation: Installation;
  readonly payload: unknown;
  readonly body: unknown;
}

/**
 * What a listener's author must be; checked before `handle` runs and by a test that goes through all listeners.
 * "person-message": the first sending of a person's own words. "person-writing": the same, or their being edited or deleted.
 * "app-removed": Slack says that the app has no place in the workspace any more; nobody is its author.
 * "slack-says": something of the workspace is otherwise now, by Slack's word; it names no author, and nothing may follow but less, or
 * another look at what Slack says.
 * "person-event": an event that a person has caused. "person-click", "person-command": a click or a slash command by a human; rights are checked where it acts.
 */
export type Policy =
  | "person-message"
  | "person-writing"
  | "person-event"
  | "person-click"
  | "person-command"
  | "app-removed"
  | "slack-says";

/** What a listener may use beside the inbox. */
export interface ListenerContext {
  readonly commands: Pick<Commands, "fromMessage" | "fromSlash">;
  readonly surface: Pick<Surface, "clicked" | "submitted" | "homeOpened" | "messagesOpened" | "suggest">;
  readonly control: Pick<TurnControl, "edited" | "deleted" | "stop" | "again">;
  readonly departures: Pick<Departures, "left">;
  readonly approvals: Pick<ApprovalDesk, "clicked" | "editing" | "edited">;
  readonly documents: Pick<DocumentDesk, "deleted">;
  readonly channelFiles: Pick<ChannelWatch, "changed">;
  readonly audience: Pick<AudienceWatch, "joined" | "shared">;
  readonly search: Pick<RealTimeSearch, "note">;
  /** Which messages of a channel the bot answers. */
  replyRule(tenant: TenantId, channel: ChannelId): Promise<ReplyRule>;
}

/**
 * What the bot listens to: one event, one button, one form of a modal or one shortcut of messages (by its callback id), a menu
 * that asks for suggestions, or one slash command. `handle` only stores, or looks suggestions up; it must be done before Slack gets its
 * acknowledgement, and what it resolves with goes along with that.
 */
export interface Listener {
  readonly on:
    | { readonly event: "app_mention" | "message" | "agent_session_stopped" | "app_uninstalled" | "tokens_revoked" | "app_home_opened" }
    | { readonly event: "member_joined_channel" | "channel_shared" | "channel_left" | "group_left" }
    | { readonly event: "file_deleted" | "file_shared" | "file_unshared" | "file_change" }
    | { readonly action: string }
    | { readonly form: string }
    | { readonly shortcut: string }
    | { readonly suggestions: string }
    | { readonly command: string };
  readonly policy: Policy;
  handle(delivery: Delivery, inbox: Inbox, context: ListenerContext): Promise<unknown>;
}
