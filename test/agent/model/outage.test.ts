import { FallbackModel } from "../../../src/agent/model/fallback-model.ts";
import type { Model, ModelEvent, ModelFailure } from "../../../src/agent/model/model.ts";
import { OpenAIModel } from "../../../src/agent/model/openai.ts";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { says } from "../../fakes/scripted-model.ts";
import { collect, request } from "./collect.ts";
import { type RawReply, RawServer, refused, streamed } from "./raw-server.ts";

const servers: RawServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});
async function serve(...replies: readonly RawReply[]): Promise<RawServer> {
  const server = await RawServer.start(...replies);
  servers.push(server);
  return server;
}

/** Time that the test moves; waits between attempts pass at once and are noted. The limit on silence never ends. */
function handClock() {
  const made = {
    time: 0,
    waits: [] as number[],
    now: () => new Date(made.time),
    monotonic: () => made.time,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      // How long the end of a reply is waited for.
      if (ms <= 100) return systemClock.sleep(ms, signal);
      if (ms >= 60_000)
        return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
      made.waits.push(ms);
      made.time += ms;
      return Promise.resolve();
    },
  };
  return made satisfies Clock;
}

const never = new AbortController().signal;
const ask = async (model: Model, signal = never) => collect(model.stream(request(), signal));
const code = (end: ModelEvent | undefined) => (end?.type === "model-error" ? end.error.code : end?.type);
const fine = streamed({ content: "Fine." });
const named = (server: RawServer, clock: Clock, model = "m") => new OpenAIModel({ baseURL: server.url, model, clock });

describe("a server that is down (F15)", () => {
  test("after five failures in a row it is not asked for half a minute: answers fail at once instead of waiting", async () => {
    const clock = handClock();
    const server = await serve(refused(503, "down"));
    const model = named(server, clock);
    for (const _ of [1, 2]) expect(code((await ask(model)).end)).toBe("unreachable");
    expect(server.bodies).toHaveLength(5);
    clock.waits = [];
    expect(code((await ask(model)).end)).toBe("unreachable");
    expect(server.bodies).toHaveLength(5);
    expect(clock.waits).toEqual([]);
  });

  test("after half a minute one request may try; while it does, the others still fail at once", async () => {
    const clock = handClock();
    const server = await serve(refused(503, "down"));
    const model = named(server, clock);
    for (const _ of [1, 2]) await ask(model);
    clock.time += 30_000;
    let release = () => {};
    server.replies = [
      (req, res, body) => {
        release = () => fine(req, res, body);
      },
    ];
    const trying = ask(model);
    while (server.bodies.length < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(code((await ask(model)).end)).toBe("unreachable");
    release();
    expect((await trying).text).toBe("Fine.");
    server.replies = [fine];
    expect((await ask(model)).text).toBe("Fine.");
    expect(server.bodies).toHaveLength(7);
  });

  test("when that request fails too, the half minute begins again", async () => {
    const clock = handClock();
    const server = await serve(refused(503, "down"));
    const model = named(server, clock);
    for (const _ of [1, 2]) await ask(model);
    clock.time += 30_000;
    await ask(model);
    expect(server.bodies).toHaveLength(6);
    clock.time += 29_000;
    await ask(model);
    expect(server.bodies).toHaveLength(6);
  });

  test("a try that the asker stops decides nothing: the next answer may try", async () => {
    const clock = handClock();
    const server = await serve(refused(503, "down"));
    const model = named(server, clock);
    for (const _ of [1, 2]) await ask(model);
    clock.time += 30_000;
    const stop = new AbortController();
    server.replies = [() => stop.abort()];
    expect(code((await ask(model, stop.signal)).end)).toBe("aborted");
    server.replies = [fine];
    expect((await ask(model)).text).toBe("Fine.");
  });

  test("refusals and rate limits come from a server that lives: it goes on being asked", async () => {
    const server = await serve(refused(401, "no"), refused(429, "slow", { "retry-after": "99" }));
    const model = named(server, handClock());
    for (let at = 0; at < 9; at++) await ask(model);
    expect(server.bodies).toHaveLength(9);
  });

  test("an answer in between ends the row", async () => {
    const down = refused(503, "down");
    const server = await serve(down, down, down, fine, down, down, down, fine);
    const model = named(server, handClock());
    for (const expected of ["unreachable", "model-end", "unreachable", "model-end"]) expect(code((await ask(model)).end)).toBe(expected);
  });
});

describe("pauses between attempts", () => {
  test("grow, and differ from answer to answer", async () => {
    const firsts = new Set<number>();
    for (let at = 0; at < 5; at++) {
      const clock = handClock();
      const server = await serve(refused(503, "down"));
      await ask(named(server, clock));
      expect(clock.waits).toHaveLength(2);
      const [first = 0, second = 0] = clock.waits;
      expect(first).toBeGreaterThanOrEqual(375);
      expect(first).toBeLessThanOrEqual(625);
      expect(second).toBeGreaterThan(first);
      firsts.add(first);
    }
    expect(firsts.size).toBeGreaterThan(1);
  });

  test.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["milliseconds", { "retry-after-ms": "1500" }, 1_500],
    ["a date", { "retry-after": new Date(9_000).toUTCString() }, 9_000],
  ])("follow the server's wish in %s", async (_form, headers: Record<string, string>, wait) => {
    const clock = handClock();
    const server = await serve(refused(429, "slow down", headers), fine);
    expect((await ask(named(server, clock))).text).toBe("Fine.");
    expect(clock.waits).toEqual([wait]);
  });

  test("longer than a person waits are not made", async () => {
    const clock = handClock();
    const server = await serve(refused(429, "slow down", { "retry-after": "15" }));
    expect(code((await ask(named(server, clock))).end)).toBe("rate-limited");
    expect(clock.waits).toEqual([15_000]);
  });
});

