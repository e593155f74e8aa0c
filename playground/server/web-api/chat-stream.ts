import { ApiError } from "../api-error.ts";
import { blockCharacters, checkBlocks, checkMetadata, maxBlockText } from "../limits.ts";
import { changeMessage, messageAt, storeMessage } from "../messages.ts";
import { messageJson } from "../shapes.ts";
import type { Channel, Json, Message, State, Stream } from "../state.ts";
import { type Args, type BotMethod, type Call, channelOf } from "./call.ts";

/** A stream lives this long in all; appends do not prolong it. Milliseconds. */
const streamLifeMs = 300_000;
/** UTF-8 bytes of a whole streamed message. Undocumented; reports put it between 10.6 and 11.6 kB. */
const maxStreamBytes = 11_000;
/** Characters of one call's markdown_text. */
const maxCallText = 12_000;
/** Blocks of chat.stopStream, and of a blocks chunk. */
const maxStreamBlocks = 50;

export const streamIsLive = (state: State, stream: Stream): boolean =>
  stream.state === "in_progress" && state.clock.monotonic() - stream.startedAt < streamLifeMs;

/** chat.startStream, appendStream, stopStream: text that arrives in pieces. */
export const streamMethods: Readonly<Record<string, BotMethod>> = {
  "chat.startStream": {
    tier: 2,
    scope: "chat:write",
    required: ["channel"],
    run: (call) => {
      const { state, workspace, args } = call;
      const channel = channelOf(call);
      if (!channel.members.has(workspace.bot.id)) throw new ApiError("not_in_channel");
      if (!args.has("thread_ts")) throw new ApiError("invalid_thread_ts");
      if (!messageAt(channel, args.need("thread_ts"))) throw new ApiError("invalid_thread_ts");
      if (channel.kind !== "direct") checkRecipient(call, channel);
      const piece = pieceOf(args, false);
      const message = storeMessage(state, workspace, channel, workspace.bot, {
        text: "",
        threadTs: args.need("thread_ts"),
        // Slack shows no previews in streamed messages.
        unfurls: false,
      });
      write(call, channel, message, { state: "in_progress", startedAt: state.clock.monotonic(), bytes: 0 }, piece);
      return { channel: channel.id, ts: message.ts };
    },
  },
  "chat.appendStream": {
    tier: 4,
    scope: "chat:write",
    required: ["channel", "ts"],
    run: (call) => {
      const { channel, message, stream } = openStream(call);
      write(call, channel, message, stream, pieceOf(call.args, true));
      return { channel: channel.id, ts: message.ts };
    },
  },
  "chat.stopStream": {
    tier: 2,
    scope: "chat:write",
    required: ["channel", "ts"],
    run: (call) => {
      const { channel, message, stream } = openStream(call);
      const blocks = checkBlocks(call.args.list("blocks", "invalid_blocks_format") ?? [], "message");
      if (blocks.length > maxStreamBlocks) throw new ApiError("msg_blocks_too_many");
      const metadata = checkMetadata(call.args.object("metadata", "invalid_metadata_format"));
      const piece = pieceOf(call.args, false);
      write(call, channel, message, { ...stream, state: "completed" }, { ...piece, blocks: [...piece.blocks, ...blocks] });
      if (metadata) message.metadata = metadata;
      return { channel: channel.id, ts: message.ts, message: messageJson(call.workspace, channel, message) };
    },
  },
};

interface Piece {
  readonly text: string;
  readonly blocks: readonly Json[];
  /** What counts against the size of the stream. */
  readonly bytes: number;
}

/** What one call adds: markdown_text or chunks, never both. */
function pieceOf(args: Args, needed: boolean): Piece {
  const text = args.string("markdown_text");
  const chunks = args.list("chunks", "invalid_chunks");
  if (text !== undefined && chunks) throw new ApiError("invalid_arguments");
  if (needed && !text && !chunks?.length) throw new ApiError("no_text");
  if (text !== undefined && text.length > maxCallText) throw new ApiError("msg_too_long");
  if (!chunks) return { text: text ?? "", blocks: [], bytes: Buffer.byteLength(text ?? "") };
  let added = "";
  const blocks: Json[] = [];
  for (const chunk of chunks) {
    if (chunk.type === "markdown_text" && typeof chunk.text === "string") added += chunk.text;
    else if (chunk.type === "blocks" && Array.isArray(chunk.blocks)) blocks.push(...checkBlocks(chunk.blocks as Json[], "message"));
    else if (chunk.type === "task_update" && typeof chunk.id === "string" && typeof chunk.title === "string") {
      blocks.push({ ...chunk, type: "task_card", task_id: chunk.id, block_id: `task-${chunk.id}` });
    } else if (chunk.type === "plan_update" && typeof chunk.title === "string") {
      blocks.push({ type: "plan", title: chunk.title, block_id: "plan" });
    } else throw new ApiError("invalid_chunks");
  }
  if (added.length > maxCallText) throw new ApiError("msg_too_long");
  return { text: added, blocks, bytes: Buffer.byteLength(JSON.stringify(chunks)) };
}

function write({ state, workspace }: Call, channel: Channel, message: Message, stream: Stream, piece: Piece): void {
  const bytes = stream.bytes + piece.bytes;
  if (bytes > maxStreamBytes) throw new ApiError("msg_too_long");
  const text = message.text + piece.text;
  const others = renewed(
    message.blocks.filter((block) => block.type !== "markdown"),
    piece.blocks,
  );
  const isTask = ({ type }: Json) => type === "task_card" || type === "plan";
  const markdown = text ? [{ type: "markdown", text, block_id: "text" }] : [];
  // What was done stands above what was found.
  const blocks = [...others.filter(isTask), ...markdown, ...others.filter((block) => !isTask(block))];
  if (blockCharacters(blocks) > maxBlockText) throw new ApiError("msg_blocks_too_long");
  changeMessage(state, workspace, channel, message, { text, blocks, stream: { ...stream, bytes } });
}

/** A task's newer card takes the place of the older one. */
function renewed(old: readonly Json[], added: readonly Json[]): Json[] {
  const newer = new Map(added.map((block) => [block.block_id, block]));
  const known = new Set(old.map((block) => block.block_id));
  return [...old.map((block) => newer.get(block.block_id) ?? block), ...added.filter((block) => !known.has(block.block_id))];
}

function openStream(call: Call): { channel: Channel; message: Message; stream: Stream } {
  const channel = channelOf(call);
  const message = messageAt(channel, call.args.need("ts"));
  if (!message) throw new ApiError("message_not_found");
  if (message.userId !== call.workspace.bot.id) throw new ApiError("message_not_owned_by_app");
  const { stream } = message;
  if (stream?.state === "stopped_by_user") throw new ApiError("stopped_by_user");
  if (!stream || !streamIsLive(call.state, stream)) throw new ApiError("message_not_in_streaming_state");
  return { channel, message, stream };
}

/** In channels the reader must be named: a member of the channel, with their own team. */
function checkRecipient({ state, args }: Call, channel: Channel): void {
  if (!args.has("recipient_team_id")) throw new ApiError("missing_recipient_team_id");
  if (!args.has("recipient_user_id")) throw new ApiError("missing_recipient_user_id");
  const teamId = args.need("recipient_team_id");
  if (
    !channel.teamIds.includes(teamId) &&
    !state.workspaces.some((workspace) => [...workspace.people.values()].some((p) => p.teamId === teamId))
  ) {
    throw new ApiError("team_not_found");
  }
  if (!channel.members.has(args.need("recipient_user_id"))) throw new ApiError("user_not_found");
}
