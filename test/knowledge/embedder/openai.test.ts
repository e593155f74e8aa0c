import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Secret } from "../../../src/core/secret.ts";
import { openAiEmbedder } from "../../../src/knowledge/embedder/openai.ts";

interface Call {
  readonly input: string[];
  readonly encoding_format?: string;
  readonly authorization: string | undefined;
}
type Answer = { status: number; body: unknown };

const { signal } = new AbortController();
/** A vector that says which text it belongs to. */
const vectorFor = (text: string) => [Number(/\d+/.exec(text)?.[0] ?? 0) + 1, 1, 0];
const inReverse = ({ input }: Call): Answer => ({
  status: 200,
  body: { data: input.map((text, index) => ({ index, embedding: vectorFor(text) })).reverse() },
});

describe("an OpenAI-compatible embedding server", () => {
  let server: Server;
  let calls: Call[];
  let answer: (call: Call) => Answer;

  beforeEach(async () => {
    calls = [];
    answer = inReverse;
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        const call: Call = { ...JSON.parse(body), authorization: request.headers.authorization };
        calls.push(call);
        const { status, body: reply } = answer(call);
        response.writeHead(status, { "content-type": "application/json", "retry-after-ms": "1" }).end(JSON.stringify(reply));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const embedder = () =>
    openAiEmbedder({
      model: "tiny",
      dimensions: 3,
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: new Secret("sk-test"),
      limits: { texts: 10, tokens: 10_000, tokensPerText: 8_000 },
    });
  const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`);

  test("H5-SRC-05: every text gets its own vector, by index, in batches, as unit vectors of floats", async () => {
    const vectors = await embedder().embed(texts(25), "passage", signal);
    expect(vectors).toHaveLength(25);
    vectors.forEach((vector, n) => {
      expect(Math.hypot(...vector)).toBeCloseTo(1);
      expect((vector[0] ?? 0) / (vector[1] ?? 1)).toBeCloseTo(n + 1, 3);
    });
    expect(calls.map((call) => call.input.length)).toEqual([10, 10, 5]);
    expect(calls.every((call) => call.encoding_format === "float" && call.authorization === "Bearer sk-test")).toBe(true);
  });

  test("H5-SRC-05: a text over the model's length is cut, an empty one is never sent", async () => {
    await embedder().embed(["word ".repeat(9_000)], "passage", signal);
    expect(calls[0]?.input[0]?.length).toBeLessThan(8_000 * 5 + 5);
    await expect(embedder().embed(["fine", "  "], "passage", signal)).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(calls).toHaveLength(1);
  });

  test.each([
    [
      "fewer vectors than texts",
      ({ input }: Call) => ({ status: 200, body: { data: input.slice(1).map((text, index) => ({ index, embedding: vectorFor(text) })) } }),
    ],
    [
      "the same index twice",
      ({ input }: Call) => ({ status: 200, body: { data: input.map((text) => ({ index: 0, embedding: vectorFor(text) })) } }),
    ],
    ["another dimension", ({ input }: Call) => ({ status: 200, body: { data: input.map((_, index) => ({ index, embedding: [1, 2] })) } })],
    [
      "a vector of zeros",
      ({ input }: Call) => ({ status: 200, body: { data: input.map((_, index) => ({ index, embedding: [0, 0, 0] })) } }),
    ],
    ["no data at all", () => ({ status: 200, body: {} })],
    ["a refusal", () => ({ status: 401, body: { error: { message: "bad key sk-test" } } })],
  ])("H5-SRC-05: %s is an error and never a wrong vector", async (_what, wrong) => {
    answer = wrong;
    const failure = await embedder()
      .embed(texts(2), "passage", signal)
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(String(failure)).not.toContain("sk-test");
  });

  test("a server that is busy is asked again", async () => {
    answer = (call) => (calls.length < 3 ? { status: 429, body: {} } : inReverse(call));
    expect(await embedder().embed(texts(1), "query", signal)).toHaveLength(1);
    expect(calls).toHaveLength(3);
  });

  test("stopping gives the signal's reason", async () => {
    const stop = new AbortController();
    answer = (call) => {
      stop.abort(new Error("stopped"));
      return inReverse(call);
    };
    await expect(embedder().embed(texts(30), "query", stop.signal)).rejects.toThrow("stopped");
  });
});
