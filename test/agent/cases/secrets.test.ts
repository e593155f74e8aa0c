import { redacted } from "../../../src/agent/redaction.ts";
import type { Logger } from "../../../src/core/logger.ts";
import { text } from "../../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, tool } from "../setup.ts";

test("H5-OPS-04: no secret of arguments, errors or pasted text is in trace, log or the answer's events; the tool gets the real ones", async () => {
  const lines: unknown[] = [];
  const note = (...line: unknown[]) => void lines.push(line);
  const log: Logger = { debug: note, info: note, warn: note, error: note, with: () => log };
  const seen: unknown[] = [];
  const fetchPage = tool(
    "fetch_page",
    async (params) => {
      seen.push(params);
      throw new Error("connect postgres://u:SECRET3-long@db/x");
    },
    { parameters: { type: "object", properties: {}, additionalProperties: true } },
  );
  const search = tool("search", async () => text("nothing"));
  const args = { url: "https://api.example/x?api_key=SECRET1-long&page=2", headers: { Authorization: "Bearer SECRET2-long" } };
  const model = new ScriptedModel(
    calls(call("fetch_page", args), call("search", { q: "what is xoxb-123456-SECRET4-long for" })),
    says("It failed."),
  );
  const { ask, events, traces } = agent({ model, tools: [fetchPage, search], log });
  await ask();
  expect(seen).toEqual([args]);
  const results = events.filter(({ type }) => type === "tool-end").map((event) => "result" in event && event.result);
  for (const kept of [traces, lines, results]) expect(JSON.stringify(kept)).not.toMatch(/SECRET\d/);
  expect(JSON.stringify(traces)).toContain("https://api.example/x?api_key=[secret]&page=2");
});

test.each([
  "What is the password policy?",
  "Where do I get an API key?",
  "basic income",
  "bearer shares",
  "How does token rotation work?",
  "key results of Q3",
])("a question about secrets stays in the trace: %s", (query) => {
  expect(redacted({ query })).toEqual({ query });
});

test.each([
  "Bearer abc123def456",
  "Authorization: Basic dXNlcjpwYXNz",
  "api_key = abcd1234",
  "postgres://me:hunter2@db/x",
  "https://x.org/?access_token=abcd&x=1",
])("a pasted secret does not: %s", (text) => {
  expect(JSON.stringify(redacted([text]))).not.toMatch(/abc123|dXNl|abcd|hunter2/);
  expect(JSON.stringify(redacted({ deep: { "x-api-key": "abcd", password: "abcd" } }))).not.toContain("abcd");
});
