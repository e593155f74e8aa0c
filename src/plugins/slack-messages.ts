import type { ChannelId, MessageTs, PersonId, TenantId } from "../core/ids.ts";

/** Slack's own search, with the rights of whoever asked. What it finds may be shown and told, and is kept nowhere. */
export interface SlackSearch {
  /**
   * Messages of public channels.
   * @throws AppError SLACK_SEARCH_UNAVAILABLE where Slack gives no leave to search for this question, or the app has none in this workspace
   */
  search(
    asked: AskedInSlack,
    query: { readonly words: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly FoundMessage[]>;
}

/** A question as Slack knows it: the leave to search goes with its message. */
export interface AskedInSlack {
  readonly tenant: TenantId;
  readonly person: PersonId;
  readonly channel: ChannelId;
  readonly message: MessageTs;
}

export interface FoundMessage {
  readonly text: string;
  /** Without the sign in front. */
  readonly channel?: string;
  readonly author?: string;
  readonly at: Date;
  readonly url?: string;
}

/** Without it nobody searches Slack: Slack gives its search to few workspaces, and the app has to be granted a scope for it. */
export const searchFlag = "slack-search";
