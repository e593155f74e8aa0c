import { hostedResult, hostedTool, sourceLine } from "../../agent/tools/hosted-results.ts";
import { BadCall, type HostedCall, type HostedResult, type ToolHost } from "../../agent/tools/hosted-tools.ts";
import { problemWith } from "../../agent/tools/parameters.ts";
import { messageOf } from "../../core/errors.ts";
import type { Tool, ToolContext } from "../../plugins/contract.ts";

/** Longest one call may take, in milliseconds. */
const CALL_MS = 60_000;

/** Plugin tools offered as they are, without a workspace and its people: those that need none, such as a search of the web. */
export class PluginHost implements ToolHost {
  readonly #tools: readonly Tool[];
  readonly #context: Omit<ToolContext, "signal" | "progress">;

  constructor(tools: readonly Tool[], context: Omit<ToolContext, "signal" | "progress">) {
    this.#tools = tools;
    this.#context = context;
  }

  list = async () => this.#tools.map(hostedTool);

  async call({ name, arguments: params, signal, progress }: HostedCall): Promise<HostedResult> {
    const tool = this.#tools.find((tool) => tool.name === name);
    if (!tool) throw new BadCall(`There is no tool ${JSON.stringify(name.slice(0, 64))}.`);
    const problem = problemWith(params, tool);
    if (problem !== undefined) throw new BadCall(problem);
    let step = 0;
    const context = {
      ...this.#context,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      progress: (words: string) => progress(++step, undefined, words),
    };
    try {
      const result = await tool.execute(params, context);
      const sources = result.metadata.sources ?? [];
      // One by one, so that whoever waits sees the first before the last is written.
      for (const [at, source] of sources.entries()) progress(step + at + 1, step + sources.length, sourceLine(source));
      return hostedResult(result, ({ url, id }) => url ?? id);
    } catch (thrown) {
      signal.throwIfAborted();
      return { content: [{ type: "text", text: messageOf(thrown) }], isError: true };
    }
  }
}
