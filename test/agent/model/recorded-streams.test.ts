import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { OpenAIModel } from "../../../src/agent/model/openai.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { collect, request } from "./collect.ts";

interface Expected {
  readonly content?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string; readonly id?: string }[];
  readonly finish?: string;
  readonly actAs?: string;
  readonly error?: string;
  readonly refusal?: string;
  readonly usage?: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly echoBack?: Readonly<Record<string, unknown>>;
}

interface RecordedCase {
  readonly id: string;
  readonly note: string;
  readonly expect: Expected;
}

const shared = process.env.FOOTNOTE_SHARED ?? join(import.meta.dirname, "../../../../shared");
const recordings = join(shared, "data/llm-streams/server.mjs");
const finishes: Readonly<Record<string, string>> = { tool_calls: "tool-calls", content_filter: "filtered" };

if (!existsSync(recordings)) {
  // Said in the test's name, so that it is seen in the report.
  test("recorded streams: not run, because FOOTNOTE_SHARED does not lead to them", () => expect(existsSync(recordings)).toBe(false));
} else {
  const { start } = (await import(pathToFileURL(recordings).href)) as {
    start(): Promise<{ port: number; cases: readonly RecordedCase[]; close(): void }>;
  };
  const server = await start();
  afterAll(() => server.close());

  test.each(server.cases)("$id: $note", async ({ id, expect: expected }) => {
    const model = new OpenAIModel({
      baseURL: `http://127.0.0.1:${server.port}/${id}`,
      model: "m",
      clock: { ...systemClock, sleep: noWait },
    });
    const { text, calls, end } = await collect(model.stream(request(), new AbortController().signal));
    expect(text).toBe(expected.refusal ?? expected.content ?? "");
    const wantedCalls = expected.tool_calls ?? [];
    expect(calls.map(({ name, params }) => ({ name, params }))).toEqual(
      wantedCalls.map(({ name, arguments: args }) => ({ name, params: JSON.parse(args) })),
    );
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
    for (const [at, { id: wanted }] of wantedCalls.entries()) if (wanted) expect(calls[at]?.id).toBe(wanted);
    if (expected.error) {
      expect(end?.type).toBe("model-error");
      expect(end?.type === "model-error" && `${end.error.code} ${end.error.message}`).toContain(errorText(expected.error));
      return;
    }
    const finish = expected.actAs ?? expected.finish ?? "";
    expect(end).toMatchObject({ type: "model-end", finish: finishes[finish] ?? finish });
    if (expected.usage && end?.type === "model-end")
      expect(end.usage).toEqual({
        inputTokens: expected.usage.prompt_tokens,
        outputTokens: expected.usage.total_tokens - expected.usage.prompt_tokens,
      });
    if (expected.echoBack) expect(await nextRequest(model, calls)).toMatchObject(echoed(expected.echoBack));
  });

  /** What the adapter sends when the conversation goes on: caught by a server of its own. */
  async function nextRequest(model: OpenAIModel, calls: Awaited<ReturnType<typeof collect>>["calls"]): Promise<unknown> {
    let body = "";
    const catcher: Server = createServer((req, res) => {
      req.on("data", (piece) => {
        body += piece;
      });
      req.on("end", () => res.writeHead(200, { "content-type": "text/event-stream" }).end("data: [DONE]\n\n"));
    });
    await new Promise<void>((resolve) => catcher.listen(0, "127.0.0.1", resolve));
    const { port } = catcher.address() as AddressInfo;
    const next = new OpenAIModel({ baseURL: `http://127.0.0.1:${port}`, model: model.name, clock: systemClock });
    const results = calls.map(({ id, name }) => ({ role: "tool", callId: id, name, content: "ok" }) as const);
    const messages = [{ role: "assistant", content: "", toolCalls: calls } as const, ...results];
    await collect(next.stream({ ...request(), messages }, new AbortController().signal));
    catcher.close();
    return (JSON.parse(body) as { messages: readonly unknown[] }).messages[1];
  }
}

/** Waits of a real retry would only make the test slow; silence is never reached in these streams. */
function noWait(ms: number, signal?: AbortSignal): Promise<void> {
  return ms >= 10_000 ? systemClock.sleep(ms, signal) : Promise.resolve();
}

/** Words the recordings use for two errors that have a code of ours. */
const errorText = (error: string): string => ({ tool_use_failed: "bad-answer", incomplete: "incomplete" })[error] ?? error;

function echoed(wanted: Readonly<Record<string, unknown>>): object {
  const extra = wanted["tool_calls[0].extra_content"];
  return extra === undefined ? wanted : { tool_calls: [{ extra_content: extra }] };
}
