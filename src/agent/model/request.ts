import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest, ToolCall, ToolDefinition } from "./model.ts";
import type { Opaque } from "./reply-assembly.ts";

/** Our messages as chat completions take them. What a model wanted back with a call goes back with it, to that model alone. */
export function chatMessages({ system, messages }: ModelRequest, model: string): ChatCompletionMessageParam[] {
  return [{ role: "system", content: system }, ...messages.map((message) => toChat(message, model))];
}

export const chatTools = (tools: readonly ToolDefinition[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters: understood(parameters) },
  }));

/** By the schema of a tool, which stays the same from step to step. */
const understoodSchemas = new WeakMap<object, Record<string, unknown>>();

function understood(parameters: ToolDefinition["parameters"]): Record<string, unknown> {
  const known = understoodSchemas.get(parameters);
  if (known) return known;
  const schema = withoutPatterns(parameters) as Record<string, unknown>;
  understoodSchemas.set(parameters, schema);
  return schema;
}

/**
 * Regular expressions are refused by some servers, and others compile them into a grammar of their own dialect. Descriptions say the form;
 * the arguments that come are checked with the whole schema.
 */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => !(keyword === "pattern" && typeof value === "string"));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === "default" || keyword === "enum" ? value : withoutPatterns(value)]),
  );
}

function toChat(message: ModelMessage, model: string): ChatCompletionMessageParam {
  if (message.role === "user") return { role: "user", content: message.content };
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: "assistant", content: message.content };
  const reasoning = opaqueOf(calls[0], model).reasoning;
  return {
    role: "assistant",
    content: message.content || null,
    tool_calls: calls.map((call) => toChatCall(call, model)),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
}

/** Arguments that were no JSON are not repeated: some servers refuse the whole conversation for them. */
const toChatCall = (call: ToolCall, model: string) => ({
  id: call.id,
  type: "function" as const,
  function: { name: call.name, arguments: JSON.stringify(call.params ?? {}) },
  ...(opaqueOf(call, model).extra !== undefined && { extra_content: opaqueOf(call, model).extra }),
});

function opaqueOf(call: ToolCall | undefined, model: string): Partial<Opaque> {
  const opaque = (call?.opaque ?? {}) as Partial<Opaque>;
  return opaque.by === model ? opaque : {};
}
