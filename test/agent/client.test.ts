import type { ModelEvent } from "../../src/agent/model/model.ts";
import type { Choices } from "../../src/agent/ports.ts";
import type { Foreseen } from "../../src/agent/session.ts";
import { AppError } from "../../src/core/errors.ts";
import { tenantId } from "../../src/core/ids.ts";
import type { Logger } from "../../src/core/logger.ts";
import { text } from "../../src/plugins/define.ts";
import { person, place } from "../fakes/people.ts";
import { call, calls, ScriptedModel, says } from "../fakes/scripted-model.ts";
import { agent, alice, finds, general, source, tool } from "./setup.ts";

const never = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("one question, one answer", () => {
  test("tools are called, then the text arrives with the sources it cites", async () => {
    const model = new ScriptedModel(calls(call("search")), says("26 weeks", " [2]."));
    const { ask, events, ends } = agent({ model, tools: [finds("search", source("a"), source("b", { documentId: "d" as never }))] });
    const answer = await ask();
    expect(answer).toMatchObject({ status: "answered", text: "26 weeks [2].", tools: [{ name: "search", status: "success" }] });
    expect(answer.citations).toMatchObject([{ n: 2, source: { id: "b" }, url: "https://footnote.test/p/b" }]);
    expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
      "answer-start",
      "step-start",
      "tool-start",
      "tool-end",
      "step-start",
      "text-delta",
      "sources-ready",
      "answer-end",
    ]);
    expect(ends()).toHaveLength(1);
  });

  test("a remark before tool calls is taken back", async () => {
    const model = new ScriptedModel([{ type: "text-delta", text: "Let me look. " }, ...calls(call("search"))], says("Found it."));
    const { ask, events } = agent({ model, tools: [finds("search")] });
    expect((await ask()).text).toBe("Found it.");
    expect(events.some(({ type }) => type === "text-reset")).toBe(true);
  });

  test('tool calls that come with the end "stop" are run all the same', async () => {
    const model = new ScriptedModel(
      [
        { type: "tool-call", call: call("search") },
        { type: "model-end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
      ],
      says("Done."),
    );
    expect((await agent({ model, tools: [finds("search")] }).ask()).tools).toHaveLength(1);
  });
});

describe("who may ask", () => {
  const cases = [
    ["somebody unknown, as everybody is while Slack cannot say,", undefined, "PERSON_UNKNOWN", true],
    ["a deactivated account", person("alice", { deactivated: true }), "PERSON_DEACTIVATED", false],
    ["a bot", person("alice", { isBot: true }), "PERSON_IS_BOT", false],
    ["somebody of another organisation", person("alice", { role: "outsider" }), "PERSON_IS_OUTSIDER", false],
  ] as const;
  test.each(cases)("%s is refused, and no model is called", async (_who, who, code, retryable) => {
    const model = new ScriptedModel(says("Hello."));
    const { ask, ends } = agent({ model, people: who ? [who] : [] });
    expect((await ask()).error).toMatchObject({ code, retryable });
    expect(model.requests).toHaveLength(0);
    expect(ends()).toHaveLength(1);
  });

  test("a member and a guest are answered", async () => {
    for (const role of ["member", "guest"] as const) {
      const model = new ScriptedModel(says("Hello."));
      expect((await agent({ model, people: [person("alice", { role })] }).ask()).status).toBe("answered");
    }
  });

  test("a channel nobody knows is refused", async () => {
    const { error } = await agent({ model: new ScriptedModel(says("x")), places: [] }).ask();
    expect(error).toMatchObject({ code: "CHANNEL_UNKNOWN", retryable: true });
  });

  test("the audience of a tool is that of the place", async () => {
    const seen: unknown[] = [];
    const search = tool("search", async (_params, context) => {
      seen.push(context.audience.principals);
      return text("ok");
    });
    const model = () => new ScriptedModel(calls(call("search")), says("ok"));
    await agent({ model: model(), tools: [search] }).ask();
    await agent({ model: model(), tools: [search], places: [place("general", "public", { guests: "some" })] }).ask();
    expect(seen).toEqual([["channel:C_GENERAL", "everyone"], ["channel:C_GENERAL"]]);
  });
});

