/**
 * How well the offline answerer does on the playground's own questions, through the whole program: how many answers hold the expected
 * facts with the expected source, how many questions without an answer are recognised, and the time. bench/offline-questions.json has
 * questions that the answerer was not made with.
 * Run: npm run bench:answers -- [questions.json]   Prints one JSON object; wrong answers are listed in it.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeSlack } from "../playground/server/fake-slack.ts";
import { defaultSeed } from "../playground/server/seed.ts";
import { ingestSeedDocuments } from "../playground/server/seed-documents.ts";
import { openApp } from "../src/app.ts";
import { loadConfig } from "../src/config.ts";
import { systemClock } from "../src/core/clock.ts";
import { silentLogger } from "../src/core/logger.ts";
import { Secret } from "../src/core/secret.ts";

interface Question {
  readonly workspace: string;
  readonly as: string;
  /** A channel's name, or "direct". */
  readonly channel: string;
  readonly question: string;
  /** What the answer must hold; nothing: there is no answer that this audience may read. */
  readonly expect: readonly string[];
  readonly source?: { readonly title: string; readonly page?: number };
}

const file = process.argv[2] ?? "playground/seed/questions.json";
const questions = JSON.parse(await readFile(file, "utf8")) as readonly Question[];
const { signal } = new AbortController();

const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
const slack = await FakeSlack.start({ seed: defaultSeed });
const app = await openApp({
  config: loadConfig({ FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0" }),
  slackApiUrl: slack.apiUrl,
  clock: systemClock,
  log: silentLogger,
});
const workspaces = defaultSeed.workspaces.map(({ name }) => ({ name, botToken: new Secret(slack.workspace(name).botToken) }));
await app.register({ workspaces });
await ingestSeedDocuments("playground/seed", (request) => app.operations.ingest(request, () => {}, signal));

const wrong: object[] = [];
const times: number[] = [];
for (const { workspace, as, channel, question, expect, source } of questions) {
  const begun = systemClock.monotonic();
  const asked = { workspace, as, question, ...(channel !== "direct" && { channel }) };
  const { answer, citations } = await app.operations.ask(asked, { write: () => {} }, signal);
  times.push(systemClock.monotonic() - begun);
  const cited = citations.some(({ title, page }) => title === source?.title && (source?.page ?? page) === page);
  const right = expect.length === 0 ? citations.length === 0 : expect.every((fact) => answer.includes(fact)) && cited;
  if (!right) wrong.push({ workspace, as, channel, question, expect, answer });
}

times.sort((a, b) => a - b);
const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? Number.NaN);
const figures = {
  questions: questions.length,
  unanswerable: questions.filter(({ expect }) => expect.length === 0).length,
  right: questions.length - wrong.length,
  ms: { median: at(0.5), p95: at(0.95) },
  wrong,
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
await app.close();
await slack.stop();
await rm(home, { recursive: true, force: true });
