import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Answer } from "../../../src/agent/client.ts";
import type { AnswerSink } from "../../../src/agent/events.ts";
import type { Question } from "../../../src/agent/ports.ts";
import { makeKey } from "../../../src/api/api-keys.ts";
import { AskDoor } from "../../../src/api/ask/ask-door.ts";
import { type HttpServer, startHttpServer } from "../../../src/api/http-server.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { newId, tenantId, traceId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { memoryKeys } from "../../fakes/memory-keys.ts";
import { person, place } from "../../fakes/people.ts";

const [acme, globex] = [tenantId(newId()), tenantId(newId())];
const [alice, bob] = [person("alice"), person("bob")];
const [general, board] = [place("general", "public"), place("board", "private")];
const trace = traceId(newId());
const answered: Answer = {
  status: "answered",
  text: "Eighteen weeks [1].",
  citations: [{ n: 1, url: "https://bot/sources/x", source: { id: "s", title: "Handbook", passage: "18 weeks.", page: 2, relevance: 1 } }],
  tools: [{ name: "query_documents", status: "success", ms: 1.6 }],
  traceId: trace,
};

let server: HttpServer | undefined;
afterEach(() => server?.close());

type Ask = (question: Question, sink: AnswerSink, signal: AbortSignal) => Promise<Answer>;

