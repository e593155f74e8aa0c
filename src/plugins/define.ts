import type { Tool, ToolResult, ToolResultMetadata } from "./contract.ts";

/** Gives `execute` its parameter type, then forgets it: the registry holds one kind of tool. */
export const defineTool = <Params>(tool: Tool<Params>): Tool => tool as Tool;

/** A successful result. */
export const text = (content: string, metadata: ToolResultMetadata = {}): ToolResult => ({
  type: "text",
  content,
  metadata,
  status: "success",
});

/** An unsuccessful result: `message` is read by the model and, in the trace, by people. */
export const failure = (
  code: string,
  message: string,
  { status = "error", retryable = false }: { status?: "error" | "denied"; retryable?: boolean } = {},
): ToolResult => ({
  type: "text",
  content: message,
  metadata: {},
  status,
  error: { code, message, retryable },
});
