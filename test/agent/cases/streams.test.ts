import { OpenAIModel } from "../../../src/agent/model/openai.ts";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { Secret } from "../../../src/core/secret.ts";
import type { Tool } from "../../../src/plugins/contract.ts";
import { text } from "../../../src/plugins/define.ts";
import { type RawReply, RawServer } from "../model/raw-server.ts";
import { agent, tool } from "../setup.ts";

/** Waits between attempts pass at once; all other time limits are real. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => (ms >= 300 && ms < 2_000 ? Promise.resolve() : systemClock.sleep(ms, signal)),
};

interface Sent {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** A question through the whole agent to a server that sends these bodies, one a request. */
async function run(bodies: readonly (string | RawReply)[], tools: readonly Tool[] = [], limits = {}) {
  const server = await RawServer.start(
    ...bodies.map(
      (body): RawReply =>
        typeof body === "string" ? (_req, res) => void res.writeHead(200, { "content-type": "text/event-stream" }).end(body) : body,
    ),
  );
  const model = new OpenAIModel({ baseURL: server.url, model: "m", clock, apiKey: new Secret("sk-very-secret-key-0001") });
  const made = agent({ model, tools, limits });
  const answer = await made.ask("Go.");
  server.stop();
  return { answer, events: made.events, traces: made.traces, sent: server.bodies.map(({ messages }) => messages as readonly Sent[]) };
}

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const done = "data: [DONE]\n\n";
const content = (text: string) => event({ content: text });
const end = (finish = "stop") => event({}, finish) + done;
const says = (text: string) => content(text) + end();
const fragment = (fields: object) => event({ tool_calls: [fields] });
const callOf = (id: string, name: string, args: string, index?: number) =>
  fragment({ ...(index !== undefined && { index }), id, function: { name, arguments: args } });

/** A tool that notes what it is called with. */
function noting(name: string, result = (q: string | undefined) => `result of ${name} ${q ?? ""}`) {
  const seen: unknown[] = [];
  const made = tool(name, async (params) => {
    seen.push(params);
    return text(result(params.q));
  });
  return { ...made, parameters: { type: "object", properties: {}, additionalProperties: true } as const, seen };
}
const callsIn = (messages: readonly Sent[] = []) => messages.flatMap(({ tool_calls }) => tool_calls ?? []);
const resultsIn = (messages: readonly Sent[] = []) => messages.filter(({ role }) => role === "tool");

describe("H5-LLM-02: a reply that breaks off after some text is incomplete, shown as such, and holds no secret", () => {
  const half = content("The limit is 5");
  test.each<[string, string | RawReply]>([
    [
      "an error object",
      `${half}data: ${JSON.stringify({ error: { message: "overloaded sk-very-secret-key-0001", type: "server_error" } })}\n\n`,
    ],
    ["no end", half],
    ["half a line", `${half}data: {"choices":[{"del`],
    [
      "the socket closed",
      (_req, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        res.write(half, () => res.socket?.destroy());
      },
    ],
  ])("%s", async (_how, body) => {
    const { answer, traces, events, sent } = await run([body]);
    expect(answer).toMatchObject({ status: "error", text: "The limit is 5", error: { code: "ANSWER_CUT" } });
    expect(traces[0]).toMatchObject({
      status: "error",
      entries: [{ kind: "model", finish: expect.stringMatching(/cut|bad-answer|rate-limited|unreachable/) }],
    });
    expect(JSON.stringify([traces, events])).not.toContain("sk-very");
    expect(sent).toHaveLength(1);
  });
});

describe("H5-LLM-03: calls are run whatever the end says", () => {
  test.each([
    ['the end "stop"', end("stop")],
    ["no finish_reason, then [DONE]", done],
  ])("%s", async (_how, ending) => {
    const search = noting("search");
    const { answer } = await run([content("Let me check.") + callOf("a", "search", '{"q":"1"}', 0) + ending, says("It is 5.")], [search]);
    expect(search.seen).toEqual([{ q: "1" }]);
    expect(answer).toMatchObject({ status: "answered", text: "It is 5." });
  });
});