/** The door on a port of its own, with an agent from a script. */
async function open({
  ask = async () => answered,
  atOnce = 2,
  tenantAnswers = 8,
}: {
  ask?: Ask;
  atOnce?: number;
  tenantAnswers?: number;
} = {}) {
  const asked: Question[] = [];
  const keysOf = memoryKeys();
  const directory = new MemoryDirectory([alice, bob], [general, board], new Map([[board.id, [alice.id]]]));
  const door = new AskDoor({
    agent: {
      ask: (question, sink, signal) => {
        asked.push(question);
        return ask(question, sink, signal);
      },
    },
    keysOf,
    directory: async (tenant) => {
      if (tenant !== acme) throw new AppError("WORKSPACE_UNKNOWN");
      return directory;
    },
    limits: { perMinute: 10, atOnce, tenantAnswers, processAnswers: 64 },
    publicUrl: () => server?.url ?? "",
    clock: systemClock,
    log: silentLogger,
  });
  server = await startHttpServer(door.routes, { host: "127.0.0.1", port: 0, log: silentLogger });
  const url = `${server.url}/api/ask`;
  const keyOf = async (who = bob, tenant = acme) => {
    const { id, text, secretHash } = makeKey(tenant);
    await keysOf(tenant).add({ id, person: who.id, name: "laptop", secretHash, audience: "api" });
    return { id, key: text.reveal() };
  };
  const post = async (key: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  return { door, url, asked, keysOf, keyOf, post };
}

describe("a question over HTTP", () => {
  test("is asked in the key holder's name, and the answer is one JSON object", async () => {
    const { keyOf, post, asked } = await open();
    const { key } = await keyOf();
    const reply = await post(key, { question: " leave? ", channel: "general", thread: "1719282819.000100" });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(reply.json()).toEqual({
      status: "answered",
      answer: "Eighteen weeks [1].",
      citations: [{ n: 1, title: "Handbook", page: 2, url: "https://bot/sources/x", quote: "18 weeks." }],
      tools: [{ name: "query_documents", status: "success", ms: 2 }],
      traceId: trace,
    });
    expect(asked).toEqual([{ tenant: acme, person: bob.id, channel: general.id, thread: "1719282819.000100", text: "leave?" }]);
  });

  test("goes to the person's direct message without a channel, and takes a channel by its id too", async () => {
    const { keyOf, post, asked } = await open();
    const { key } = await keyOf();
    await post(key, { question: "leave?" });
    await post(key, { question: "leave?", channel: general.id });
    expect(asked.map(({ channel }) => channel)).toEqual([`C_DM_${bob.id}`, general.id]);
  });

  test("never reaches a channel its person is not in, which looks like one that does not exist; somebody who is in it asks there", async () => {
    const { keyOf, post, asked } = await open();
    const { key } = await keyOf(bob);
    const refusals = [];
    for (const channel of ["board", board.id, "nowhere", `C_DM_${alice.id}`]) refusals.push(await post(key, { question: "?", channel }));
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect(asked).toEqual([]);
    expect((await post((await keyOf(alice)).key, { question: "?", channel: "board" })).status).toBe(200);
  });

  test("is refused in the same words for every key that is not good", async () => {
    const { keyOf, post, keysOf, asked, url } = await open();
    const { key, id } = await keyOf();
    const revoked = await keyOf();
    await keysOf(acme).revoke(revoked.id);
    const foreign = makeKey(globex).text.reveal();
    const mixed = `${foreign.split(".")[0]}.${key.split(".")[1]}`;
    const bad = [revoked.key, makeKey(acme).text.reveal(), foreign, mixed, `${key.slice(0, -1)}_`, "fnk_x.y", "x", id];
    const refusals = await Promise.all(bad.map((each) => post(each, { question: "?" })));
    expect(refusals.map(({ status }) => status)).toEqual(bad.map(() => 401));
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect(refusals[0]?.headers.get("www-authenticate")).toBe("Bearer");
    expect((await fetch(`${url}?key=${key}`, { method: "POST" })).status).toBe(401);
    expect(asked).toEqual([]);
    expect((await post(key, { question: "?" })).status).toBe(200);
  });

  test.each([
    ["another site's page", { Origin: "http://evil.example" }, 403],
    ["a page without an origin of its own", { Origin: "null" }, 403],
  ])("is refused for %s", async (_, headers, status) => {
    const { keyOf, post, asked, url } = await open();
    const { key } = await keyOf();
    const refused = await post(key, { question: "?" }, headers);
    expect([refused.status, refused.json().error.code]).toEqual([status, "ORIGIN_REFUSED"]);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    expect(asked).toEqual([]);
    expect((await post(key, { question: "?" }, { Origin: new URL(url).origin })).status).toBe(200);
  });

  test.each([
    ["not JSON", "question=x", {}, 400, "REQUEST_INVALID"],
    ["bytes that are not UTF-8", "{", {}, 400, "REQUEST_INVALID"],
    ["a list", [], {}, 400, "REQUEST_INVALID"],
    ["no question", {}, {}, 400, "REQUEST_INVALID"],
    ["an empty question", { question: "  " }, {}, 400, "QUESTION_EMPTY"],
    ["another person's name", { question: "?", person: "alice" }, {}, 400, "REQUEST_INVALID"],
    ["a thread that is no timestamp", { question: "?", thread: "1719282819.0001" }, {}, 400, "REQUEST_INVALID"],
    ["too long a question", { question: "x".repeat(12_001) }, {}, 400, "REQUEST_INVALID"],
    ["too large a body", { question: "x".repeat(70_000) }, {}, 413, "BODY_TOO_LARGE"],
    ["a form", "question=x", { "Content-Type": "application/x-www-form-urlencoded" }, 415, "BODY_TYPE_REFUSED"],
    ["a plain text that a page may send", '{"question":"?"}', { "Content-Type": "text/plain" }, 415, "BODY_TYPE_REFUSED"],
    ["a compressed body", '{"question":"?"}', { "Content-Encoding": "gzip" }, 415, "BODY_TYPE_REFUSED"],
  ])("with %s is refused, and does not count against the limit", async (_, body, headers, status, code) => {
    const { keyOf, post, asked, keysOf } = await open();
    const refused = await post((await keyOf()).key, body, headers as Record<string, string>);
    expect([refused.status, refused.json().status, refused.json().error.code]).toEqual([status, "error", code]);
    expect(refused.text).not.toContain("alice");
    expect(asked).toEqual([]);
    expect(keysOf(acme).admitted).toBe(0);
  });

  test("is refused as too large also when its length is not announced", async () => {
    const { keyOf, url } = await open();
    const { key } = await keyOf();
    const status = await new Promise((resolve, reject) => {
      const sending = httpRequest(
        url,
        { method: "POST", headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" } },
        (response) => resolve(response.resume().statusCode),
      );
      sending.on("error", reject);
      for (let piece = 0; piece < 5; piece++) sending.write("x".repeat(16_384));
    });
    expect(status).toBe(413);
  });

  test("with another method, or at another address, gets the same form of error", async () => {
    const { url } = await open();
    const [method, address] = [await fetch(url), await fetch(`${url}s`, { method: "POST" })];
    expect([method.status, method.headers.get("allow"), await method.json()]).toEqual([
      405,
      "POST",
      { status: "error", error: { code: "METHOD_REFUSED", message: expect.any(String) } },
    ]);
    expect([address.status, ((await address.json()) as { status: string }).status]).toEqual([404, "error"]);
  });

  test("over the limit is told when to come back", async () => {
    const { keyOf, post } = await open();
    const { key } = await keyOf();
    const replies = await Promise.all(Array.from({ length: 2 }, () => post(key, { question: "?" })));
    for (let more = 0; more < 9; more++) replies.push(await post(key, { question: "?" }));
    const refused = replies.at(-1);
    expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(10);
    expect([refused?.status, refused?.headers.get("retry-after"), refused?.json().error.code]).toEqual([429, "42", "RATE_LIMITED"]);
  });

  test("is put off while its workspace has as many answers in progress as it may have", async () => {
    let finish = () => {};
    const wait = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { keyOf, post, asked } = await open({ ask: () => wait.then(() => answered), tenantAnswers: 1 });
    const { key } = await keyOf();
    const first = post(key, { question: "?" });
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await post((await keyOf(alice)).key, { question: "?" });
    expect([second.status, second.headers.get("retry-after"), second.json().error.code]).toEqual([503, "5", "OVERLOADED"]);
    finish();
    expect((await first).status).toBe(200);
  });

  test.each([
    ["PERSON_DEACTIVATED", 403],
    ["AUDIENCE_CHANGED", 409],
    ["MODEL_FAILED", 502],
    ["INTERNAL", 500],
  ])("that fails with %s says so with status %i and the trace", async (code, status) => {
    const failed: Answer = { ...answered, status: "error", error: { code, message: "secret detail", retryable: false } };
    const { keyOf, post } = await open({ ask: async () => failed });
    const reply = await post((await keyOf()).key, { question: "?" });
    expect(reply.json()).toEqual({ status: "error", error: { code, message: new AppError(code as "INTERNAL").message }, traceId: trace });
    expect(reply.status).toBe(status);
  });

  test("of a suspended workspace is refused; a defect says nothing of itself", async () => {
    const { keyOf, post } = await open({ ask: async () => Promise.reject(new Error("canary")) });
    expect((await post((await keyOf(bob, globex)).key, { question: "?" })).status).toBe(403);
    const broken = await post((await keyOf()).key, { question: "?" });
    expect([broken.status, broken.json().error.code]).toEqual([500, "INTERNAL"]);
    expect(broken.text).not.toContain("canary");
  });
});

describe("a question whose answer is streamed", () => {
  const ask: Ask = async (_, sink) => {
    const call = { id: "c1", name: "query_documents", params: { query: "leave" }, opaque: "signature-canary" };
    const result = { type: "text" as const, content: "for the model alone", metadata: { count: 5 }, status: "success" as const };
    await sink.write({ type: "answer-start", traceId: trace });
    await sink.write({ type: "tool-start", call, label: "Searching" });
    await sink.write({ type: "tool-end", call, label: "Searching", result, ms: 3.4 });
    await sink.write({ type: "text-delta", text: "Eighteen\nweeks [1].", ...{ internal: "canary" } });
    await sink.write({ type: "sources-ready", sources: answered.citations });
    await sink.write({ type: "answer-end", text: "Eighteen\nweeks [1].", outcome: "answered" });
    return answered;
  };

  test("gets the agent's events in order, without what is for the model alone", async () => {
    const { keyOf, post } = await open({ ask });
    const reply = await post((await keyOf()).key, { question: "?" }, { Accept: "text/event-stream" });
    expect([reply.headers.get("content-type"), reply.headers.get("footnote-events")]).toEqual(["text/event-stream; charset=utf-8", "1"]);
    const events = reply.text
      .trim()
      .split("\n\n")
      .map((event) => {
        const [id, type, data] = event.split("\n").map((line) => line.replace(/^\w+: /, ""));
        return [Number(id), type, JSON.parse(data ?? "")];
      });
    expect(events).toEqual([
      [1, "answer-start", { traceId: trace }],
      [2, "tool-start", { callId: "c1", tool: "query_documents", label: "Searching" }],
      [3, "tool-end", { callId: "c1", tool: "query_documents", label: "Searching", status: "success", ms: 3, count: 5 }],
      [4, "text-delta", { text: "Eighteen\nweeks [1]." }],
      [5, "sources-ready", { citations: [{ n: 1, title: "Handbook", page: 2, url: "https://bot/sources/x", quote: "18 weeks." }] }],
      [6, "answer-end", { text: "Eighteen\nweeks [1].", outcome: "answered" }],
    ]);
    expect(reply.text).not.toMatch(/canary|for the model/);
  });

  test("is refused in JSON before it begins", async () => {
    const { keyOf, post } = await open({ ask });
    const refused = await post((await keyOf()).key, { question: "?", channel: "nowhere" }, { Accept: "text/event-stream" });
    expect([refused.status, refused.json().error.code]).toEqual([404, "CHANNEL_UNKNOWN"]);
  });

  test.each([
    ["events", "text/event-stream"],
    ["JSON", "application/json"],
  ])("stops when the reader of %s leaves, and its place is free again", async (_, accept) => {
    const stopped: unknown[] = [];
    const hanging: Ask = (_question, sink, signal) =>
      new Promise((resolve) => {
        void sink.write({ type: "answer-start", traceId: trace });
        signal.addEventListener("abort", () => {
          stopped.push(signal.reason);
          resolve({ ...answered, status: "stopped" });
        });
      });
    const { keyOf, url, asked, keysOf } = await open({ ask: hanging });
    const { key } = await keyOf();
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Accept: accept };
    const reading = fetch(url, { method: "POST", headers, body: '{"question":"?"}', signal: leave.signal }).then((response) =>
      response.text(),
    );
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(keysOf(acme).running.size).toBe(1);
    leave.abort();
    await expect(reading).rejects.toThrow();
    while (keysOf(acme).running.size > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toHaveLength(1);
  });
});

test("when the program stops, running answers get their time and are then stopped; new questions are put off", async () => {
  const hanging: Ask = (_question, _sink, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ...answered, status: "stopped" })));
  const { keyOf, post, asked, door } = await open({ ask: hanging });
  const { key } = await keyOf();
  const running = post(key, { question: "?" });
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const stopping = door.stop({ graceMs: 20 });
  expect((await post(key, { question: "?" })).status).toBe(503);
  await stopping;
  expect((await running).json().status).toBe("stopped");
});
