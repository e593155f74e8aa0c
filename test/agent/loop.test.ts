import type { ModelEvent, ModelRequest } from "../../src/agent/model/model.ts";
import type { Clock } from "../../src/core/clock.ts";
import { text } from "../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../fakes/scripted-model.ts";
import { agent, finds, source, tool } from "./setup.ts";

const toolMessages = (request: ModelRequest | undefined) => request?.messages.filter(({ role }) => role === "tool") ?? [];
const synthesis = (request: ModelRequest | undefined) => request?.toolChoice === "none";

/** A clock whose waits end when the test says so; its time moves with them. */
function handClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  let sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => new Date(now),
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: now + ms, wake: resolve });
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
    pass: async (ms) => {
      now += ms;
      const due = sleepers.filter(({ until }) => until <= now);
      sleepers = sleepers.filter(({ until }) => until > now);
      for (const { wake } of due) wake();
      await settle();
    },
  };
}

/** Lets everything that can go on without time go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("several calls in one step", () => {
  /** A tool whose calls only end when as many run at once as expected. */
  function meeting(expected: number) {
    const waiting: (() => void)[] = [];
    return tool("meet", async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === expected) for (const go of waiting) go();
      });
      return text("met");
    });
  }

  test("run at the same time, so that the step takes as long as its slowest tool", async () => {
    const model = new ScriptedModel(calls(...[1, 2, 3, 4].map((q) => call("meet", { q: `${q}` }))), says("All met."));
    expect((await agent({ model, tools: [meeting(4)] }).ask()).text).toBe("All met.");
  });

  test("run at most eight at once, the rest in turn", async () => {
    let running = 0;
    let most = 0;
    const busy = tool("busy", async () => {
      most = Math.max(most, ++running);
      await settle();
      running -= 1;
      return text("done");
    });
    const model = new ScriptedModel(calls(...Array.from({ length: 16 }, (_, q) => call("busy", { q: `${q}` }))), says("Done."));
    const { tools } = await agent({ model, tools: [busy] }).ask();
    expect(tools.filter(({ status }) => status === "success")).toHaveLength(16);
    expect(most).toBe(8);
  });

  test("64 calls in one reply: 24 run, every one gets its own result, and an answer is written", async () => {
    let runs = 0;
    const count = tool("count", async () => text(`${++runs}`));
    const model = new ScriptedModel(calls(...Array.from({ length: 64 }, (_, q) => call("count", { q: `${q}` }))), says("Counted."));
    const { ask, events } = agent({ model, tools: [count] });
    expect(await ask()).toMatchObject({ status: "limited", text: "Counted." });
    expect(runs).toBe(24);
    expect(toolMessages(model.requests[1])).toHaveLength(64);
    expect(synthesis(model.requests[1])).toBe(true);
    expect(events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("24 tool calls") });
  });

  test("the same tool twice keeps both results, in the order of the calls", async () => {
    const echo = tool("echo", async ({ q }) => {
      if (q === "red") await settle();
      return text(`result ${q}`);
    });
    const model = new ScriptedModel(calls(call("echo", { q: "red" }, "a"), call("echo", { q: "blue" }, "b")), says("ok"));
    await agent({ model, tools: [echo] }).ask();
    expect(toolMessages(model.requests[1])).toEqual([
      { role: "tool", callId: "a", name: "echo", content: "result red" },
      { role: "tool", callId: "b", name: "echo", content: "result blue" },
    ]);
  });

  test("numbers of sources follow the order of the calls, not of their finishing", async () => {
    const slow = tool("slow", async () => {
      await settle();
      return text("1 passage found.", { sources: [source("slow")] });
    });
    const model = new ScriptedModel(calls(call("slow"), call("fast")), says("Slow [1], fast [2]."));
    const { citations } = await agent({ model, tools: [slow, finds("fast", source("fast"))] }).ask();
    expect(citations.map(({ n, source }) => `${n} ${source.id}`)).toEqual(["1 slow", "2 fast"]);
  });

  test("a tool that hangs ends at its own limit, and the finished ones are used", async () => {
    const clock = handClock();
    const hung = tool("hung", () => new Promise<never>(() => {}), { timeoutMs: 2_000 });
    const model = new ScriptedModel(calls(call("hung"), call("search")), says("With what there is [1]."));
    const { ask } = agent({ model, clock, tools: [hung, finds("search", source("a"))] });
    const answering = ask();
    await settle();
    await clock.pass(1_999);
    expect(model.requests).toHaveLength(1);
    await clock.pass(1);
    const answer = await answering;
    expect(answer).toMatchObject({ status: "answered", tools: [{ status: "error", ms: 2_000 }, { status: "success" }] });
    expect(toolMessages(model.requests[1])[0]?.content).toContain("TIMEOUT");
  });

  test("what a hung tool says after its limit is dropped, before and after the end of the answer", async () => {
    const clock = handClock();
    let late = (_label: string) => {};
    let finish = (_result: ReturnType<typeof text>) => {};
    const hung = tool("hung", (_params, { progress }) => {
      late = progress;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const model = new ScriptedModel(calls(call("hung")), async function* () {
      late("too late");
      finish(text("too late", { sources: [source("late")] }));
      await settle();
      yield* says("Without it.");
    });
    const { ask, events } = agent({ model, clock, tools: [hung] });
    const answering = ask();
    await settle();
    late("still on time");
    await clock.pass(30_000);
    expect((await answering).text).toBe("Without it.");
    late("too late");
    expect(JSON.stringify(events)).toContain("still on time");
    expect(JSON.stringify(events)).not.toContain("too late");
  });
});

