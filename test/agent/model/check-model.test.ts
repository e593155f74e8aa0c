import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import { checkModel } from "../../../src/agent/model/check-model.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { Secret } from "../../../src/core/secret.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

// Not in a shape by which secrets are known.
const key = "opaque-canary-0123456789";
const call = [{ index: 0, id: "c", type: "function", function: { name: "ping", arguments: "{}" } }];
const events = (...choices: unknown[]) =>
  [...choices.map((delta) => JSON.stringify({ choices: [{ delta }] })), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");

/** Checks a server that answers everything in one way. */
async function check(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const asked: { headers: IncomingMessage["headers"]; body: unknown; url: string | undefined }[] = [];
  server = createServer(async (request, response) => {
    asked.push({ headers: request.headers, body: await json(request), url: request.url });
    answer(response, request);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { asked, result: await checkModel("Model", { name: "small", baseUrl, apiKey: new Secret(key) }, systemClock) };
}
const streaming = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { "Content-Type": "text/event-stream" }).end(text);
const whole = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

test("a model that streams and calls tools is fine, asked once, as the agent asks", async () => {
  const { result, asked } = await check(streaming(events({ role: "assistant" }, { tool_calls: call })));
  expect(result).toMatchObject({
    name: "Model",
    status: "ok",
    summary: expect.stringMatching(/^small answers in [\d.]+ s, streams and calls tools\.$/),
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    url: "/v1/chat/completions",
    headers: { authorization: `Bearer ${key}` },
    body: { model: "small", stream: true },
  });
});

test.each([
  ["does not call the tool", streaming(events({ content: "pong" })), "did not call the tool"],
  ["answers in one piece", whole(200, { choices: [{ message: { tool_calls: call } }] }), "come in one piece"],
  ["does not support tools", whole(400, { error: { message: "small does not support tools" } }), "cannot call tools"],
  ["is over its limit", whole(429, { error: { message: "Rate limit reached" } }), "takes no requests at this moment"],
  [
    "says inside the stream that it supports no tools",
    streaming(`data: ${JSON.stringify({ error: { message: "tools are not supported" } })}\n\n`),
    "cannot call tools",
  ],
])("a model that %s works less well, and it is said how", async (_, answer, said) => {
  const { result } = await check(answer);
  expect(result).toMatchObject({ status: "warning", summary: expect.stringContaining(said), mend: expect.any(String) });
});

test.each([
  ["refuses the key, which it repeats", whole(401, { error: { message: `The key ${key} is wrong` } }), "refuses requests"],
  ["does not know the model", whole(404, { error: { message: "The model small does not exist" } }), "The model small does not exist"],
  ["is broken", whole(500, { error: { message: "oops" } }), "cannot be reached"],
  ["hangs up", (response: ServerResponse) => void response.destroy(), "There is no answer at its address."],
])("a server that %s has failed, and the key is not shown", async (_, answer, said) => {
  const { result } = await check(answer);
  expect(result).toMatchObject({
    status: "failed",
    summary: expect.stringContaining(said),
    mend: expect.stringContaining("OPENAI_BASE_URL"),
  });
  expect(JSON.stringify(result)).not.toContain("canary");
});

test("nobody at the address is a failure too", async () => {
  expect(await checkModel("Model", { name: "small", baseUrl: "http://127.0.0.1:1/v1" }, systemClock)).toMatchObject({ status: "failed" });
});
