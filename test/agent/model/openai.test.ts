import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelEvent, ModelMessage } from "../../../src/agent/model/model.ts";
import { OpenAIModel } from "../../../src/agent/model/openai.ts";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { Secret } from "../../../src/core/secret.ts";
import { collect, request } from "./collect.ts";

type Reply = (req: IncomingMessage, res: ServerResponse, body: Record<string, unknown>) => void;

let server: Server;
let replies: Reply[] = [];
let bodies: Record<string, unknown>[] = [];
let waits: number[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    let raw = "";
    req.on("data", (piece) => {
      raw += piece;
    });
    req.on("end", () => {
      const body = JSON.parse(raw) as Record<string, unknown>;
      bodies.push(body);
      const reply = replies[Math.min(bodies.length, replies.length) - 1];
      reply?.(req, res, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  replies = [];
  bodies = [];
  waits = [];
  silenceCounts = false;
});

/** Retries happen at once and are noted; silence counts only where a test is about it, since a busy machine is silent too. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => {
    if (ms <= LINGER || (ms <= IDLE && silenceCounts)) return systemClock.sleep(ms, signal);
    if (ms <= IDLE) return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
    waits.push(ms);
    return Promise.resolve();
  },
};
const IDLE = 150;
/** How long the end of a finished reply is waited for. */
const LINGER = 100;
let silenceCounts = false;

const model = (options: { temperature?: number } = {}) =>
  new OpenAIModel({
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: "m",
    clock,
    idleMs: IDLE,
    apiKey: new Secret("sk-very-secret-key-0001"),
    ...options,
  });
const ask = (messages?: readonly ModelMessage[], signal = new AbortController().signal) =>
  collect(model().stream(messages ? { ...request(), messages } : request(), signal));

const stream =
  (...deltas: readonly object[]): Reply =>
  (_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of deltas) res.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: null }] })}\n\n`);
    res.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
  };
const refuse =
  (status: number, message: string, headers: Record<string, string> = {}): Reply =>
  (_req, res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error: { message } }));
  };
const failureOf = (end: ModelEvent | undefined) => (end?.type === "model-error" ? end.error : undefined);
const call = (id: string, name: string, args: string, index?: number) => ({
  tool_calls: [{ ...(index !== undefined && { index }), id, function: { name, arguments: args } }],
});

describe("reading the stream", () => {
  test("bytes in single pieces with CRLF, no space after data: and comments lose nothing", async () => {
    replies = [
      async (_req, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        const text =
          ': keep-alive\r\n\r\ndata:{"choices":[{"delta":{"content":"東京😀ñ"},"finish_reason":"stop"}]}\r\n\r\ndata:[DONE]\r\n\r\n';
        for (const byte of Buffer.from(text)) {
          res.write(Buffer.from([byte]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        res.end();
      },
    ];
    const { text, end } = await ask();
    expect(text).toBe("東京😀ñ");
    expect(end?.type).toBe("model-end");
  });

  test.each([
    ["only index 1", [call("a", "search", "{}", 1)], ["a"]],
    ["indexes 0 and 3", [call("a", "search", "{}", 0), call("b", "fetch", "{}", 3)], ["a", "b"]],
  ])("gaps in the index make no empty calls: %s", async (_name, deltas, ids) => {
    replies = [stream({ content: "Let me look." }, ...deltas)];
    expect((await ask()).calls.map(({ id }) => id)).toEqual(ids);
  });

  test("calls without an index are told apart by their ids", async () => {
    replies = [
      stream(call("a", "search", '{"q":'), { tool_calls: [{ function: { arguments: '"x"}' } }] }, call("b", "fetch", '{"u":"y"}')),
    ];
    const { calls } = await ask();
    expect(calls).toEqual([
      { id: "a", name: "search", params: { q: "x" } },
      { id: "b", name: "fetch", params: { u: "y" } },
    ]);
  });

  test("an id used twice, in one reply or before in the answer, is replaced", async () => {
    replies = [stream(call("call_0", "search", "{}", 0), call("call_0", "fetch", "{}", 1))];
    const first = await ask();
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
    bodies = [];
    replies = [stream(call("call_0", "search", "{}", 0))];
    const second = await ask([{ role: "assistant", content: "", toolCalls: first.calls }]);
    expect(first.calls.map(({ id }) => id)).not.toContain(second.calls[0]?.id);
  });

  test.each(["", "   ", "null"])("arguments %j of a tool without parameters are {}", async (args) => {
    replies = [stream(call("a", "now", args, 0))];
    expect((await ask()).calls).toEqual([{ id: "a", name: "now", params: {} }]);
  });

  test("broken arguments are passed on as invalid, never as {}, and go back to the server as JSON", async () => {
    replies = [stream(call("a", "now", '{"q', 0))];
    const { calls } = await ask();
    expect(calls).toEqual([{ id: "a", name: "now", params: undefined, invalid: '{"q' }]);
    await ask([{ role: "assistant", content: "", toolCalls: calls }]);
    expect(JSON.stringify(bodies[1])).toContain('"arguments":"{}"');
  });

  test.each([
    ["tags cut between pieces", [{ content: "<thi" }, { content: "nk>secret plan</th" }, { content: "ink>Answer" }]],
    ["only the closing tag", [{ content: "secret plan</think>Answer" }]],
    ["only the closing tag, in pieces", [{ content: "secret " }, { content: "plan</thi" }, { content: "nk>Answer" }]],
    ["a field of its own", [{ reasoning_content: "secret" }, { content: "Answer" }]],
  ])("reasoning is not shown: %s", async (_name, deltas) => {
    replies = [stream(...deltas)];
    expect((await ask()).text).toBe("Answer");
  });

  test.each(["Use the `<think>` tag", "Close it with `</think>`, always", "a < b", "Say <think> or </think> in prose"])(
    "an answer about tags stays as it is: %s",
    async (content) => {
      replies = [stream({ content })];
      expect((await ask()).text).toBe(content);
    },
  );

  test("a model that never opens its reasoning is not shown early the second time", async () => {
    const one = model();
    replies = [stream({ content: "secret " }, { content: "plan</think>Answer" })];
    await collect(one.stream(request(), new AbortController().signal));
    const { events } = await collect(one.stream(request(), new AbortController().signal));
    expect(events.filter(({ type }) => type !== "model-end")).toEqual([{ type: "text-delta", text: "Answer" }]);
  });

  test("a server that has said [DONE] and keeps the connection open is not waited for", async () => {
    replies = [
      (_req, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.write('data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      },
    ];
    const { text, end } = await ask();
    expect([text, end?.type]).toEqual(["Yes.", "model-end"]);
  });

  test("the next request uses the connection of the last one", async () => {
    const sockets = new Set<unknown>();
    const slowEnd: Reply = (req, res) => {
      sockets.add(req.socket);
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write('data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      setTimeout(() => res.end(), 20);
    };
    replies = [slowEnd];
    for (let at = 0; at < 8; at++) expect((await ask()).text).toBe("Yes.");
    // A request may meet a connection that is just becoming free, on a busy machine several do; without reuse there are eight.
    expect(sockets.size).toBeLessThan(8);
  });

  test("a redirect is not followed: the key goes nowhere else", async () => {
    const asked: unknown[] = [];
    replies = [
      (req, res) => {
        asked.push(req.url);
        res.writeHead(307, { location: "/elsewhere" }).end();
      },
    ];
    expect(failureOf((await ask()).end)?.code).toBe("refused");
    expect(asked).toEqual(["/chat/completions"]);
  });

  test("a server that ignores streaming is understood", async () => {
    replies = [
      (_req, res) => {
        const body = { choices: [{ message: { content: "Whole." }, finish_reason: "stop" }] };
        res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      },
    ];
    expect((await ask()).text).toBe("Whole.");
  });
});

test("regular expressions in a tool's parameters are not sent, a parameter of that name is", async () => {
  replies = [stream({ content: "ok" })];
  const parameters = {
    type: "object" as const,
    properties: {
      day: { type: "string", pattern: "^\\d{4}$", description: "A year." },
      pattern: { type: "string", enum: ["a", "b"], default: "a" },
      list: { type: "array", items: { type: "string", pattern: "^x" } },
    },
  };
  await collect(model().stream({ ...request(), tools: [{ name: "t", description: "T.", parameters }] }, new AbortController().signal));
  expect(bodies[0]).toMatchObject({
    tools: [
      {
        function: {
          parameters: {
            type: "object",
            properties: {
              day: { type: "string", description: "A year." },
              pattern: { type: "string", enum: ["a", "b"], default: "a" },
              list: { type: "array", items: { type: "string" } },
            },
          },
        },
      },
    ],
  });
  expect(JSON.stringify(bodies[0])).not.toMatch(/\^x|\\d\{4\}/);
});

describe("failing", () => {
  const cut: Reply = (_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "The limit is 5" } }] })}\n\n`, () => res.socket?.destroy());
  };

  test("a reply that breaks off after some text is an error, not tried again", async () => {
    replies = [cut, stream({ content: "other" })];
    const { text, end } = await ask();
    expect(text).toBe("The limit is 5");
    expect(failureOf(end)?.code).toBe("cut");
    expect(bodies).toHaveLength(1);
  });

  test("a reply that breaks off before any text is tried again", async () => {
    replies = [
      (_req, res) => void res.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"cho'),
      stream({ content: "Now." }),
    ];
    expect((await ask()).text).toBe("Now.");
    expect(bodies).toHaveLength(2);
  });

  test("a reply that breaks off between two calls is tried again: nothing was shown, and nothing is run twice", async () => {
    const halfway: Reply = (_req, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      const first = { choices: [{ delta: call("a", "search", '{"q":"x"}') }] };
      const second = { choices: [{ delta: call("b", "fetch", '{"u":', 1) }] };
      res.write(`data: ${JSON.stringify(first)}\n\ndata: ${JSON.stringify(second)}\n\n`, () => res.socket?.destroy());
    };
    replies = [halfway, stream(call("a", "search", '{"q":"x"}'))];
    const { calls, end } = await ask();
    expect(calls.map(({ name }) => name)).toEqual(["search"]);
    expect(end?.type).toBe("model-end");
    expect(bodies).toHaveLength(2);
  });

  test("an overloaded server is asked twice more, after the pause it names", async () => {
    replies = [refuse(429, "slow down", { "retry-after": "3" }), refuse(503, "busy"), stream({ content: "Yes." })];
    expect((await ask()).text).toBe("Yes.");
    expect(waits[0]).toBe(3000);
    expect(bodies).toHaveLength(3);
  });

  test("after two more attempts it is given up", async () => {
    replies = [refuse(500, "broken")];
    expect(failureOf((await ask()).end)).toMatchObject({ code: "unreachable", retryable: true });
    expect(bodies).toHaveLength(3);
  });

  test.each([
    [401, "Incorrect API key provided: sk-very-secret-key-0001", "refused"],
    [400, "m does not support tools", "no-tools"],
    [400, "registry.ollama.ai/library/gemma does not support tools", "no-tools"],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "no-tools"],
    [400, "This model's maximum context length is 8192 tokens", "context-length"],
    [404, "The model m does not exist", "refused"],
  ])("status %i %j is %s, asked once, and shows no key", async (status, message, code) => {
    replies = [refuse(status, message)];
    const failure = failureOf((await ask()).end);
    expect(failure?.code).toBe(code);
    expect(failure?.message).not.toContain("sk-very");
    expect(bodies).toHaveLength(1);
  });

  test("a server that is not there is unreachable", async () => {
    const gone = new OpenAIModel({ baseURL: "http://127.0.0.1:9", model: "m", clock, idleMs: IDLE });
    const { end } = await collect(gone.stream(request(), new AbortController().signal));
    expect(failureOf(end)?.code).toBe("unreachable");
  });

  test("silence in the middle of a reply ends it", async () => {
    silenceCounts = true;
    replies = [
      (_req, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Well" } }] })}\n\n`);
      },
    ];
    expect(failureOf((await ask()).end)?.code).toBe("timeout");
  });

  test("stopping ends the request at the server too", async () => {
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      replies = [
        (_req, res) => {
          res.on("close", resolve);
          res.writeHead(200, { "content-type": "text/event-stream" }).write(": begin\n\n");
          stop.abort();
        },
      ];
    });
    expect(failureOf((await ask(undefined, stop.signal)).end)?.code).toBe("aborted");
    await closed;
  });
});

describe("parameters some servers refuse", () => {
  test.each([
    ["stream_options", "Unknown parameter: 'stream_options'."],
    ["temperature", "Unsupported value: 'temperature' does not support 0.2 with this model."],
    ["max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."],
  ])("%s is left out after one refusal, for good", async (name, message) => {
    const one = model({ temperature: 0.2 });
    replies = [(req, res, body) => (name in body ? refuse(400, message) : stream({ content: "Fine." }))(req, res, body)];
    for (const _ of [1, 2]) {
      const { text } = await collect(one.stream({ ...request(), maxOutputTokens: 100 }, new AbortController().signal));
      expect(text).toBe("Fine.");
    }
    expect(bodies.map((body) => name in body)).toEqual([true, false, false]);
  });
});
