import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../../src/core/clock.ts";
import { findSandbox, launchOf } from "../../../src/plugins/mcp/stdio/sandbox.ts";
import { killPrograms, startProgram } from "../../fakes/child-program.ts";
import { call, closeAll, connectionTo, program, programServer, sandbox } from "./fixture.ts";

const here = findSandbox();
if (!here) process.stderr.write("No working bubblewrap on this machine: T48 and T49 are left out. Install it with .ci/bubblewrap.sh.\n");
const given = here ? test : test.skip;

afterEach(closeAll);
afterEach(killPrograms);

/** Polls: what it looks at happens in other processes. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.sleep(50);
}

/** Command lines of all processes of this machine. */
const commandLines = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });

describe("H5-MCP-09: what a program is given", () => {
  const asWritten = "https://x/$".concat("{SLACK_BOT_TOKEN}");
  const secrets = { SLACK_BOT_TOKEN: "xoxb-canary-1", DATABASE_URL: "postgres://canary-2", OPENAI_API_KEY: "sk-canary-3" };
  beforeAll(() => void Object.assign(process.env, secrets));
  afterAll(() => {
    for (const name of Object.keys(secrets)) delete process.env[name];
  });

  const seen = async (rules: typeof sandbox | undefined) =>
    JSON.parse(await call(connectionTo(programServer([], { sandbox: rules, env: { API_KEY: "k", URL: asWritten } })), "env"));

  test("without a sandbox: what was configured, PATH and HOME, none of our own; nothing is filled in", async () => {
    const env = await seen(undefined);
    expect(env).toMatchObject({ API_KEY: "k", URL: asWritten, PATH: expect.any(String), HOME: expect.any(String) });
    expect(JSON.stringify(env)).not.toContain("canary");
  });

  given("in the sandbox: the same", async () => {
    const env = await seen(sandbox);
    expect(env).toMatchObject({ API_KEY: "k", URL: asWritten, PATH: expect.any(String), HOME: expect.any(String) });
    expect(JSON.stringify(env)).not.toContain("canary");
  });

  given("its secrets do not stand on a command line, where every process could read them", () => {
    const { args } = launchOf(programServer([], { sandbox, env: { API_KEY: "canary-4" } }).transport as Parameters<typeof launchOf>[0]);
    expect(args.join(" ")).not.toContain("canary-4");
  });
});

test("I10: where there is no sandbox, a program does not run unless the operator waived it", () => {
  const { transport } = programServer([], { sandbox });
  if (transport.kind !== "stdio") throw new Error("not a program");
  expect(() => launchOf(transport, "")).toThrow("There is no sandbox");
  expect(launchOf({ ...transport, sandbox: undefined }, "").command).toBe(process.execPath);
});

describe("T48: secrets around a program", () => {
  given("it sees neither the bot's processes nor its files", async () => {
    process.env.CANARY_IN_ENVIRONMENT = "canary-5";
    const home = await mkdtemp(join(tmpdir(), "home-"));
    await writeFile(join(home, "keys"), "canary-6");
    const files = [
      join(home, "keys"),
      join(homedir(), ".ssh/id_ed25519"),
      "/etc/shadow",
      "/var/run/docker.sock",
      fileURLToPath(new URL("../../../package.json", import.meta.url)),
    ];
    const connection = connectionTo(programServer([], { sandbox }));
    const looked = JSON.parse(await call(connection, "look", { value: files.join("\n") }));
    delete process.env.CANARY_IN_ENVIRONMENT;
    expect(JSON.stringify(looked)).not.toContain("canary");
    expect(new Set(Object.values(looked.files))).toEqual(new Set(["absent"]));
    // Itself, the first process of its own world, and nobody else.
    expect(looked.processes).toBeLessThanOrEqual(3);
  });

  given("its twin: a file that the operator lists can be read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "shared-"));
    await writeFile(join(folder, "note"), "for everybody");
    const connection = connectionTo(programServer([], { sandbox: { ...sandbox, read: [program, folder] } }));
    const looked = JSON.parse(await call(connection, "look", { value: join(folder, "note") }));
    expect(Object.values(looked.files)).toEqual(["for everybody"]);
  });

  given("it reaches no network, not even this machine, unless the operator opens it", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end("hello");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      expect(await call(connectionTo(programServer([], { sandbox })), "net", { value: url })).toMatch(/^refused/);
      expect(asked).toBe(0);
      expect(await call(connectionTo(programServer([], { sandbox: { ...sandbox, network: true } })), "net", { value: url })).toBe("200");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("T49: a program that takes too much", () => {
  given.each(["fork", "memory", "flood"])("%s: it is ended, its call fails, and the other servers go on", async (abuse) => {
    const other = connectionTo(programServer([], { sandbox }));
    await other.tools();
    const connection = connectionTo(programServer([], { sandbox }));
    await expect(call(connection, abuse)).rejects.toThrow();
    expect(await call(other, "echo", { value: "fine" })).toBe("fine");
  });

  given("the system itself bounds how many processes it starts", async () => {
    const limits = await call(connectionTo(programServer([], { sandbox })), "look", { value: "/proc/self/limits" });
    expect(limits).toMatch(/Max processes +4096 +4096/);
  });

  given("it cannot fill the disk, neither the folder in memory nor one that it may write to", async () => {
    const folder = await mkdtemp(join(tmpdir(), "written-"));
    const rules = { ...sandbox, memoryMib: 2_048, write: [folder] };
    expect(await call(connectionTo(programServer([], { sandbox: rules })), "disk", { value: "/tmp" })).toMatch(/refused E(NOSPC|FBIG)/);
    const written = call(connectionTo(programServer([], { sandbox: rules })), "disk", { value: folder });
    expect(await written.catch(() => "refused: ended")).toMatch(/^refused/);
    await writeFile(join(folder, "file"), "");
  });

  given("what it has started ends with it", async () => {
    const name = `canary-sleeper-${process.pid}`;
    const connection = connectionTo(programServer([], { sandbox }));
    await call(connection, "orphan", { value: name });
    await until(() => commandLines().some((line) => line.includes(name)));
    await closeAll();
    await until(() => !commandLines().some((line) => line.includes(name)));
    expect(commandLines().some((line) => line.includes(name))).toBe(false);
  });

  given("nothing of it is left after the bot was killed with -9", async () => {
    const name = `canary-orphan-${process.pid}`;
    const server = programServer([], { sandbox });
    const bot = startProgram(`
      const [{ openSession }, { systemClock }, { silentLogger }] = await Promise.all(
        ["plugins/mcp/client-session.js", "core/clock.js", "core/logger.js"].map(at));
      const server = { ...${JSON.stringify(server)} };
      const signal = new AbortController().signal;
      const session = await openSession({ server, clock: systemClock, log: silentLogger, signal, listChanged() {} });
      const told = { signal, totalMs: 60000, onProgress() {} };
      await session.call({ name: "orphan", description: "", inputSchema: {} }, { value: "${name}" }, told);
      console.log("started");
    `);
    await bot.line("started");
    const left = () => commandLines().filter((line) => line.includes(name) && !line.includes("openSession"));
    await until(() => left().length > 0);
    await bot.kill();
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  });
});
