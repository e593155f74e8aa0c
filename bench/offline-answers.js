/**
 * How well the offline answerer does on the playground's own questions, through ingestion, both searches, permissions and the loop:
 * how many answers hold the expected facts with the expected source, how many questions without an answer are recognised, and the time.
 * Run: npm run -s build && node bench/offline-answers.js [questions.json]   Prints one JSON object; wrong answers are listed in it.
 * bench/offline-questions.json has questions that the answerer was not made with.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentClient } from "../dist/src/agent/client.js";
import { defaultLimits } from "../dist/src/agent/limits.js";
import { OfflineAnswerer } from "../dist/src/agent/model/offline.js";
import { systemClock } from "../dist/src/core/clock.js";
import { newId } from "../dist/src/core/ids.js";
import { silentLogger } from "../dist/src/core/logger.js";
import { createLibrary } from "../dist/src/knowledge/create-library.js";
import { localEmbedder } from "../dist/src/knowledge/embedder/local.js";
import { createExtractor } from "../dist/src/knowledge/ingest/extract/extractor.js";
import { createIngestion } from "../dist/src/knowledge/ingest/pipeline.js";
import { plugins } from "../dist/src/plugins/index.js";
import { Database } from "../dist/src/store/database.js";
import { DocumentRepository } from "../dist/src/store/repositories/documents.js";
import { PassageRepository } from "../dist/src/store/repositories/passages.js";

const seed = new URL("../playground/seed/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, seed), "utf8"));
const grants = read("grants.json");
const questions = process.argv[2] ? JSON.parse(readFileSync(process.argv[2], "utf8")) : read("questions.json");

/** Who is in which channel, as the seed's README says. */
const members = {
  general: ["alice", "bob"],
  "people-ops": ["alice", "bob"],
  board: ["alice"],
  "guest-project": ["alice", "bob", "gina"],
};

const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
const database = await Database.open({ home, clock: systemClock, log: silentLogger });
const of = (Repository, tenant) => new Repository(database.forTenant(tenant), tenant);
const storage = { forTenant: (tenant) => ({ documents: of(DocumentRepository, tenant), passages: of(PassageRepository, tenant) }) };
const embedder = localEmbedder();
const extractor = createExtractor(systemClock);
const parts = { storage, embedder, extractor, clock: systemClock, log: silentLogger };
const ingestion = createIngestion(parts);
const tools = plugins({ library: createLibrary(parts) }).flatMap((plugin) => plugin.tools);

const tenants = {};
for (const workspace of Object.keys(grants)) {
  const tenant = newId();
  tenants[workspace] = tenant;
  const row = [tenant, `T${workspace}`, workspace];
  await database.system((manager) => manager.query("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $3)", row));
  for (const [file, grant] of Object.entries(grants[workspace])) {
    const path = new URL(`documents/${workspace}/${file}`, seed).pathname;
    await ingestion.ingest({ paths: [path] }, { tenant, grants: [grant], signal: new AbortController().signal });
  }
}

const client = new AgentClient({
  ...{ registry: { all: () => tools }, model: () => new OfflineAnswerer(), clock: systemClock, log: silentLogger, limits: defaultLimits },
  forTenant: () => ({
    directory,
    choices: { read: async () => everyTool() },
    threads: {},
    traces: { save: async () => {} },
    links: { passage: String },
  }),
});
const directory = {
  person: async (id) => ({ id, name: id, displayName: id, role: id === "gina" ? "guest" : "member", isBot: false, deactivated: false }),
  place: async (id) => ({
    ...{ id, name: id, outsiders: "none", guests: members[id]?.includes("gina") ? "some" : "none" },
    kind: id === "direct" ? "direct" : id === "board" ? "private" : "public",
  }),
  channelsOf: async (person) => Object.keys(members).filter((channel) => members[channel].includes(person)),
};

function everyTool() {
  const names = new Set(tools.map(({ name }) => name));
  const none = new Set();
  const switchedOff = { admin: none, channel: none, thread: none, person: none };
  return { flags: none, settings: {}, allowed: names, leastRole: new Map(), template: names, switchedOff };
}

const wrong = [];
const times = [];
for (const { workspace, as, channel, question, expect, source } of questions) {
  const started = performance.now();
  const asked = { tenant: tenants[workspace], person: as, channel, text: question };
  const { text, citations } = await client.ask(asked, { write: () => {} }, new AbortController().signal);
  times.push(performance.now() - started);
  const right =
    expect.length === 0
      ? citations.length === 0
      : expect.every((fact) => text.includes(fact)) &&
        citations.some(({ source: { title, page } }) => title === source.title && (source.page ?? page) === page);
  if (!right) wrong.push({ workspace, as, channel, question, expect, text });
}
times.sort((a, b) => a - b);
const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)]);
const unanswerable = questions.filter(({ expect }) => expect.length === 0).length;
const figures = {
  questions: questions.length,
  unanswerable,
  right: questions.length - wrong.length,
  ms: { median: at(0.5), p95: at(0.95) },
  wrong,
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);

await Promise.all([embedder.close(), extractor.close()]);
await database.close();
await rm(home, { recursive: true, force: true });
