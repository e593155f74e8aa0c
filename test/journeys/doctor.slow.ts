import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, jest, test } from "@jest/globals";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import type { Check } from "../../src/core/check.ts";
import { Program } from "../faults/program.ts";

// Each call of the doctor is a process that loads the embedding model, on a machine that may be busy.
jest.setTimeout(900_000);

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/** Runs `footnote doctor --json` as an operator would. */
function doctor(env: Record<string, string>): Promise<{ code: number; said: string; checks: readonly Check[] }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["dist/src/main.js", "doctor", "--json"],
      { env: { PATH: process.env.PATH ?? "", ...env } },
      (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, said: out + err, checks: (JSON.parse(out) as { checks: readonly Check[] }).checks }),
    );
  });
}
const newHome = async () => {
  const home = await mkdtemp(join(tmpdir(), "footnote-doctor-"));
  cleanUp.push(() => rm(home, { recursive: true, force: true }));
  return home;
};
const statusOf = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name)?.status;

test("with nothing set and nothing there it says that all is fine, and makes nothing", async () => {
  const home = join(await newHome(), "not-yet");
  const { code, checks } = await doctor({ FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0", FOOTNOTE_PLAYGROUND_PORT: "0" });
  expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(code).toBe(0);
  await expect(rm(home)).rejects.toMatchObject({ code: "ENOENT" });
});

test("with mistakes in the settings it names them all", async () => {
  const { code, checks, said } = await doctor({ SLACK_BOT_TOKEN: "canary-token", FOOTNOTE_PORT: "ninety" });
  expect(code).toBe(1);
  expect(checks).toMatchObject([
    { name: "Configuration", status: "failed", mend: expect.stringMatching(/SLACK_BOT_TOKEN must be[\s\S]*FOOTNOTE_PORT must be/) },
  ]);
  expect(said).not.toContain("canary");
});

test("when nothing works it still says what, each with its mend, and shows no secret", async () => {
  const nowhere = "http://127.0.0.1:1";
  const { code, checks, said } = await doctor({
    FOOTNOTE_HOME: join(process.cwd(), "package.json", "home"),
    DATABASE_URL: "postgres://somebody:canary-password@127.0.0.1:1/none",
    SLACK_BOT_TOKEN: "xoxb-canary-bot",
    SLACK_APP_TOKEN: "xapp-canary-app",
    SLACK_API_URL: `${nowhere}/api/`,
    OPENAI_BASE_URL: `${nowhere}/v1`,
    OPENAI_API_KEY: "sk-canary-key",
    FOOTNOTE_EMBEDDER: "openai",
    FOOTNOTE_EMBEDDING_MODEL: "none",
    FOOTNOTE_PLUGINS: "footnote-plugin-of-nobody",
    FOOTNOTE_HOST: "192.0.2.1",
  });
  const failed = checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  expect(failed).toEqual(["Data folder", "Database", "Embedder", "Model", "Plugins", "Slack app", "Slack workspace", "HTTP port"]);
  expect(checks.filter(({ status, mend }) => status !== "ok" && !mend)).toEqual([]);
  expect(code).toBe(1);
  expect(said).not.toContain("canary");
});

test("beside the running program it sees what only that can see, and the token of every workspace", async () => {
  const slack = await FakeSlack.start({ seed: defaultSeed });
  cleanUp.push(() => slack.stop());
  const program = await Program.prepare(slack);
  cleanUp.push(() => program.stop());
  await program.start();
  const env = {
    ...{ FOOTNOTE_HOME: program.home, FOOTNOTE_PUBLIC_URL: "https://bot.example", SLACK_API_URL: slack.apiUrl },
    ...{ SLACK_APP_TOKEN: slack.appToken, SLACK_BOT_TOKEN: slack.workspace("acme").botToken },
  };
  const well = await doctor(env);
  expect(well.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  expect(well.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Database", "pgvector", "Schema", "HTTP server", "Slack app", "Slack Acme", "Clock"]),
  );
  expect(well.code).toBe(0);
  expect(well.said).not.toMatch(/xox|xapp/);

  slack.fail({ method: "auth.test", error: "token_revoked", times: 10 });
  const revoked = await doctor(env);
  expect([revoked.code, statusOf(revoked.checks, "Slack Acme"), statusOf(revoked.checks, "Database")]).toEqual([1, "failed", "ok"]);

  await program.kill();
  const without = await doctor(env);
  expect(statusOf(without.checks, "Database")).toBe("ok");
});
