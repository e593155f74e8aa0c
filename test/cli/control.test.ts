import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent } from "../../src/agent/events.ts";
import { controlAddress } from "../../src/cli/control-address.ts";
import { connectToRunning } from "../../src/cli/control-client.ts";
import { startControlServer } from "../../src/cli/control-server.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Operations } from "../../src/operations.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";
import { until } from "../fakes/until.ts";

const signal = new AbortController().signal;
const question = { question: "leave?", workspace: "acme", channel: "general", as: "alice" };

async function running(home = mkdtempSync(join(tmpdir(), "footnote-control-"))) {
  const operations = new CannedOperations();
  const server = await startControlServer(home, operations, silentLogger);
  const client = (await connectToRunning(home)) as Operations;
  return { home, operations, server, client };
}

test("a command reaches the running program: events while it works, then the same report", async () => {
  const { operations, server, client } = await running();
  const events: AgentEvent[] = [];
  const report = await client.ask(question, { write: (event) => void events.push(event) }, signal);
  expect(operations.asked).toEqual([question]);
  expect(events.map(({ type }) => type)).toEqual(["answer-start", "tool-start", "text-delta", "text-delta", "answer-end"]);
  expect(report).toMatchObject({ status: "answered", traceId: "t-1", citations: [{ n: 1, page: 2 }] });

  const progress: number[] = [];
  const summary = await client.ingest({ workspace: "acme", paths: ["/x"] }, ({ done }) => void progress.push(done), signal);
  expect(progress).toEqual([1, 2]);
  expect(summary.files).toHaveLength(2);
  await server.close();
});

test("a data folder that is not there yet is made: with a server database and a configured key ring nothing else makes it", async () => {
  const home = join(mkdtempSync(join(tmpdir(), "footnote-control-")), "home");
  const { server, client } = await running(home);
  expect(await client.ask(question, { write: () => {} }, signal)).toMatchObject({ status: "answered" });
  expect(statSync(home).mode & 0o777).toBe(0o700);
  await server.close();
});

test("keys and checks go the same way", async () => {
  const { server, client } = await running();
  expect(await client.addKey({ workspace: "acme", as: "alice" })).toMatchObject({ id: "k-1", key: "fnk_x.y" });
  expect(await client.keys("globex")).toMatchObject([{ workspace: "globex" }]);
  expect(await client.keys()).toMatchObject([{ workspace: "acme" }]);
  await client.revokeKey("k-1");
  await expect(client.revokeKey("k-2")).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
  expect(await client.diagnose()).toMatchObject([{ name: "Database", status: "ok" }]);
  await server.close();
});

test("a failure arrives with its code and its sentence", async () => {
  const { server, client } = await running();
  await expect(client.ask({ ...question, workspace: "nope" }, { write: () => {} }, signal)).rejects.toMatchObject({
    code: "WORKSPACE_UNKNOWN",
  });
  await expect(client.trace("other")).rejects.toMatchObject({ code: "NOT_FOUND", message: "Not found." });
  await server.close();
});

test("when the person at the terminal gives up, the work in the program stops", async () => {
  const { operations, server, client } = await running();
  operations.hang = true;
  const giveUp = new AbortController();
  const asked = client.ask(question, { write: () => {} }, giveUp.signal);
  while (operations.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  giveUp.abort(new AppError("CANCELLED"));
  await expect(asked).rejects.toMatchObject({ code: "CANCELLED" });
  await server.close();
  await until(() => operations.aborted);
});

test("only the same user can open the socket, and a stale one of a crash is no obstacle", async () => {
  const home = mkdtempSync(join(tmpdir(), "footnote-control-"));
  expect(await connectToRunning(home)).toBeUndefined();
  writeFileSync(controlAddress(home), "left over");
  const { server, client } = await running(home);
  expect(statSync(controlAddress(home)).mode & 0o777).toBe(0o600);
  expect(await client.workspaces()).toHaveLength(1);
  await server.close();
  expect(await connectToRunning(home)).toBeUndefined();
});

test("a data folder with a very long path gets its socket elsewhere", () => {
  const long = `/home/somebody/${"deep/".repeat(40)}`;
  expect(controlAddress(long).length).toBeLessThan(100);
  expect(controlAddress(long)).not.toBe(controlAddress(`${long}x`));
});
