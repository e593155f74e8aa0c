import { text } from "../../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, tool } from "../setup.ts";

/** Runs one call and gives what the model was told, and how often the tool ran. */
async function run(toolCall: ReturnType<typeof call>, more: Parameters<typeof tool>[2] = {}, execute = async () => text("done")) {
  let runs = 0;
  const act = tool(
    "act",
    async () => {
      runs += 1;
      return execute();
    },
    more,
  );
  const model = new ScriptedModel(calls(toolCall), says("ok"));
  const { ask, events } = agent({ model, tools: [act] });
  const answer = await ask();
  const told = model.requests[1]?.messages.find(({ role }) => role === "tool")?.content ?? "";
  const result = events.find(({ type }) => type === "tool-end");
  return { answer, told, runs, result: result?.type === "tool-end" ? result.result : undefined };
}

const strict = {
  parameters: {
    type: "object",
    properties: { n: { type: "integer", minimum: 1, description: "N." }, mode: { enum: ["a", "b"], description: "M." } },
    required: ["n"],
    additionalProperties: false,
  },
} as const;

describe("arguments", () => {
  test("that fit are passed on", async () => {
    expect(await run(call("act", { n: 2, mode: "a" }), strict)).toMatchObject({ runs: 1, told: "done" });
  });

  test.each([
    [{}, "n is missing"],
    [{ n: "2" }, "n must be integer"],
    [{ n: 0 }, "n must be >= 1"],
    [{ n: 1, mode: "c" }, 'mode must be one of ["a","b"]'],
    [{ n: 1, x: true }, "x is not a parameter"],
    [[1], "the arguments must be object"],
    ["n", "the arguments must be object"],
  ])("%j are refused, and the model is told why: %s", async (params, why) => {
    const { told, runs, result } = await run(call("act", params), strict);
    expect(runs).toBe(0);
    expect(result?.error?.code).toBe("BAD_PARAMETERS");
    expect(told).toContain(why);
  });

  test("that are no JSON are refused, never taken for none", async () => {
    const { told, runs } = await run({ id: "1", name: "act", params: undefined, invalid: '{"q' });
    expect(runs).toBe(0);
    expect(told).toContain("not valid JSON");
  });

  test.each(['{"__proto__":{"admin":true}}', '{"q":{"constructor":1}}', '{"list":[{"prototype":1}]}'])(
    "that could reach a prototype are refused: %s",
    async (json) => {
      const open = { parameters: { type: "object", properties: {} } } as const;
      expect(await run(call("act", JSON.parse(json)), open)).toMatchObject({ runs: 0, result: { error: { code: "BAD_PARAMETERS" } } });
      expect(await run(call("act", { q: "__proto__" }), open)).toMatchObject({ runs: 1 });
    },
  );
});

describe("which tools can be called", () => {
  test("one that does not exist is denied and named", async () => {
    const { runs, result, told } = await run(call("delete_everything"));
    expect(runs).toBe(0);
    expect(result).toMatchObject({ status: "denied", error: { code: "NOT_ENABLED" } });
    expect(told).toContain("delete_everything");
  });

  test("one switched off between two steps is denied in the second", async () => {
    let runs = 0;
    const act = tool("act", async () => text(`${++runs}`));
    const model = new ScriptedModel(calls(call("act", { q: "1" })), calls(call("act", { q: "2" })), says("ok"));
    const made = agent({ model, tools: [act, tool("other", async () => text("ok"))] });
    const asked = made.client.ask(
      { tenant: "t1", person: "U_ALICE", channel: "C_GENERAL", text: "q" } as never,
      { write: (event) => void (event.type === "tool-end" && made.off.add("act")) },
      new AbortController().signal,
    );
    expect((await asked).tools.map(({ status }) => status)).toEqual(["success", "denied"]);
    expect(runs).toBe(1);
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(["other"]);
  });

  test("one switched off while the model was still writing is denied in the same step", async () => {
    let runs = 0;
    const act = tool("act", async () => text(`${++runs}`));
    const made = agent({
      model: new ScriptedModel(async function* () {
        made.off.add("act");
        yield* calls(call("act"));
      }, says("ok")),
      tools: [act],
    });
    expect((await made.ask()).tools).toMatchObject([{ status: "denied" }]);
    expect(runs).toBe(0);
  });
});

describe("failures", () => {
  test("reach the model as a short reason without stack, keys and internal addresses", async () => {
    const { told, result } = await run(call("act"), {}, () => {
      throw new Error("quota exceeded (code 12) at http://bot:pw12345@10.1.2.3:8080/x with token xoxb-12345678901-abc\n  at secret.ts:1");
    });
    expect(result).toMatchObject({ status: "error", error: { code: "TOOL_FAILED" } });
    expect(told).toContain("quota exceeded");
    for (const secret of ["xoxb", "pw12345", "10.1.2.3", "secret.ts"]) expect(told).not.toContain(secret);
  });

  test("a tool that returns nonsense has failed", async () => {
    expect((await run(call("act"), {}, async () => undefined as never)).result?.error?.code).toBe("TOOL_FAILED");
  });

  test("a label that cannot be made costs nothing", async () => {
    const describeCall = () => {
      throw new Error("no");
    };
    expect((await run(call("act"), { describeCall })).runs).toBe(1);
  });
});

test("output is capped at the tool's own limit, not inside a character, and says so", async () => {
  const { result } = await run(call("act"), { outputLimit: 11 }, async () => text("0123456789🫐🫐🫐"));
  expect(result?.content).toBe("0123456789\n[cut here: 6 more characters]");
});
