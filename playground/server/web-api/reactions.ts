import { ApiError } from "../api-error.ts";
import { messageAt } from "../messages.ts";
import { messageJson } from "../shapes.ts";
import { type BotMethod, type Call, channelOf } from "./call.ts";

/** reactions.*: the bot's own reactions. */
export const reactionMethods: Readonly<Record<string, BotMethod>> = {
  "reactions.add": {
    tier: 3,
    scope: "reactions:write",
    required: ["channel", "name", "timestamp"],
    run: (call) => {
      const { message, users, name } = reacting(call);
      if (users.has(call.workspace.bot.id)) throw new ApiError("already_reacted");
      message.reactions.set(name, users.add(call.workspace.bot.id));
      return {};
    },
  },
  "reactions.remove": {
    tier: 2,
    scope: "reactions:write",
    required: ["channel", "name", "timestamp"],
    run: (call) => {
      const { message, users, name } = reacting(call);
      if (!users.delete(call.workspace.bot.id)) throw new ApiError("no_reaction");
      if (users.size === 0) message.reactions.delete(name);
      return {};
    },
  },
  "reactions.get": {
    tier: 3,
    scope: "reactions:read",
    required: ["channel", "timestamp"],
    run: (call) => {
      const channel = channelOf(call);
      const message = messageAt(channel, call.args.need("timestamp"));
      if (!message) throw new ApiError("message_not_found");
      return { type: "message", channel: channel.id, message: messageJson(call.workspace, channel, message) };
    },
  },
};

function reacting(call: Call) {
  const channel = channelOf(call);
  if (!channel.members.has(call.workspace.bot.id)) throw new ApiError("not_in_channel");
  const message = messageAt(channel, call.args.need("timestamp"));
  if (!message) throw new ApiError("message_not_found");
  const name = call.args.need("name").replaceAll(":", "");
  return { message, name, users: message.reactions.get(name) ?? new Set<string>() };
}
