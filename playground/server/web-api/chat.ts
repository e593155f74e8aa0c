import { ApiError } from "../api-error.ts";
import { checkBlocks, checkMarkdown, checkMetadata, checkText, type Written } from "../limits.ts";
import { changeMessage, deleteMessage, messageAt, storeMessage } from "../messages.ts";
import { fromTyped } from "../mrkdwn.ts";
import { openDirect } from "../plant-seed.ts";
import { messageJson } from "../shapes.ts";
import { type Channel, type Json, type Message, personIn } from "../state.ts";
import { type BotMethod, type Call, channelOf, userOf } from "./call.ts";
import { streamIsLive } from "./chat-stream.ts";

/** chat.*: writing messages. Streaming has a file of its own. */
export const chatMethods: Readonly<Record<string, BotMethod>> = {
  "chat.postMessage": {
    tier: "post",
    scope: "chat:write",
    required: ["channel"],
    run: (call) => {
      const channel = writable(call);
      const { workspace, state, args } = call;
      const written = whatIsWritten(call, "post");
      const threadTs = args.string("thread_ts");
      if (threadTs && !/^\d+\.\d+$/.test(threadTs)) throw new ApiError("invalid_thread_ts");
      const message = storeMessage(state, workspace, channel, workspace.bot, {
        ...written,
        ...(threadTs && { threadTs }),
        ...(threadTs && args.flag("reply_broadcast") && { subtype: "thread_broadcast" }),
      });
      return { channel: channel.id, ts: message.ts, message: withMetadata(call, channel, message) };
    },
  },
  "chat.update": {
    tier: 3,
    scope: "chat:write",
    required: ["channel", "ts"],
    run: (call) => {
      const { workspace, state } = call;
      const channel = channelOf(call);
      const message = own(call, channel, "cant_update_message");
      if (message.stream && streamIsLive(state, message.stream)) throw new ApiError("streaming_state_conflict");
      const written = whatIsWritten(call, "update");
      const blocksOnly = written.blocks.length > 0;
      changeMessage(state, workspace, channel, message, {
        text: written.text,
        blocks: written.blocks,
        attachments: written.attachments,
        ...(written.metadata && { metadata: written.metadata }),
        ...(!blocksOnly && { edited: { user: workspace.bot.id, ts: state.nextTs() } }),
      });
      return { channel: channel.id, ts: message.ts, text: message.text, message: withMetadata(call, channel, message) };
    },
  },
  "chat.delete": {
    tier: 3,
    scope: "chat:write",
    required: ["channel", "ts"],
    run: (call) => {
      const channel = channelOf(call);
      const message = own(call, channel, "cant_delete_message");
      deleteMessage(call.state, call.workspace, channel, message);
      return { channel: channel.id, ts: message.ts };
    },
  },
  "chat.postEphemeral": {
    tier: 4,
    scope: "chat:write",
    required: ["channel", "user"],
    run: (call) => {
      const { workspace, state, args } = call;
      const channel = writable(call);
      const reader = userOf(call);
      if (!channel.members.has(reader.id)) throw new ApiError("user_not_in_channel");
      const threadTs = args.string("thread_ts");
      const message = storeMessage(state, workspace, channel, workspace.bot, {
        ...whatIsWritten(call, "post"),
        ...(threadTs && { threadTs }),
        ephemeralTo: reader.id,
      });
      return { message_ts: message.ts };
    },
  },
  "chat.getPermalink": {
    tier: 4,
    required: ["channel", "message_ts"],
    run: (call) => {
      const channel = channelOf(call);
      const message = messageAt(channel, call.args.need("message_ts"));
      if (!message) throw new ApiError("message_not_found");
      const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : "";
      const permalink = `https://${call.workspace.name}.slack.com/archives/${channel.id}/p${message.ts.replace(".", "")}${thread}`;
      return { channel: channel.id, permalink };
    },
  },
};

/** The channel to write to: a channel the bot is in, or a person, whose direct messages are opened. */
function writable(call: Call): Channel {
  const { state, workspace, args } = call;
  const person = personIn(state, workspace, args.need("channel"));
  if (person) {
    if (person.deactivated) throw new ApiError("user_disabled");
    return openDirect(workspace, person, Math.floor(state.clock.now().getTime() / 1000));
  }
  const channel = channelOf(call);
  if (channel.archived) throw new ApiError("is_archived");
  if (!channel.members.has(workspace.bot.id)) throw new ApiError("not_in_channel");
  return channel;
}

/** A message of this bot; nobody else's can be changed. */
function own(call: Call, channel: Channel, error: string): Message {
  const message = messageAt(channel, call.args.need("ts"));
  if (!message) throw new ApiError("message_not_found");
  if (message.userId !== call.workspace.bot.id || message.teamId !== call.workspace.teamId) throw new ApiError(error);
  return message;
}

/** Text, blocks, attachments, metadata and preview flags of a call, checked against Slack's limits. */
function whatIsWritten(call: Call, occasion: "post" | "update"): Written {
  const { args, workspace } = call;
  const markdown = args.string("markdown_text");
  const blocks = args.list("blocks", "invalid_blocks_format");
  const attachments = args.list("attachments", "invalid_attachments_format") ?? [];
  if (markdown !== undefined && (args.sent("text") || args.sent("blocks"))) throw new ApiError("markdown_text_conflict");
  const text = markdown === undefined ? checkText(args.string("text") ?? "", occasion, call.note) : checkMarkdown(markdown);
  const checked = markdown ? [{ type: "markdown", text: markdown, block_id: "text" }] : checkBlocks(blocks ?? [], "message");
  if (attachments.length > 100) throw new ApiError("too_many_attachments");
  if (!text && checked.length === 0 && attachments.length === 0) throw new ApiError("no_text");
  const metadata = checkMetadata(args.object("metadata", "invalid_metadata_format"));
  const linkNames = args.flag("link_names") === true || args.string("parse") === "full";
  return {
    text: linkNames ? fromTyped(text, namesIn(workspace)).text : text,
    blocks: checked,
    attachments,
    ...(metadata && { metadata }),
    unfurls: !(args.flag("unfurl_links") === false && args.flag("unfurl_media") === false),
  };
}

/** How typed names are resolved in a workspace. */
export function namesIn(workspace: Call["workspace"]) {
  return {
    user: (handle: string) => [...workspace.people.values()].find((person) => person.name === handle)?.id,
    channel: (name: string) => [...workspace.channels.values()].find((channel) => channel.kind !== "direct" && channel.name === name)?.id,
  };
}

const withMetadata = (call: Call, channel: Channel, message: Message): Json => ({
  ...messageJson(call.workspace, channel, message),
  ...(message.metadata && { metadata: message.metadata }),
});
