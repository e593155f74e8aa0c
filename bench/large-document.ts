/**
 * What a document of 2,000 pages that is read in costs those who ask meanwhile: time to the finished answer of a question without tools, with the
 * program idle and then during the reading, as JSON on standard output. Program, fake Slack and a model that answers at once run in this process;
 * the embedder is the built-in one.
 * Run: npm run bench:large-document -- [--pages 2000] [--questions 30]; on a server with DATABASE_URL (a migrated database of its own).
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FakeSlack } from "../playground/server/fake-slack.ts";
import { defaultSeed } from "../playground/server/seed.ts";
import { openApp } from "../src/app.ts";
import { loadConfig } from "../src/config.ts";
import { systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { Secret } from "../src/core/secret.ts";
import { percentile } from "../src/knowledge/evaluate/metrics.ts";
import { largePdf } from "../test/fakes/large-pdf.ts";

const { values: options } = parseArgs({
  options: { pages: { type: "string", default: "2000" }, questions: { type: "string", default: "30" } },
});
/** Milliseconds between two questions, as Slack's limits allow. */
const PAUSE = 1_500;

const model = createServer((request, response) => {
  request.resume().on("end", () => {
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunk({ content: "Both parents have eighteen weeks." })}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
});
await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));

const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
const file = join(home, "large.pdf");
await writeFile(file, await largePdf(Number(options.pages)));
const slack = await FakeSlack.start({ seed: defaultSeed });
const config = loadConfig({
  ...{ FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0", OPENAI_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1` },
  ...(process.env.DATABASE_URL && { DATABASE_URL: process.env.DATABASE_URL }),
});
const app = await openApp({ config, slackApiUrl: slack.apiUrl, clock: systemClock, log: silentLogger });
const connection = {
  appToken: new Secret(slack.appToken),
  workspaces: [{ name: "acme", botToken: new Secret(slack.workspace("acme").botToken) }],
};
await app.register(connection);
await app.listen();
await app.receive(connection);

async function ask(): Promise<number> {
  const begun = systemClock.monotonic();
  const thread = await slack.post({ workspace: "acme", as: "alice", channel: "general", text: "@footnote What is our parental leave?" });
  const where = { workspace: "acme", channel: "general", thread };
  await slack.waitFor(() => slack.messages(where).some((message) => message.botId && JSON.stringify(message).includes("Trace")), {
    timeoutMs: 300_000,
  });
  const took = systemClock.monotonic() - begun;
  await systemClock.sleep(PAUSE);
  return took;
}

for (let i = 0; i < 3; i++) await ask();
const idle: number[] = [];
for (let i = 0; i < Number(options.questions); i++) idle.push(await ask());

/** Times by what the document was at when the question was asked. */
const during: Record<"read" | "embedded" | "stored", number[]> = { read: [], embedded: [], stored: [] };
let step: keyof typeof during = "read";
let over = false;
const begun = systemClock.monotonic();
const ingestion = app.operations
  .ingest(
    { workspace: "acme", paths: [file] },
    ({ part }) => {
      step = part?.step ?? step;
    },
    new AbortController().signal,
  )
  .finally(() => {
    over = true;
  });
while (!over) {
  const at = step;
  during[at].push(await ask());
}
const { files } = await ingestion;
const ingestMs = systemClock.monotonic() - begun;

const spread = (of: readonly number[]) => ({
  questions: of.length,
  p50: Math.round(percentile([...of], 0.5)),
  p95: Math.round(percentile([...of], 0.95)),
});
const all = [...during.read, ...during.embedded, ...during.stored];
const result = {
  database: config.database.url ? "server" : "embedded",
  ...{ pages: Number(options.pages), passages: files[0]?.passages, ingestMs: Math.round(ingestMs) },
  ...{ idle: spread(idle), during: spread(all) },
  ...{ reading: spread(during.read), embedding: spread(during.embedded), storing: spread(during.stored) },
  ratioP95: Number((percentile(all, 0.95) / percentile(idle, 0.95)).toFixed(2)),
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
await app.close();
await slack.stop();
model.close();
await rm(home, { recursive: true, force: true });
