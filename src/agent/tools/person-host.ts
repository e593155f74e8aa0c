import { hostedResult, hostedTool, sourceLine } from "./hosted-results.ts";
import { BadCall, type HostedCall, type HostedResult, type HostedTool, type ToolHost } from "./hosted-tools.ts";
import type { Caller, ToolAccess } from "./tool-access.ts";

/** One person's tools for a server of ours. */
export class PersonHost implements ToolHost {
  readonly #access: ToolAccess;
  readonly #caller: Caller;

  constructor(access: ToolAccess, caller: Caller) {
    this.#access = access;
    this.#caller = caller;
  }

  async list(): Promise<readonly HostedTool[]> {
    return (await this.#access.list(this.#caller)).map(hostedTool);
  }

  async call({ name, arguments: params, signal, progress }: HostedCall): Promise<HostedResult> {
    let step = 0;
    const news = (words: string) => progress(++step, undefined, words);
    const { result, addressOf } = await this.#access.call(this.#caller, { name, params, signal, progress: news });
    // Neither of them ran: the caller has to mend its call. What a person may not use is not told apart from what does not exist.
    if (result.error && badCalls.has(result.error.code)) throw new BadCall(result.content);
    const sources = result.metadata.sources ?? [];
    for (const [at, source] of sources.entries()) progress(step + at + 1, step + sources.length, sourceLine(source));
    return hostedResult(result, (source) => addressOf(source) ?? source.id);
  }
}

const badCalls: ReadonlySet<string> = new Set(["NOT_ENABLED", "BAD_PARAMETERS"]);
