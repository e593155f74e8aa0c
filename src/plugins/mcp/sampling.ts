import { type CreateMessageRequest, type CreateMessageResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { WritingRequest } from "../contract.ts";
import type { Asker } from "./elicitation.ts";

/** Messages of one request. More are no few words that somebody reads before they click. */
const MOST_MESSAGES = 50;
/** What the protocol has clients answer when a person does not want it. */
const REJECTED = -1;
/** Servers are not told which model the operator has. */
const MODEL = "footnote";

/**
 * Answers a server that wants a model to write something (sampling) with what its asker has allowed, and with nothing else: text from the
 * server's own words, without tools and without anything of the conversation, whatever context and model it asks for.
 * @param asking of the calls that are under way on this connection
 * @param withdrawn aborts when the server no longer wants it
 * @throws ProtocolError for a no, whoever said it, and for what is no text
 */
export async function writingFor(
  { params }: CreateMessageRequest,
  asking: ReadonlySet<Asker>,
  withdrawn?: AbortSignal,
): Promise<CreateMessageResult> {
  const [asker, ...others] = asking;
  const request = requestOf(params);
  // Which call it is about is not said, so that there must be but one.
  const written = others.length > 0 ? undefined : await asker?.writeFor?.(request, withdrawn);
  if (!written) throw new ProtocolError(REJECTED, "Nobody has allowed it.");
  const { text, complete } = written;
  return { role: "assistant", content: { type: "text", text }, model: MODEL, stopReason: complete ? "endTurn" : "maxTokens" };
}

function requestOf({ systemPrompt, messages, maxTokens, tools, toolChoice }: CreateMessageRequest["params"]): WritingRequest {
  if (tools || toolChoice) throw unfit("There are no tools.");
  if (messages.length === 0 || messages.length > MOST_MESSAGES) throw unfit("It needs between one and 50 messages.");
  const read = messages.map(({ role, content }) => {
    const parts = (Array.isArray(content) ? content : [content]).map((part) => {
      if (part.type !== "text") throw unfit("Only text is read.");
      return part.text;
    });
    return { role, content: parts.join("\n\n") };
  });
  return { ...(systemPrompt && { system: systemPrompt }), messages: read, maxTokens };
}

const unfit = (why: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, why);
