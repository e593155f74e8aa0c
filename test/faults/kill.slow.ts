import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { connectToRunning } from "../../src/cli/control-client.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { createServerDatabase } from "../fakes/server-database.ts";
import { serverUrl, testDatabases } from "../fakes/test-database.ts";
import { answers, shown, write } from "../journeys/answer.ts";
import { Program } from "./program.ts";

jest.setTimeout(900_000);

/** However busy the machine: the rest of a lease, and an answer. */
const withinMs = 200_000;
const asking = { workspace: "acme", as: "alice", channel: "general", question: "Tell me." };

let slack: FakeSlack;
let model: ModelServer;
const ending: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  slack = await FakeSlack.start({ seed: defaultSeed });
  model = await ModelServer.start((_, reply) => reply.say("The whole answer."));
});
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  await slack.stop();
  await model.stop();
});

async function databaseEnv(kind: (typeof testDatabases)[number]): Promise<Record<string, string>> {
  if (kind === "embedded" || !serverUrl) return {};
  const server = await createServerDatabase(serverUrl);
  ending.push(() => server.drop());
  return { DATABASE_URL: server.url.reveal() };
}

async function prepare(env: Record<string, string>): Promise<Program> {
  const program = await Program.prepare(slack, { OPENAI_BASE_URL: model.url, ...env });
  ending.push(() => program.stop());
  return program;
}

const isAnswer = (text: string) => text.includes("The whole answer.") && /^Trace/m.test(text);
const isMarked = (text: string) => /interrupted/i.test(text) && text.includes("Try again");

describe.each(testDatabases)("kill -9 and a restart, on the %s database", (kind) => {
  const never = new Promise<void>(() => {});
  const asksTool = (messages: readonly { role: string }[]) => messages.at(-1)?.role !== "tool";

  /** Each names a moment; its script tells when it is reached and then keeps the model silent. */
  const moments: readonly (readonly [string, (reached: () => void) => ModelServer["script"]])[] = [
    [
      "before the model has said anything",
      (reached) => () => {
        reached();
        return never;
      },
    ],
    [
      "in the middle of the text",
      (reached) => async (_, reply) => {
        reply.say("The whole ");
        reached();
        await never;
      },
    ],
    [
      "between two steps, after a tool has run",
      (reached) =>
        async ({ messages }, reply) => {
          if (asksTool(messages)) return reply.call("list_documents", {});
          reached();
          await never;
        },
    ],
  ];

  test.each(moments)("%s: the question is answered once, or marked, within a minute", async (_, scriptOf) => {
    const program = await prepare(await databaseEnv(kind));
    await program.start();
    const reached = new Promise<void>((resolve) => {
      model.script = scriptOf(resolve);
    });
    const thread = await write(slack, asking);
    await reached;
    // Something is on the screen by now: the crash leaves a message behind.
    await slack.waitFor(() => answers(slack, asking, thread).length > 0);
    await program.kill();
    model.script = (__, reply) => reply.say("The whole answer.");
    await program.start();
    const texts = await slack.waitFor(
      () => {
        const now = answers(slack, asking, thread).map(shown);
        return now.some((text) => isAnswer(text) || isMarked(text)) ? now : undefined;
      },
      { timeoutMs: withinMs },
    );
    expect(texts).toHaveLength(1);
  });

  test("right after the acknowledgement: the question is not lost", async () => {
    const program = await prepare(await databaseEnv(kind));
    await program.start();
    const thread = await write(slack, asking);
    await slack.waitFor(() => slack.acks.some(({ outcome }) => outcome === "acknowledged"));
    await program.kill();
    await program.start();
    await slack.waitFor(() => answers(slack, asking, thread).map(shown).some(isAnswer), { timeoutMs: withinMs });
    expect(answers(slack, asking, thread)).toHaveLength(1);
  });
});

test("a kill -9 while documents are read in: the same command afterwards finishes the work", async () => {
  const program = await prepare({});
  await program.start();
  const folder = "playground/seed/documents/acme";
  let outcome: Promise<string | undefined> = Promise.resolve(undefined);
  const running = await connectToRunning(program.home);
  if (!running) throw new Error("It does not answer on its socket.");
  // Killed as soon as it says that the first file is read: eleven are not.
  const request = { workspace: slack.workspace("acme").teamId, paths: [resolve(folder)] };
  let cut = false;
  const killed = new Promise<void>((done) => {
    const ingested = running.ingest(
      request,
      () => {
        if (cut) return;
        cut = true;
        void program.kill().then(done);
      },
      new AbortController().signal,
    );
    outcome = ingested.then(
      () => "finished",
      (error: { code?: string }) => error.code,
    );
  });
  await killed;
  expect(await outcome).toBe("PROGRAM_GONE");
  await program.start();
  const again = await program.command("ingest", folder, "--workspace", slack.workspace("acme").teamId, "--json");
  const { files } = JSON.parse(again.out) as { files: { status: string }[] };
  expect(files).toHaveLength(12);
  for (const { status } of files) expect(["added", "unchanged"]).toContain(status);
});

if (serverUrl) {
  test("one event delivered four times, two of them at once, to two processes on one Postgres: one answer", async () => {
    const keys = JSON.stringify({ active: "a", keys: { a: Buffer.alloc(32, 7).toString("base64") } });
    const env = { ...(await databaseEnv("server")), FOOTNOTE_SECRET_KEYS: keys };
    const programs = [await prepare(env), await prepare(env)];
    await Promise.all(programs.map((program) => program.start()));
    await slack.waitFor(() => slack.connections >= 2);
    const thread = await write(slack, asking);
    const event = slack.envelopes.find(({ event }) => (event as { type?: string }).type === "app_mention") ?? {};
    await slack.deliver(event, { times: 2, concurrently: true });
    await slack.deliver(event, { times: 2 });
    await slack.waitFor(() => answers(slack, asking, thread).map(shown).some(isAnswer));
    // Whoever would answer a second time has had the time a first answer takes, several times over.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(answers(slack, asking, thread)).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });
}