describe("budgets end in an answer, never in nothing", () => {
  const asksAgain = (request: ModelRequest): AsyncIterable<ModelEvent> =>
    (async function* () {
      yield* synthesis(request) ? says("What I know [1].") : calls(call("search", { q: `${request.messages.length}` }));
    })();

  test("twelve steps, then one last call without tools", async () => {
    const model = new ScriptedModel(asksAgain);
    const answer = await agent({ model, tools: [finds("search", source("a"))] }).ask();
    expect(answer).toMatchObject({ status: "limited", text: "What I know [1]." });
    expect(model.requests).toHaveLength(13);
    expect(model.requests.filter(synthesis)).toHaveLength(1);
  });

  test("the token budget", async () => {
    const model = new ScriptedModel(asksAgain);
    const { ask, events } = agent({ model, tools: [finds("search", source("a"))], limits: { inputTokens: 30 } });
    expect((await ask()).status).toBe("limited");
    expect(model.requests).toHaveLength(4);
    expect(events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("token budget") });
  });

  test("the time budget, with a model that hangs", async () => {
    const clock = handClock();
    const hangs = (request: ModelRequest): AsyncIterable<ModelEvent> =>
      (async function* () {
        if (synthesis(request)) yield* says("In short: yes [1].");
        else if (toolMessages(request).length === 0) yield* calls(call("search"));
        else await new Promise(() => {});
      })();
    const { ask } = agent({ model: new ScriptedModel(hangs), clock, tools: [finds("search", source("a"))] });
    const answering = ask();
    await settle();
    await clock.pass(180_000);
    expect(await answering).toMatchObject({ status: "limited", text: "In short: yes [1]." });
  });

  test("a model that hangs even at the end: the passages are quoted", async () => {
    const clock = handClock();
    const hangs = (request: ModelRequest): AsyncIterable<ModelEvent> =>
      (async function* () {
        if (toolMessages(request).length === 0) yield* calls(call("search"));
        else await new Promise(() => {});
      })();
    const { ask } = agent({ model: new ScriptedModel(hangs), clock, tools: [finds("search", source("a"))] });
    const answering = ask();
    await settle();
    await clock.pass(180_000);
    await clock.pass(60_000);
    expect(await answering).toMatchObject({ status: "fallback", text: expect.stringContaining("Passage a.") });
  });

  test("a tool that was granted more time extends the answer's own", async () => {
    const clock = handClock();
    const long = tool(
      "long",
      async (_params, { clock, signal }) => {
        await clock.sleep(290_000, signal);
        return text("at last");
      },
      { timeoutMs: 300_000 },
    );
    const { ask } = agent({ model: new ScriptedModel(calls(call("long")), says("Done.")), clock, tools: [long] });
    const answering = ask();
    await settle();
    await clock.pass(290_000);
    expect(await answering).toMatchObject({ status: "answered", tools: [{ status: "success" }] });
  });

  test("the same call three times: it is run twice, then the answer is written", async () => {
    let runs = 0;
    const search = tool("search", async () => text(`nothing ${++runs}`));
    const same = (request: ModelRequest): AsyncIterable<ModelEvent> =>
      (async function* () {
        yield* synthesis(request) ? says("Nothing there.") : calls(call("search", { q: "x" }));
      })();
    const { ask, traces } = agent({ model: new ScriptedModel(same), tools: [search] });
    expect(await ask()).toMatchObject({ status: "limited", text: "Nothing there." });
    expect(runs).toBe(2);
    expect(traces[0]?.entries.filter(({ kind }) => kind === "tool")).toHaveLength(3);
  });

  test("an endless text is cut, and says so", async () => {
    const endless = async function* (): AsyncGenerator<ModelEvent> {
      for (;;) yield { type: "text-delta", text: "and so on 🫐 " };
    };
    const { ask, events } = agent({ model: new ScriptedModel(endless) });
    const answer = await ask();
    expect(answer.status).toBe("limited");
    expect(answer.text.length).toBeLessThanOrEqual(12_000);
    expect(answer.text).not.toMatch(/\p{Surrogate}/u);
    expect(events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("12000") });
  });

  test("a result of 50 MB reaches the model cut, with a visible marker", async () => {
    const huge = tool("huge", async () => text("x".repeat(50_000_000)));
    const model = new ScriptedModel(calls(call("huge")), says("Big."));
    await agent({ model, tools: [huge] }).ask();
    const content = toolMessages(model.requests[1])[0]?.content ?? "";
    expect(content.length).toBeLessThan(66_000);
    expect(content).toContain("[cut here: ");
  });
});

