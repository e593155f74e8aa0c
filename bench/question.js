/**
 * What one plain question costs on its way through the whole program: statements and transactions, calls to Slack, and time from the
 * event to the acknowledgement, to the model's request and to the finished answer. Fake Slack and model run in this process, the model
 * answers at once, questions come one after the other and a second apart, as Slack's limits allow.
 * Run: npm run -s build && [DATABASE_URL=...] node bench/question.js [questions]   Prints one JSON object.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** Milliseconds between two questions. */
const PAUSE = 1_500;

const log = [];
const note = (kind, what) => log.push({ at: performance.now(), kind, what });

// Before the program takes its driver: every statement passes here.
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (statement, ...rest) {
  note("statement", String(statement.text ?? statement).trimStart());
  return query.call(this, statement, ...rest);
};

const [{ openApp }, { loadConfig }, { systemClock }, { silentLogger }, { Secret }, { FakeSlack }, { defaultSeed }] = await Promise.all([
  import("../dist/src/app.js"),
  import("../dist/src/config.js"),
  import("../dist/src/core/clock.js"),
  import("../dist/src/core/logger.js"),
  import("../dist/src/core/secret.js"),
  import("../dist/playground/server/fake-slack.js"),
  import("../dist/playground/server/seed.js"),
]);

const model = createServer((request, response) => {
  request.resume().on("end", () => {
    note("model");
    const chunk = (delta, finish = null) =>
      `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunk({ content: "Both parents have eighteen weeks." })}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
});
await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));

const home = await mkdtemp(join(tmpdir(), "footnote-bench-"));
const slack = await FakeSlack.start({ seed: defaultSeed });
const config = loadConfig({
  ...{ FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0", OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1` },
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

async function ask() {
  const before = { log: log.length, calls: slack.calls.length, acks: slack.acks.length };
  const begun = performance.now();
  const thread = await slack.post({ workspace: "acme", as: "alice", channel: "general", text: "@footnote What is our parental leave?" });
  const where = { workspace: "acme", channel: "general", thread };
  await slack.waitFor(() => slack.messages(where).some((message) => message.botId && JSON.stringify(message).includes("Trace")));
  const finished = performance.now();
  await systemClock.sleep(PAUSE);
  const noted = log.slice(before.log);
  const statements = noted.filter(({ kind }) => kind === "statement").map(({ what }) => what);
  return {
    statements: statements.length,
    transactions: statements.filter((statement) => /^(BEGIN|START)/.test(statement)).length,
    slackCalls: slack.calls.slice(before.calls).map(({ method }) => method),
    toModelMs: (noted.find(({ kind }) => kind === "model")?.at ?? Number.NaN) - begun,
    totalMs: finished - begun,
    ackMs: Math.max(...slack.acks.slice(before.acks).map(({ ms }) => ms)),
  };
}

const warmUps = 3;
for (let i = 0; i < warmUps; i++) await ask();
const asked = [];
for (let i = 0; i < Number(process.argv[2] ?? 20); i++) asked.push(await ask());

const at = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const spread = (key) => {
  const values = asked.map((each) => each[key]);
  return { p50: Math.round(at(values, 0.5) * 10) / 10, p95: Math.round(at(values, 0.95) * 10) / 10 };
};
process.stdout.write(
  `${JSON.stringify(
    {
      questions: asked.length,
      database: config.database.url ? "server" : "embedded",
      ...{ statements: spread("statements").p50, transactions: spread("transactions").p50, slackCalls: asked.at(-1)?.slackCalls },
      ...{ ackMs: spread("ackMs"), toModelMs: spread("toModelMs"), totalMs: spread("totalMs") },
    },
    null,
    2,
  )}\n`,
);
await app.close();
await slack.stop();
model.close();
await rm(home, { recursive: true, force: true });