describe("a fallback model", () => {
  test("answers when the first model's server is down, and the reply says who wrote it", async () => {
    const clock = handClock();
    const [first, second] = [await serve(refused(503, "down")), await serve(fine)];
    const model = new FallbackModel(named(first, clock), named(second, clock, "spare"), silentLogger);
    const { text, end } = await ask(model);
    expect([text, end]).toMatchObject(["Fine.", { type: "model-end", model: "spare" }]);
    expect(second.bodies[0]).toMatchObject({ model: "spare" });
  });

  test("answers at once while the first is known to be down", async () => {
    const clock = handClock();
    const [first, second] = [await serve(refused(503, "down")), await serve(fine)];
    const model = new FallbackModel(named(first, clock), named(second, clock, "spare"), silentLogger);
    for (const _ of [1, 2]) await ask(model);
    clock.waits = [];
    expect((await ask(model)).text).toBe("Fine.");
    expect(clock.waits).toEqual([]);
    expect(first.bodies).toHaveLength(5);
  });

  const failing = (failure: Partial<ModelFailure>, ...before: readonly ModelEvent[]): Model => ({
    name: "first",
    async *stream() {
      yield* before;
      yield { type: "model-error", error: { code: "unreachable", message: "x", retryable: false, ...failure } };
    },
  });
  const spare: Model = {
    name: "spare",
    stream: async function* () {
      yield* says("From the spare.");
    },
  };

  test.each(["unreachable", "rate-limited", "refused", "no-tools", "cut", "timeout", "bad-answer"] as const)(
    "is asked after %s",
    async (code) => {
      expect((await ask(new FallbackModel(failing({ code }), spare, silentLogger))).text).toBe("From the spare.");
    },
  );

  test.each(["aborted", "context-length"] as const)("is not asked after %s, which it would not mend", async (reason) => {
    expect(code((await ask(new FallbackModel(failing({ code: reason }), spare, silentLogger))).end)).toBe(reason);
  });

  test("never continues what another model has begun", async () => {
    const begun = failing({ code: "cut" }, { type: "text-delta", text: "The limit is 5" });
    const { text, end } = await ask(new FallbackModel(begun, spare, silentLogger));
    expect([text, code(end)]).toEqual(["The limit is 5", "cut"]);
  });

  test("is not needed while the first answers", async () => {
    const first: Model = {
      name: "first",
      stream: async function* () {
        yield* says("From the first.");
      },
    };
    const { text, end } = await ask(new FallbackModel(first, spare, silentLogger));
    expect(text).toBe("From the first.");
    expect(end).not.toHaveProperty("model");
  });

  test("is not sent what only the first model understands", async () => {
    const call = { tool_calls: [{ index: 0, id: "a", function: { name: "now", arguments: "{}" }, extra_content: { signature: "s" } }] };
    const server = await serve(streamed({ reasoning_content: "secret thought" }, call), fine);
    const { calls } = await ask(named(server, systemClock));
    const going = { ...request(), messages: [{ role: "assistant", content: "", toolCalls: calls } as const] };
    for (const name of ["spare", "m"]) await collect(named(server, systemClock, name).stream(going, never));
    expect(JSON.stringify(server.bodies[1])).not.toMatch(/secret thought|signature/);
    expect(JSON.stringify(server.bodies[2])).toMatch(/secret thought.*signature|signature.*secret thought/);
  });
});

