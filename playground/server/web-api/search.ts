import { ApiError } from "../api-error.ts";
import type { Channel, Json, Message } from "../state.ts";
import type { BotMethod, Call } from "./call.ts";

export const searchScope = "search:read.public";

/** What comes with each message of a person: leave to search in their name, for an app that answers it. */
export const actionTokenFor = (channel: Channel, message: Message): string => `${channel.id}.${message.ts}.${message.userId}`;

/** assistant.search.context, for bot tokens: messages of public channels, as far as whoever wrote may read them. */
export const searchMethods: Readonly<Record<string, BotMethod>> = {
  "assistant.search.context": {
    tier: 2,
    scope: searchScope,
    required: ["query", "action_token"],
    run: (call) => {
      const asker = askerOf(call);
      const limit = Math.min(call.args.integer("limit", 20), 20);
      const words =
        call.args
          .need("query")
          .toLowerCase()
          .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
      const score = ({ text }: Message) => words.filter((word) => text.toLowerCase().includes(word)).length;
      const found = readableBy(call, asker)
        .flatMap((channel) => channel.messages.map((message) => ({ channel, message, score: score(message) })))
        .filter(({ message, score }) => score > 0 && !message.deleted && !message.ephemeralTo && !message.botId)
        .sort((a, b) => b.score - a.score || Number(b.message.ts) - Number(a.message.ts))
        .slice(0, limit);
      return {
        results: { messages: found.map(({ channel, message }) => shown(call, channel, message)) },
        response_metadata: { next_cursor: "" },
      };
    },
  },
};

function askerOf({ workspace, args }: Call): string {
  const token = args.need("action_token");
  const [channelId = "", ...rest] = token.split(".");
  const channel = workspace.channels.get(channelId);
  const message = channel?.messages.find((each) => actionTokenFor(channel, each) === token);
  if (!message || rest.length !== 3) throw new ApiError("invalid_action_token");
  return message.userId;
}

/** A guest reads only what they were invited to. */
const readableBy = ({ workspace }: Call, asker: string): Channel[] => {
  const guest = workspace.people.get(asker)?.role === "guest";
  return [...workspace.channels.values()].filter(({ kind, members }) => kind === "public" && (!guest || members.has(asker)));
};

const shown = ({ workspace }: Call, channel: Channel, message: Message): Json => ({
  author_user_id: message.userId,
  team_id: message.teamId,
  channel_id: channel.id,
  channel_name: channel.name,
  message_ts: message.ts,
  content: message.text,
  is_author_bot: false,
  permalink: `https://${workspace.name}.slack.com/archives/${channel.id}/p${message.ts.replace(".", "")}`,
});