describe("a model that does not answer", () => {
  const error = (code: "unreachable" | "no-tools" | "cut" | "refused"): readonly ModelEvent[] => [
    { type: "model-error", error: { code, message: "no", retryable: false } },
  ];
  const found = finds("query_documents", source("a", { passage: "26 weeks [7] for `both`.", page: 2 }), source("b", { relevance: 0.9 }));

  test.each(["unreachable", "no-tools", "refused"] as const)(
    "%s: the documents are searched and quoted, and the answer says so",
    async (code) => {
      const { ask, events } = agent({ model: new ScriptedModel(error(code)), tools: [found] });
      const answer = await ask("How long is parental leave?");
      expect(answer).toMatchObject({ status: "fallback", tools: [{ name: "query_documents", status: "success" }] });
      expect(answer.citations.map(({ n }) => n)).toEqual([1, 2]);
      expect(answer.text).toContain("[1] Title a, page 2\n> 26 weeks (7) for 'both'.");
      expect(events.find(({ type }) => type === "notice")).toMatchObject({ text: expect.stringContaining("quoted instead") });
    },
  );

  test("the fallback respects what is switched off: without the search there is an error with a retry", async () => {
    const { ask, off } = agent({ model: new ScriptedModel(error("unreachable")), tools: [found] });
    off.add("query_documents");
    expect(await ask()).toMatchObject({ status: "error", error: { code: "MODEL_FAILED", retryable: true }, tools: [] });
  });

  test("when the search fails too, nothing is claimed about the documents", async () => {
    const broken = tool("query_documents", () => Promise.reject(new Error("index down")));
    expect((await agent({ model: new ScriptedModel(error("unreachable")), tools: [broken] }).ask()).status).toBe("error");
  });

  test("a reply that breaks off after some text stays visible and is marked as incomplete", async () => {
    const model = new ScriptedModel([{ type: "text-delta", text: "The limit is 5" }, ...error("cut")]);
    const { ask, traces } = agent({ model });
    expect(await ask()).toMatchObject({ status: "error", text: "The limit is 5", error: { code: "ANSWER_CUT", retryable: true } });
    expect(traces[0]?.entries).toMatchObject([{ kind: "model", finish: "cut" }]);
  });

  test("a stream that just stops is not taken for complete, and its calls are not run", async () => {
    let runs = 0;
    const act = tool("act", async () => text(`${++runs}`));
    const { ask } = agent({ model: new ScriptedModel([{ type: "tool-call", call: call("act") }]), tools: [act] });
    expect((await ask()).status).toBe("error");
    expect(runs).toBe(0);
  });

  test("silence after tools is asked once for words, then the passages are quoted", async () => {
    const model = new ScriptedModel(calls(call("query_documents")), says(""));
    const answer = await agent({ model, tools: [found] }).ask();
    expect(model.requests).toHaveLength(3);
    expect(answer).toMatchObject({ status: "fallback", text: expect.stringContaining("Passage b.") });
  });

  test("silence, then words when asked: those are the answer", async () => {
    const model = new ScriptedModel(calls(call("query_documents")), says(""), says("26 weeks [1]."));
    expect(await agent({ model, tools: [found] }).ask()).toMatchObject({ status: "answered", text: "26 weeks [1]." });
  });

  test("a reply that announces calls and has none is not asked for again", async () => {
    const model = new ScriptedModel([{ type: "model-end", finish: "tool-calls", usage: { inputTokens: 1, outputTokens: 0 } }]);
    expect((await agent({ model, tools: [found] }).ask()).status).toBe("fallback");
    expect(model.requests).toHaveLength(1);
  });

  test("reasoning that slipped out is taken back", async () => {
    const model = new ScriptedModel([{ type: "text-delta", text: "secret plan" }, { type: "text-reset" }, ...says("Answer.")]);
    expect((await agent({ model }).ask()).text).toBe("Answer.");
  });
});