describe("parameters some servers refuse", () => {
  test("are remembered for the model that refused them, not for another one", async () => {
    const server = await serve((req, res, body) => {
      const strict = body.model === "strict" && "temperature" in body;
      (strict ? refused(400, "Unsupported value: 'temperature'.") : fine)(req, res, body);
    });
    const make = (model: string) => new OpenAIModel({ baseURL: server.url, model, clock: systemClock, temperature: 0.2 });
    const [strict, lenient] = [make("strict"), make("lenient")];
    for (const model of [strict, strict, lenient]) expect((await ask(model)).text).toBe("Fine.");
    expect(server.bodies.map((body) => "temperature" in body)).toEqual([true, false, false, true]);
  });

  test("two answers that learn the same at the same moment both come through", async () => {
    const server = await serve((req, res, body) =>
      ("stream_options" in body ? refused(400, "Unknown parameter: 'stream_options'.") : fine)(req, res, body),
    );
    const model = named(server, systemClock);
    const both = await Promise.all([ask(model), ask(model)]);
    expect(both.map(({ text }) => text)).toEqual(["Fine.", "Fine."]);
  });

  test("a server that goes on refusing what is no longer sent is not asked for ever", async () => {
    const server = await serve(refused(400, "Use 'max_completion_tokens' and 'stream_options' rightly."));
    const { end } = await collect(named(server, systemClock).stream({ ...request(), maxOutputTokens: 100 }, never));
    expect(code(end)).toBe("refused");
    expect(server.bodies.length).toBeLessThanOrEqual(4);
  });

  test("a length limit that is too large for the model is left out", async () => {
    const server = await serve((req, res, body) =>
      ("max_tokens" in body ? refused(400, "max_tokens is too large: 8000. This model supports at most 4096 output tokens.") : fine)(
        req,
        res,
        body,
      ),
    );
    const { text } = await collect(named(server, systemClock).stream({ ...request(), maxOutputTokens: 8000 }, never));
    expect(text).toBe("Fine.");
  });
});

describe("a request that does not fit", () => {
  test.each([
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (1001 in the messages, 8000 in the completion).",
      8192,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4,096 tokens and your request has 1000 input tokens.",
      4096,
    ],
    ["the request exceeds the available context size (2048 tokens), try increasing it", 2048],
    [
      "Trying to keep the first 5000 tokens when context overflows. However, the model is loaded with context length of only 4096 tokens",
      4096,
    ],
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768],
    ["Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 9000", 6000],
    ["Input is too long for requested model.", undefined],
  ])("%s", async (message, contextTokens) => {
    const server = await serve(refused(400, message));
    const model = named(server, systemClock);
    const { end } = await collect(model.stream({ ...request(), maxOutputTokens: 8000 }, never));
    expect(end).toMatchObject({ type: "model-error", error: { code: "context-length" } });
    expect(end?.type === "model-error" && end.error.contextTokens).toBe(contextTokens);
    expect(model.contextTokens).toBe(contextTokens);
    expect(server.bodies).toHaveLength(1);
  });
});
