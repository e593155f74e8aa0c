import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import type { IngestProgress } from "../../src/operations.ts";
import { largePdf, word } from "../fakes/large-pdf.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { vectorOf } from "../knowledge/word-embedder.ts";
import { ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

const PAGES = 2_000;
const asking = { workspace: "acme", as: "alice", channel: "general", question: "Go." };

let folder: string;
let model: ModelServer;
let embedding: Server;
let running: RunningApp;
afterEach(async () => {
  await running?.stop();
  await model?.stop();
  embedding?.closeAllConnections();
  await new Promise((resolve) => (embedding ? embedding.close(resolve) : resolve(undefined)));
  await rm(folder, { recursive: true, force: true });
});

/** An embedding endpoint that keeps a batch of passages waiting until `let go` resolves. */
async function startEmbedding(hold: (batch: number) => Promise<void>): Promise<Server> {
  let batches = 0;
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: string[] };
    if (input.length > 1) await hold(++batches);
    const data = input.map((text, index) => ({ index, embedding: [...vectorOf(text)] }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("a document of 2,000 pages is read in with its progress shown, while questions go on being answered; then every page is found", async () => {
  folder = await mkdtemp(join(tmpdir(), "footnote-large-"));
  const file = join(folder, "rules.pdf");
  await writeFile(file, await largePdf(PAGES));
  model = await ModelServer.start(({ messages }, reply) => {
    const last = messages.at(-1);
    const asked = /lamp (\w+)/.exec(messages.findLast(({ role }) => role === "user")?.content ?? "")?.[1];
    if (last?.role === "tool") return reply.say(`It says: ${last.content}`);
    return asked ? reply.call("document_full_text_search", { query: asked }) : reply.say("The answer.");
  });
  const meanwhile: string[] = [];
  // A batch waits for the answer: whatever the machine, the question is asked and answered in the middle of it.
  embedding = await startEmbedding(async (batch) => {
    if (batch === 2 && meanwhile.length === 0) meanwhile.push((await ask(running.slack, asking)).text);
  });
  running = await runApp({
    modelUrl: model.url,
    documents: false,
    environment: {
      ...{ FOOTNOTE_EMBEDDER: "openai", FOOTNOTE_EMBEDDING_MODEL: "words", FOOTNOTE_EMBEDDING_DIMENSIONS: "64" },
      FOOTNOTE_EMBEDDING_BASE_URL: `http://127.0.0.1:${(embedding.address() as AddressInfo).port}/v1`,
    },
  });
  const { operations } = running.app;
  const progress: IngestProgress[] = [];
  let stored: Promise<{ text: string }> | undefined;
  const { files } = await operations.ingest(
    { workspace: "acme", paths: [file] },
    (step) => {
      progress.push(step);
      if (step.part?.step === "stored") stored ??= ask(running.slack, asking);
    },
    new AbortController().signal,
  );
  expect(files).toMatchObject([{ status: "added" }]);
  expect(meanwhile.join()).toContain("The answer.");
  expect((await stored)?.text).toContain("The answer.");
  for (const step of ["read", "embedded", "stored"]) {
    const parts = progress.flatMap(({ part }) => (part?.step === step ? [part] : []));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.at(-1)?.done).toBe(parts.at(-1)?.total);
  }
  expect(progress.findLast(({ part }) => part?.step === "read")?.part?.total).toBe(PAGES);
  for (const n of [1, 1_000, PAGES]) {
    const { text } = await ask(running.slack, { ...asking, question: `Who keeps the lamp ${word(n)}lamp lit?` });
    expect(text).toContain(`Rule ${word(n)}`);
  }
}, 1_200_000);
