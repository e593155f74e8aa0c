import type { ModelEvent, ModelRequest, ToolCall } from "../../../src/agent/model/model.ts";

/** A request that asks nothing in particular. */
export const request = (): ModelRequest => ({
  system: "s",
  messages: [{ role: "user", content: "q" }],
  tools: [{ name: "get_forecast", description: "Weather.", parameters: { type: "object", properties: {} } }],
  toolChoice: "auto",
});

/** Everything of one reply. */
export async function collect(stream: AsyncIterable<ModelEvent>) {
  const events: ModelEvent[] = [];
  const calls: ToolCall[] = [];
  let text = "";
  for await (const event of stream) {
    events.push(event);
    if (event.type === "text-delta") text += event.text;
    if (event.type === "text-reset") text = "";
    if (event.type === "tool-call") calls.push(event.call);
  }
  return { events, text, calls, end: events.at(-1) };
}
