import type { ModelMessage, ModelRequest } from "../model/model.ts";
import { capped } from "../tools/tool-runner.ts";
import { estimateTokens } from "./tokens.ts";

/** Share of the window that is filled: other models count other tokens than our estimate does. */
const FILL = 0.9;
/** A reply may take this share of the window at most, but not less than a few sentences, in tokens. */
const REPLY_SHARE = 0.25;
const LEAST_REPLY = 300;
/** Below this, counting is not worth it: no text has more tokens for a character (a UTF-16 unit). */
const MOST_TOKENS_PER_CHAR = 1.5;
/** What a tool's result and the question keep however small the window is, in tokens. */
const LEAST_KEPT = 100;

/**
 * The request, made to fit into the window: first the reply's length, then the oldest messages before the question, then the longest
 * tool results, last the question itself give way. Every tool result stays behind its call. Unchanged when it fits.
 * @param window tokens of request and reply together; undefined when nobody knows
 * @param question index of the question in the messages: what follows it are the steps of this answer
 */
export function fitted(request: ModelRequest, window: number | undefined, question: number): ModelRequest {
  if (window === undefined) return request;
  const reply = Math.max(LEAST_REPLY, Math.min(request.maxOutputTokens ?? Number.POSITIVE_INFINITY, Math.floor(window * REPLY_SHARE)));
  const frame = JSON.stringify(request.tools).length + request.system.length;
  const chars = request.messages.reduce((sum, message) => sum + lengthOf(message), frame);
  const shorter = { ...request, ...(request.maxOutputTokens !== undefined && { maxOutputTokens: reply }) };
  if (chars * MOST_TOKENS_PER_CHAR <= window * FILL - reply) return shorter;

  const room = window * FILL - reply - estimateTokens(request.system) - estimateTokens(JSON.stringify(request.tools));
  return { ...shorter, messages: withinRoom(request.messages, question, room) };
}

/** About how many tokens a request has. */
export const requestTokens = ({ system, tools, messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), estimateTokens(system) + estimateTokens(JSON.stringify(tools)));

function withinRoom(messages: readonly ModelMessage[], question: number, room: number): readonly ModelMessage[] {
  const sizes = messages.map(tokensOf);
  let over = sizes.reduce((sum, size) => sum + size, 0) - room;
  let from = 0;
  // An answer without its question goes too.
  while (from < question && (over > 0 || messages[from]?.role === "assistant")) over -= sizes[from++] ?? 0;
  const kept = messages.slice(from);
  if (over <= 0) return kept;

  const keptSizes = sizes.slice(from);
  const results = keptSizes.filter((_, at) => kept[at]?.role === "tool");
  const limit = evenLimit(results, results.reduce((sum, size) => sum + size, 0) - over);
  const cut = kept.map((message, at) => (message.role === "tool" ? shortened(message, keptSizes[at] ?? 0, limit) : message));
  over = cut.reduce((sum, message) => sum + tokensOf(message), 0) - room;
  const asked = sizes[question] ?? 0;
  return over <= 0 ? cut : cut.map((message, at) => (at === question - from ? shortened(message, asked, asked - over) : message));
}

/** The size down to which the longest of them must be cut, so that all together have `room`. */
function evenLimit(sizes: readonly number[], room: number): number {
  let left = room;
  let limit = 0;
  for (const [at, size] of [...sizes].sort((a, b) => a - b).entries()) {
    limit = left / (sizes.length - at);
    if (size > limit) break;
    left -= size;
  }
  return limit;
}

function shortened<Message extends ModelMessage>(message: Message, tokens: number, limit: number): Message {
  if (tokens <= limit) return message;
  const share = Math.max(LEAST_KEPT, limit) / tokens;
  const content = capped(message.content, Math.floor(message.content.length * Math.min(1, share)));
  // A passage stands between triple quotes, also when its end is gone.
  const open = message.role === "tool" && (content.split('"""').length - 1) % 2 === 1;
  return { ...message, content: open ? `${content}\n"""` : content };
}

const callsOf = (message: ModelMessage): string =>
  message.role === "assistant" && message.toolCalls ? JSON.stringify(message.toolCalls) : "";
const lengthOf = (message: ModelMessage): number => message.content.length + callsOf(message).length;
const tokensOf = (message: ModelMessage): number => estimateTokens(message.content) + estimateTokens(callsOf(message));
