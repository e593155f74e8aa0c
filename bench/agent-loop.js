/**
 * What the agent costs beside a bare loop: CPU per step (one streamed model call with three tool calls, or the final text of 150
 * tokens) against fetch and a plain parse of the same streams; and the time of a step with four tools of 200 ms.
 * Run: npm run -s build && node bench/agent-loop.js [answers]   Prints one JSON object.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const STEPS = 3;
const TOKENS = 150;
const TOOLS_PER_STEP = 3;

/** The model: a tool step until `STEPS - 1` results are there, then words. In a process of its own, so that its CPU is not counted. */
function serve() {
  const chunk = (delta, finish = null) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 } })}\n\n`;
  const server = createServer((req, res) => {
    let body = "";
    req.on("data", (piece) => {
      body += piece;
    });
    req.on("end", () => {
      const { messages } = JSON.parse(body);
      const step = messages.filter(({ role }) => role === "assistant").length;
      res.writeHead(200, { "content-type": "text/event-stream" });
      if (step < STEPS - 1) {
        for (let index = 0; index < TOOLS_PER_STEP; index++) {
          const args = JSON.stringify({ query: `q${step}.${index}` });
          res.write(
            chunk({ tool_calls: [{ index, id: `c${step}_${index}`, type: "function", function: { name: "look", arguments: "" } }] }),
          );
          for (const piece of args.match(/.{1,4}/g)) res.write(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
        }
        res.end(`${chunk({}, "tool_calls")}${usage}data: [DONE]\n\n`);
      } else {
        for (let token = 0; token < TOKENS; token++) res.write(chunk({ content: token % 20 === 19 ? " [1]." : ` word${token}` }));
        res.end(`${chunk({}, "stop")}${usage}data: [DONE]\n\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  process.on("disconnect", () => process.exit());
}

async function measure(answers) {
  const child = fork(fileURLToPath(import.meta.url));
  const port = await new Promise((resolve) => child.once("message", resolve));
  const baseURL = `http://127.0.0.1:${port}`;
  const ask = await agent(baseURL);
  const bare = () => bareLoop(baseURL);
  const rounds = { agent: [], bare: [] };
  for (const run of [ask, bare]) for (let i = 0; i < 50; i++) await run();
  for (let round = 0; round < 5; round++) {
    rounds.agent.push(await cpuPerStep(ask, answers / 5));
    rounds.bare.push(await cpuPerStep(bare, answers / 5));
  }
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const result = {
    answers,
    stepsPerAnswer: STEPS,
    cpuMsPerStep: { agent: round2(median(rounds.agent)), bare: round2(median(rounds.bare)) },
    ratio: round2(median(rounds.agent) / median(rounds.bare)),
    fourToolsOf200msTakeMs: round2(await parallelStep()),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  child.disconnect();
}

const round2 = (value) => Math.round(value * 100) / 100;

async function cpuPerStep(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times / STEPS;
}

const look = (name, execute) => ({
  name,
  description: "Looks.",
  parameters: {
    type: "object",
    properties: { query: { type: "string", description: "What." } },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnly: true },
  execute,
});

const found = (id) => ({
  type: "text",
  content: "1 passage found.",
  metadata: { sources: [{ id, title: "Title", passage: "Passage. ".repeat(30), relevance: 0.5 }], count: 1 },
  status: "success",
});

/** An agent over one member in one channel, and a function that asks it one question. */
async function agentOver(model, tools) {
  const { AgentClient } = await import("../dist/src/agent/client.js");
  const { defaultLimits } = await import("../dist/src/agent/limits.js");
  const { systemClock } = await import("../dist/src/core/clock.js");
  const { silentLogger } = await import("../dist/src/core/logger.js");
  const none = new Set();
  const names = new Set(tools.map(({ name }) => name));
  const choices = {
    ...{ flags: none, settings: {}, allowed: names, leastRole: new Map(), template: names },
    switchedOff: { admin: none, channel: none, thread: none, person: none },
  };
  const ports = {
    directory: {
      person: async (id) => ({ id, name: "a", displayName: "A", role: "member", isBot: false, deactivated: false }),
      place: async (id) => ({ id, name: "c", kind: "public", guests: "none", outsiders: "none" }),
      channelsOf: async () => [],
    },
    choices: { read: async () => choices },
    threads: { history: async () => [] },
    traces: { save: async () => {} },
    links: { passage: (id) => id },
  };
  const client = new AgentClient({
    ...{ registry: { all: () => tools }, model: () => model, clock: systemClock, log: silentLogger, limits: defaultLimits },
    forTenant: () => ports,
  });
  return (write = () => {}) =>
    client.ask({ tenant: "t", person: "p", channel: "c", text: "What is it?" }, { write }, new AbortController().signal);
}

async function agent(baseURL) {
  const { OpenAIModel } = await import("../dist/src/agent/model/openai.js");
  const { systemClock } = await import("../dist/src/core/clock.js");
  const ask = await agentOver(new OpenAIModel({ baseURL, model: "m", clock: systemClock }), [
    look("look", async ({ query }) => found(query)),
  ]);
  return async () => {
    const { status } = await ask();
    if (status !== "answered") throw new Error(`The answer's status is ${status}.`);
  };
}

/** The floor: the same requests and streams with fetch and JSON.parse, no checks, no events. */
async function bareLoop(baseURL) {
  const messages = [{ role: "user", content: "What is it?" }];
  for (;;) {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", stream: true, messages }),
    });
    const calls = [];
    let text = "";
    let open = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      open += decoder.decode(bytes, { stream: true });
      const events = open.split("\n\n");
      open = events.pop();
      for (const event of events) {
        if (event === "data: [DONE]") continue;
        const { delta = {} } = JSON.parse(event.slice(6)).choices[0] ?? {};
        text += delta.content ?? "";
        for (const {
          index,
          function: { arguments: args },
        } of delta.tool_calls ?? [])
          calls[index] = (calls[index] ?? "") + args;
      }
    }
    if (calls.length === 0) return text;
    messages.push({ role: "assistant", content: text });
    for (const args of calls) messages.push({ role: "tool", content: JSON.stringify(found(JSON.parse(args).query)) });
  }
}

async function parallelStep() {
  const slow = (name) => look(name, () => new Promise((resolve) => setTimeout(() => resolve(found(name)), 200)));
  const names = ["a", "b", "c", "d"];
  const usage = { inputTokens: 0, outputTokens: 0 };
  const model = {
    name: "scripted",
    async *stream({ messages }) {
      if (messages.some(({ role }) => role === "tool")) yield { type: "text-delta", text: "Done." };
      else for (const name of names) yield { type: "tool-call", call: { id: name, name, params: { query: "q" } } };
      yield { type: "model-end", finish: "stop", usage };
    },
  };
  const times = [];
  const ask = await agentOver(model, names.map(slow));
  await ask(({ type }) => {
    if (type === "tool-start" || type === "tool-end") times.push(performance.now());
  });
  return Math.max(...times) - Math.min(...times);
}

if (process.send) serve();
else await measure(Number(process.argv[2] ?? 300));