describe("whatever happens, exactly one end", () => {
  const broken = () => Promise.reject(new Error("connection refused to 10.0.0.7 with password hunter2"));
  test.each([
    ["the directory", { directory: { person: broken, place: broken, channelsOf: broken } }],
    ["the tool choices", { choices: { read: broken } }],
    ["the thread memory", { threads: { history: broken } }],
  ])("%s fails", async (_name, ports) => {
    const logged: unknown[] = [];
    const log: Logger = { ...noisy(logged), with: () => noisy(logged) };
    const { ask, ends, traces } = agent({ model: new ScriptedModel(says("x")), ports: ports as never, log });
    const answer = await ask({ thread: "1.0" as never });
    expect(answer.error).toEqual({ code: "INTERNAL", message: new AppError("INTERNAL").message, retryable: true });
    expect(ends()).toHaveLength(1);
    expect(traces).toMatchObject([{ status: "error", errorCode: "INTERNAL" }]);
    expect(JSON.stringify([logged, ends(), traces])).not.toContain("hunter2");
    expect(logged).toContainEqual(["An answer failed.", { code: "INTERNAL" }]);
  });

  test("a trace that cannot be saved does not cost the answer", async () => {
    const { ask } = agent({ model: new ScriptedModel(says("Fine.")), ports: { traces: { save: broken, find: async () => undefined } } });
    expect((await ask()).text).toBe("Fine.");
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("Slack is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("Slack is down"))],
  ])("a sink that %s still leaves a complete trace", async (_how, write) => {
    const { client, traces } = agent({ model: new ScriptedModel(calls(call("search")), says("Fine.")), tools: [finds("search")] });
    const question = { tenant: "t1", person: alice.id, channel: "C_GENERAL", text: "q" } as never;
    const answer = await client.ask(question, { write }, new AbortController().signal);
    expect(answer.status).toBe("answered");
    expect(traces[0]?.entries.map(({ kind }) => kind)).toEqual(["model", "tool", "model"]);
  });

  test("a model that throws against its contract leads to the quoted passages", async () => {
    const model = new ScriptedModel(() => {
      throw new Error("boom");
    });
    const answer = await agent({ model, tools: [finds("query_documents", source("a"))] }).ask();
    expect(answer).toMatchObject({ status: "fallback", citations: [{ n: 1 }] });
  });

  test("an empty question is refused without a model call", async () => {
    const model = new ScriptedModel(says("x"));
    expect((await agent({ model }).ask("  ")).error?.code).toBe("QUESTION_EMPTY");
    expect(model.requests).toHaveLength(0);
  });
});

describe("stopping", () => {
  test("ends model and tools at once and keeps what was written", async () => {
    const stop = new AbortController();
    const writing = async function* (_request: unknown, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: "So far [1]. " };
      stop.abort();
      await never(signal);
    };
    const { ask, ends } = agent({ model: new ScriptedModel(calls(call("search")), writing), tools: [finds("search", source("a"))] });
    const answer = await ask("q", stop.signal);
    expect(answer).toMatchObject({ status: "stopped", text: "So far [1]. ", citations: [{ n: 1 }] });
    expect(ends()).toEqual([{ type: "answer-stopped", text: "So far [1]. " }]);
  });

  test("reaches a running tool as a signal, and does not wait for one that ignores it", async () => {
    const stop = new AbortController();
    let told = false;
    const obedient = tool("obedient", (_params, { signal }) => {
      signal.addEventListener("abort", () => {
        told = true;
      });
      return never(signal);
    });
    const deaf = tool("deaf", () => {
      stop.abort();
      return new Promise<never>(() => {});
    });
    const { ask, traces } = agent({ model: new ScriptedModel(calls(call("obedient"), call("deaf")), says("x")), tools: [obedient, deaf] });
    expect((await ask("q", stop.signal)).status).toBe("stopped");
    expect(told).toBe(true);
    expect(traces[0]?.entries.filter(({ kind }) => kind === "tool")).toMatchObject([{ errorCode: "ABORTED" }, { errorCode: "ABORTED" }]);
  });

  test("nothing comes after the end, whatever is still running", async () => {
    const stop = new AbortController();
    let report = (_label: string) => {};
    const deaf = tool("deaf", (_params, { progress }) => {
      report = progress;
      stop.abort();
      report("while it runs");
      return new Promise<never>(() => {});
    });
    const { ask, events } = agent({ model: new ScriptedModel(calls(call("deaf"))), tools: [deaf] });
    await ask("q", stop.signal);
    report("after the end");
    expect(events.at(-1)?.type).toBe("answer-stopped");
  });

  test("before the first word ends without a model call", async () => {
    const model = new ScriptedModel(says("x"));
    expect((await agent({ model }).ask("q", AbortSignal.abort())).status).toBe("stopped");
    expect(model.requests).toHaveLength(0);
  });
});

