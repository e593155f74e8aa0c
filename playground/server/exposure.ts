import { type Inside, insideRevision, type Link } from "./links.ts";
import type { Mention } from "./mrkdwn.ts";
import type { State } from "./state.ts";

/** Where something was shown: a state (0-based) of a message of the bot. */
interface Shown {
  readonly workspace: string;
  /** Channel id. */
  readonly channel: string;
  readonly ts: string;
  readonly revision: number;
}

/** A link in a state of a message of the bot. With `unfurls`, Slack would have fetched it without anybody clicking. */
export type ShownLink = Shown & Link & { readonly unfurls: boolean };
/** A ping or reference in a state of a message of the bot. */
export type ShownMention = Shown & Mention;

/** Every link that any state of any message of the bots ever showed, deleted and ephemeral ones included. */
export const shownLinks = (state: State): readonly ShownLink[] =>
  revisionsOfBots(state).flatMap(({ shown, unfurls, inside }) => inside.links.map((link) => ({ ...shown, ...link, unfurls })));

/** Everybody and everything that any state of any message of the bots ever pinged or pointed to. */
export const shownMentions = (state: State): readonly ShownMention[] =>
  revisionsOfBots(state).flatMap(({ shown, inside }) => inside.mentions.map((mention) => ({ ...shown, ...mention })));

function revisionsOfBots(state: State): readonly { shown: Shown; unfurls: boolean; inside: Inside }[] {
  const found = [];
  for (const workspace of state.workspaces) {
    for (const channel of workspace.channels.values()) {
      for (const message of channel.messages) {
        if (message.userId !== workspace.bot.id || message.teamId !== workspace.teamId) continue;
        for (const [revision, content] of message.revisions.entries()) {
          const shown = { workspace: workspace.name, channel: channel.id, ts: message.ts, revision };
          found.push({ shown, unfurls: content.unfurls, inside: insideRevision(content) });
        }
      }
    }
  }
  return found;
}
