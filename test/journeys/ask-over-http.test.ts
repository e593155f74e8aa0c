import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { AskReport } from "../../src/operations.ts";
import { type RunningApp, runApp } from "./running-app.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await runApp();
});
afterAll(() => running.stop());

const keyFor = async (as: string, workspace = "acme") => (await running.app.operations.addKey({ workspace, as })).key;
const post = async (key: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${running.url}/api/ask`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};
const ask = async (key: string, body: unknown) => JSON.parse((await post(key, body)).text) as AskReport;

const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
const examples = [...page.matchAll(/^```sh\n(curl [\s\S]*?)^```$/gm)].map(([, command = ""]) => command);

/** Runs a command of the page as somebody at a shell would; without curl on this machine its parts are sent by hand. */
async function runExample(command: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", FOOTNOTE_URL: running.url, FOOTNOTE_KEY: await keyFor("alice") };
  const run = promisify(execFile);
  if (await run("curl", ["--version"]).catch(() => undefined)) return (await run("sh", ["-c", command], { env })).stdout;
  const headers = [...command.matchAll(/-H "([^:]+): ([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replace("$FOOTNOTE_KEY", env.FOOTNOTE_KEY)] as const,
  );
  const [, body = ""] = /-d '([^']*)'/.exec(command) ?? [];
  return (
    await fetch(`${running.url}/api/ask`, {
      method: "POST",
      headers: [...headers.map(([name, value]): [string, string] => [name, value])],
      body,
    })
  ).text();
}

describe("the page on the API", () => {
  test("shows a question that is answered with sources", async () => {
    const [example = ""] = examples;
    const report = JSON.parse(await runExample(example)) as AskReport;
    expect(report).toMatchObject({ status: "answered", citations: [{ n: 1 }] });
    expect(report.answer).toContain("18 weeks");
    expect(Object.keys(report)).toEqual([...page.matchAll(/^\| `(status|answer|citations|tools|traceId)` \|/gm)].map(([, field]) => field));
    expect((await fetch(report.citations[0]?.url ?? "")).status).toBe(200);
  });

  test("shows a stream, and lists every event that comes", async () => {
    const said = await runExample(examples[1] ?? "");
    const events = [...said.matchAll(/^event: (.+)$/gm)].map(([, type = ""]) => type);
    const listed = [...page.matchAll(/^\| `([a-z]+-[a-z]+|notice)` \|/gm)].map(([, type]) => type);
    expect([events[0], events.at(-1)]).toEqual(["answer-start", "answer-end"]);
    expect(events.filter((type) => !listed.includes(type))).toEqual([]);
    expect(events.filter((type) => type === "text-delta").length).toBeGreaterThan(1);
    expect(examples).toHaveLength(2);
  });
});

describe("a key gets what its person gets in Slack", () => {
  test("in the workspace it is of, and nothing of the other", async () => {
    const [acme, globex] = [await keyFor("alice"), await keyFor("alice", "globex")];
    const question = { question: "What is our parental leave?", channel: "general" };
    expect((await ask(acme, question)).answer).toContain("18 weeks");
    const theirs = await ask(globex, question);
    expect(theirs.answer).toContain("12 weeks");
    expect(theirs.answer).not.toContain("18 weeks");
  });

  test("in a private channel only when the person is in it", async () => {
    const [alice, bob] = [await keyFor("alice"), await keyFor("bob")];
    const question = { question: "What do we plan to acquire?", channel: "board" };
    expect((await ask(alice, question)).status).toBe("answered");
    const [refused, unknown] = [await post(bob, question), await post(bob, { ...question, channel: "nowhere" })];
    expect([refused.status, refused.text]).toEqual([404, unknown.text]);
  });

  test("in the direct message the person's own documents, and nobody else's", async () => {
    const question = { question: "What is in the compensation letter?" };
    const titles = async (as: string) => (await ask(await keyFor(as), question)).citations.map(({ title }) => title.toLowerCase());
    expect((await titles("bob")).filter((title) => title.includes("alice"))).toEqual([]);
    expect((await titles("alice")).filter((title) => title.includes("bob"))).toEqual([]);
  });

  test("until it is revoked", async () => {
    const { id, key } = await running.app.operations.addKey({ workspace: "acme", as: "bob", name: "old laptop" });
    expect((await post(key, { question: "Hello" })).status).toBe(200);
    expect(await running.app.operations.keys("acme")).toContainEqual(
      expect.objectContaining({ id, person: "bob", name: "old laptop", lastUsedAt: expect.any(String), revokedAt: null }),
    );
    await running.app.operations.revokeKey(id);
    const [revoked, wrong] = [await post(key, { question: "Hello" }), await post(`${key.slice(0, -1)}x`, { question: "Hello" })];
    expect([revoked.status, revoked.text]).toEqual([401, wrong.text]);
    await expect(running.app.operations.revokeKey(id)).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
  });
});

test("a key for nobody, or of no workspace, is not made", async () => {
  const { operations } = running.app;
  await expect(operations.addKey({ workspace: "acme", as: "zoe" })).rejects.toMatchObject({ code: "PERSON_UNKNOWN" });
  await expect(operations.addKey({ workspace: "initech", as: "alice" })).rejects.toMatchObject({ code: "WORKSPACE_UNKNOWN" });
});