describe("what the model is sent", () => {
  test("is the same on every run, whatever the order of the registry", async () => {
    const prompts = new Set<string>();
    for (const names of [
      ["b", "a", "c"],
      ["c", "b", "a"],
    ]) {
      const model = new ScriptedModel(says("ok"));
      await agent({ model, tools: names.map((name) => finds(name)), clock: handClock() }).ask();
      prompts.add(JSON.stringify(model.requests[0]));
    }
    expect(prompts.size).toBe(1);
  });

  test("every call is directly followed by its own result", async () => {
    const model = new ScriptedModel(calls(call("a", {}, "1"), call("broken", {}, "2"), call("none", {}, "3")), says("ok"));
    await agent({ model, tools: [finds("a"), tool("broken", () => Promise.reject(new Error("no")))] }).ask();
    expect(model.requests[1]?.messages.map((message) => (message.role === "tool" ? message.callId : message.role))).toEqual([
      "user",
      "assistant",
      "1",
      "2",
      "3",
    ]);
  });

  test("a search side that was down is told to the model and to people, once", async () => {
    const half = tool("query_documents", async () => text("1 passage found.", { notices: ["Full text was not searched."] }));
    const model = new ScriptedModel(calls(call("query_documents", { q: "1" }), call("query_documents", { q: "2" })), says("ok"));
    const { ask, events } = agent({ model, tools: [half] });
    await ask();
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
    expect(toolMessages(model.requests[1])[0]?.content).toContain("Note: Full text was not searched.");
  });
});