describe("what was read ahead while it was found out whose rights hold", () => {
  /** A switch that counts how often it is looked at. */
  function counted() {
    const readings: string[] = [];
    let on = true;
    const names = new Set(["search"]);
    const none = new Set<string>();
    const choices = {
      read: async () => {
        readings.push(on ? "on" : "off");
        const switchedOff = { admin: none, channel: on ? none : names, thread: none, person: none };
        return { flags: none, settings: {}, allowed: names, leastRole: new Map(), template: names, switchedOff };
      },
    };
    const turnOff = () => {
      on = false;
    };
    return { choices, readings, turnOff };
  }
  const where = { tenant: tenantId("t1"), person: alice.id, channel: general.id };

  /** As it is read while a question is stored. */
  function foreseen(choices: Choices): Foreseen {
    const tools = choices.read(where.channel, where.person).then((read) => ({ external: [], choices: read }));
    tools.catch(() => undefined);
    return { tools, template: Promise.resolve(undefined) };
  }

  /** Asks for two calls, between which somebody turns the tool off. */
  async function answered(ahead: boolean) {
    const { choices, readings, turnOff } = counted();
    const model = new ScriptedModel(calls(call("search")), calls(call("search")), says("Done."));
    const search = tool("search", async () => {
      turnOff();
      return text("found");
    });
    const { client } = agent({ model, tools: [search], ports: { choices } });
    const known = ahead ? foreseen(choices) : undefined;
    expect(readings).toHaveLength(ahead ? 1 : 0);
    const answer = await client.ask({ ...where, text: "Well?" }, { write: () => undefined }, new AbortController().signal, known);
    return { readings, verdicts: answer.tools.map(({ status }) => status) };
  }

  test("is not read again for the first step, but from then on as ever: a switch turned meanwhile is heeded", async () => {
    const ahead = await answered(true);
    expect(ahead.verdicts).toEqual(["success", "denied"]);
    expect(ahead).toEqual(await answered(false));
  });

  test("ends the answer like any other reading when it fails", async () => {
    const down = { read: async () => Promise.reject(new AppError("DATABASE_UNREACHABLE")) };
    const { client } = agent({ model: new ScriptedModel(says("Never.")), ports: { choices: down } });
    const known = foreseen(down);
    const answer = await client.ask({ ...where, text: "Well?" }, { write: () => undefined }, new AbortController().signal, known);
    expect(answer).toMatchObject({ status: "error", error: { code: "DATABASE_UNREACHABLE" } });
  });
});

test("the trace tells every model call and tool call with its verdict and size", async () => {
  const model = new ScriptedModel(calls(call("search", { q: "leave" }), call("nothing")), says("Yes [1]."));
  const { ask, traces } = agent({ model, tools: [finds("search", source("a"))] });
  const { traceId } = await ask();
  expect(traces[0]).toMatchObject({
    id: traceId,
    status: "answered",
    inputTokens: 20,
    outputTokens: 10,
    entries: [
      { kind: "model", step: 1, model: "scripted", finish: "done" },
      { kind: "tool", step: 1, tool: "search", arguments: { q: "leave" }, verdict: "enabled", status: "success", sources: 1 },
      { kind: "tool", step: 1, tool: "nothing", status: "denied", errorCode: "NOT_ENABLED" },
      { kind: "model", step: 2 },
    ],
  });
  const entry = traces[0]?.entries[1];
  expect(entry?.kind === "tool" && entry.size).toBeGreaterThan("Passage a.".length);
});

function noisy(lines: unknown[]): Logger {
  const note = (message: string, fields?: object) => void lines.push([message, fields]);
  return { debug: note, info: note, warn: note, error: note, with: () => noisy(lines) };
}
