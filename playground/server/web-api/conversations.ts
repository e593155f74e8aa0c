import { ApiError } from "../api-error.ts";
import { threadOf } from "../messages.ts";
import { openDirect } from "../plant-seed.ts";
import { channelJson, messageJson } from "../shapes.ts";
import type { Channel, Json, Message } from "../state.ts";
import { type Args, type BotMethod, type Call, channelOf, page, userOf } from "./call.ts";

const typeNames = { public_channel: "public", private_channel: "private", im: "direct", mpim: "group" } as const;

/** Which channels the arguments `types` and `exclude_archived` ask for. */
export function wantedKind(args: Args): (channel: Channel) => boolean {
  const names = (args.string("types") ?? "public_channel").split(",").map((name) => name.trim());
  const kinds = names.map((name) => {
    if (!(name in typeNames)) throw new ApiError("invalid_types");
    return typeNames[name as keyof typeof typeNames];
  });
  return (channel) => kinds.some((kind) => kind === channel.kind) && !(args.flag("exclude_archived") && channel.archived);
}

/** conversations.*: channels and what was said in them. */
export const conversationMethods: Readonly<Record<string, BotMethod>> = {
  "conversations.info": {
    tier: 3,
    scope: "channels:read",
    required: ["channel"],
    run: (call) => {
      const channel = channelOf(call);
      const counted = call.args.flag("include_num_members") && { num_members: channel.members.size };
      return { channel: { ...channelJson(call.workspace, channel), ...counted } };
    },
  },
  "conversations.members": {
    tier: 4,
    scope: "channels:read",
    required: ["channel"],
    run: (call) => {
      const { items, response_metadata } = page([...channelOf(call).members], call.args, 100);
      return { members: items, response_metadata };
    },
  },
  "conversations.list": {
    tier: 2,
    scope: "channels:read",
    run: ({ workspace, args }) => {
      const wanted = wantedKind(args);
      const visible = [...workspace.channels.values()].filter(
        (channel) => wanted(channel) && (channel.kind === "public" || channel.members.has(workspace.bot.id)),
      );
      const { items, response_metadata } = page(visible, args, 100);
      return { channels: items.map((channel) => channelJson(workspace, channel)), response_metadata };
    },
  },
  "conversations.open": {
    tier: 3,
    scope: "im:write",
    run: (call) => {
      const { state, workspace, args } = call;
      if (args.has("channel")) return { channel: { id: channelOf(call).id } };
      if (!args.has("users")) throw new ApiError("users_list_not_supplied");
      if (args.need("users").includes(",")) throw new ApiError("method_not_supported_for_channel_type");
      const person = userOf(call, "users");
      if (person.botId) throw new ApiError("cannot_dm_bot");
      if (person.deactivated) throw new ApiError("user_disabled");
      const channel = openDirect(workspace, person, Math.floor(state.clock.now().getTime() / 1000));
      const whole = args.flag("return_im") ? channelJson(workspace, channel) : { id: channel.id };
      return { no_op: channel.messages.length > 0, already_open: channel.messages.length > 0, channel: whole };
    },
  },
  "conversations.join": {
    tier: 3,
    scope: "channels:join",
    required: ["channel"],
    run: (call) => {
      const channel = channelOf(call);
      if (channel.kind !== "public") throw new ApiError("method_not_supported_for_channel_type");
      if (channel.archived) throw new ApiError("is_archived");
      channel.members.add(call.workspace.bot.id);
      return { channel: channelJson(call.workspace, channel) };
    },
  },
  "conversations.history": {
    tier: 3,
    scope: "channels:history",
    required: ["channel"],
    run: (call) => {
      const channel = readable(call);
      const top = channel.messages.filter(
        (message) => !message.deleted && !message.ephemeralTo && (!message.threadTs || message.threadTs === message.ts),
      );
      const { items, response_metadata } = page(within(top, call.args).reverse(), call.args, 100);
      const more = response_metadata.next_cursor !== "";
      return { messages: shown(call, channel, items), has_more: more, pin_count: 0, ...(more && { response_metadata }) };
    },
  },
  "conversations.replies": {
    tier: 3,
    scope: "channels:history",
    required: ["channel", "ts"],
    run: (call) => {
      const channel = readable(call);
      const thread = threadOf(channel, call.args.need("ts"));
      const [root] = thread;
      if (!root) throw new ApiError("thread_not_found");
      const rest = within(
        thread.filter((message) => message !== root),
        call.args,
      );
      const { items, response_metadata } = page([root, ...rest], call.args, 1000);
      const more = response_metadata.next_cursor !== "";
      return { messages: shown(call, channel, items), has_more: more, ...(more && { response_metadata }) };
    },
  },
};

/** A channel whose messages the bot may read. */
function readable(call: Call): Channel {
  const channel = channelOf(call);
  if (!channel.members.has(call.workspace.bot.id)) throw new ApiError("not_in_channel");
  return channel;
}

/** Messages between `oldest` and `latest`, the bounds themselves only with `inclusive`. */
function within(messages: readonly Message[], args: Args): Message[] {
  const inclusive = args.flag("inclusive") ?? false;
  const oldest = args.string("oldest") || "0";
  const latest = args.string("latest");
  return messages.filter((message) => {
    const afterOldest = Number(message.ts) > Number(oldest) || (inclusive && message.ts === oldest);
    const beforeLatest = !latest || Number(message.ts) < Number(latest) || (inclusive && message.ts === latest);
    return afterOldest && beforeLatest;
  });
}

function shown(call: Call, channel: Channel, messages: readonly Message[]): readonly Json[] {
  const withMetadata = call.args.flag("include_all_metadata") ?? false;
  return messages.map((message) => ({
    ...messageJson(call.workspace, channel, message),
    ...(message.metadata && { metadata: withMetadata ? message.metadata : { event_type: message.metadata.event_type } }),
  }));
}