test("H5-LLM-06: one call succeeds, one throws, one hangs: three results directly behind their calls", async () => {
  const b = tool("b", () => Promise.reject(new Error("no luck")));
  const c = tool("c", () => new Promise<never>(() => {}), { timeoutMs: 100 });
  const body = callOf("1", "a", "{}", 0) + callOf("2", "b", "{}", 1) + callOf("3", "c", "{}", 2) + end("tool_calls");
  const { sent } = await run([body, says("Done.")], [noting("a"), b, c]);
  expect(sent[1]?.slice(-4).map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual([
    ["assistant", undefined],
    ["tool", "1"],
    ["tool", "2"],
    ["tool", "3"],
  ]);
  expect(resultsIn(sent[1]).map(({ content }) => content)).toEqual([
    expect.stringContaining("result of a"),
    expect.stringContaining("no luck"),
    expect.stringContaining("TIMEOUT"),
  ]);
});

test.each([
  ["only index 1", callOf("a", "search", "{}", 1), ["a"]],
  ["indexes 0 and 3", callOf("a", "search", "{}", 0) + callOf("b", "search", '{"q":"2"}', 3), ["a", "b"]],
])("H5-LLM-09: gaps in the index make no empty calls: %s", async (_how, body, ids) => {
  const search = noting("search");
  const { sent } = await run([content("Let me look.") + body + end("tool_calls"), says("Done.")], [search]);
  expect(search.seen).toHaveLength(ids.length);
  expect(callsIn(sent[1]).map(({ id }) => id)).toEqual(ids);
  expect(callsIn(sent[1]).every(({ function: { name } }) => name === "search")).toBe(true);
});

test("H5-LLM-10: one byte at a time, CRLF, no blank after data:, a comment between: nothing is lost", async () => {
  const bytes = Buffer.from(': keep-alive\r\n\r\ndata:{"choices":[{"delta":{"content":"東京😀ñ"}}]}\r\n\r\ndata:[DONE]\r\n\r\n');
  const { answer } = await run([
    async (_req, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) {
        res.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      res.end();
    },
  ]);
  expect(answer.text).toBe("東京😀ñ");
});

test("H5-LLM-11: ids that repeat are replaced, and every call keeps its own result", async () => {
  const [search, fetchPage] = [noting("search"), noting("fetch_page")];
  const first = callOf("call_0", "search", '{"q":"x"}', 0) + callOf("call_0", "fetch_page", '{"q":"y"}', 1) + end("tool_calls");
  const second = callOf("call_0", "search", '{"q":"z"}', 0) + end("tool_calls");
  const { sent } = await run([first, second, says("Done.")], [search, fetchPage]);
  expect([search.seen, fetchPage.seen]).toEqual([[{ q: "x" }, { q: "z" }], [{ q: "y" }]]);
  const ids = callsIn(sent[2]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(resultsIn(sent[2]).map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
    [ids[0], "result of search x"],
    [ids[1], "result of fetch_page y"],
    [ids[2], "result of search z"],
  ]);
});

test("H5-LLM-12: the model is told why a tool failed, in a line without stacks, keys or addresses", async () => {
  const ticket = tool("create_ticket", () =>
    Promise.reject(new Error("quota exceeded (code 12)\n    at x (/srv/app.js:1:1) key sk-very-secret-key-0001")),
  );
  const { sent } = await run([callOf("a", "create_ticket", "{}", 0) + end("tool_calls"), says("The quota is used up.")], [ticket]);
  const [result] = resultsIn(sent[1]);
  expect(result?.content).toContain("quota exceeded (code 12)");
  expect(result?.content).not.toMatch(/app\.js|sk-very/);
});

test.each(["length", "tool_calls"])(
  "H5-LLM-13: arguments cut off before the end %j are not run, and what goes on is valid",
  async (finish) => {
    const save = noting("save_note");
    const cut = callOf("a", "save_note", '{"title":"A","body":"long te', 0) + end(finish);
    const { answer, sent } = await run([cut, says("I could not save it.")], [save]);
    expect(save.seen).toEqual([]);
    for (const { function: call } of sent.flatMap(callsIn)) expect(() => JSON.parse(call.arguments)).not.toThrow();
    if (finish === "tool_calls") {
      expect(resultsIn(sent[1])[0]?.content).toContain("not valid JSON");
      expect(answer.text).toBe("I could not save it.");
    } else expect(answer).toMatchObject({ status: "error", error: { retryable: true } });
  },
);

describe("H5-LLM-14: reasoning is not shown", () => {
  test.each([
    ["tags cut between pieces", content("<thi") + content("nk>secret plan</th") + content("ink>Answer")],
    ["only the closing tag", content("secret plan</think>Answer")],
    ["in a field of its own", event({ reasoning_content: "secret" }) + content("Answer")],
  ])("%s", async (_how, body) => {
    const { answer, events } = await run([body + end()]);
    expect(answer.text).toBe("Answer");
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("an answer about such tags stays as it is", async () => {
    expect((await run([says("Use the `<think>` tag")])).answer.text).toBe("Use the `<think>` tag");
  });
});

test("H5-LLM-15: without any index two calls stay two", async () => {
  const [search, fetchPage] = [noting("search"), noting("fetch")];
  const body =
    fragment({ id: "a", function: { name: "search", arguments: '{"q":' } }) +
    fragment({ function: { arguments: '"x"}' } }) +
    fragment({ id: "b", function: { name: "fetch", arguments: '{"u":"y"}' } });
  const { sent } = await run([body + end("tool_calls"), says("Done.")], [search, fetchPage]);
  expect([search.seen, fetchPage.seen]).toEqual([[{ q: "x" }], [{ u: "y" }]]);
  expect(callsIn(sent[1]).map(({ id }) => id)).toEqual(["a", "b"]);
});

describe("H5-LLM-16: a tool without parameters", () => {
  test.each([
    ["''", ""],
    ["blanks", "   "],
    ["null", null],
    ["'null'", "null"],
  ])("runs with {} when its arguments are %s", async (_form, args) => {
    const now = noting("now");
    await run([fragment({ index: 0, id: "a", function: { name: "now", arguments: args } }) + end("tool_calls"), says("Noon.")], [now]);
    expect(now.seen).toEqual([{}]);
  });

  test("is not run with broken arguments: the model is told", async () => {
    const now = noting("now");
    const { sent } = await run([callOf("a", "now", '{"q', 0) + end("tool_calls"), says("Noon.")], [now]);
    expect(now.seen).toEqual([]);
    expect(resultsIn(sent[1])[0]?.content).toContain("not valid JSON");
  });
});

describe("H5-LLM-18: a model that goes round in circles", () => {
  test("(a) announces calls and makes none: it ends after the first time, with a text", async () => {
    const { answer, sent } = await run([end("tool_calls")], [noting("query_documents")]);
    expect(sent).toHaveLength(1);
    expect(answer).toMatchObject({ status: "fallback", text: expect.stringMatching(/\w/) });
  });

  test("(b) makes the same call again and again: one last request without tools, and the trace counts the calls", async () => {
    const search = noting("search", () => "[]");
    const { answer, traces, sent } = await run(
      [
        (_req, res, { tool_choice }) => {
          const body = tool_choice === "none" ? says("I found nothing.") : callOf("a", "search", '{"q":"x"}', 0) + end("tool_calls");
          res.writeHead(200, { "content-type": "text/event-stream" }).end(body);
        },
      ],
      [search],
    );
    expect(answer).toMatchObject({ status: "limited", text: "I found nothing." });
    expect(search.seen).toHaveLength(2);
    expect(sent).toHaveLength(4);
    expect(traces[0]?.entries.filter(({ kind }) => kind === "tool")).toHaveLength(3);
  });
});

test("H5-LLM-19: the same tool twice in one turn runs twice, each with its own result", async () => {
  const search = noting("search");
  const body = callOf("a", "search", '{"q":"red"}', 0) + callOf("b", "search", '{"q":"blue"}', 1) + end("tool_calls");
  const { sent } = await run([body, says("Done.")], [search]);
  expect(search.seen).toEqual([{ q: "red" }, { q: "blue" }]);
  expect(resultsIn(sent[1]).map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
    ["a", "result of search red"],
    ["b", "result of search blue"],
  ]);
});
