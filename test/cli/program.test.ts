import { commandLine } from "../../src/cli/program.ts";
import { loadConfig } from "../../src/config.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

function run(...argv: string[]) {
  const operations = new CannedOperations();
  const printed = { out: "", side: "", closed: 0 };
  const program = commandLine({
    config: loadConfig({ INIT_CWD: "/work/of/somebody" }),
    out: { write: (text) => (printed.out += text) },
    side: { write: (text) => (printed.side += text) },
    signal: new AbortController().signal,
    connect: async () => ({
      operations,
      close: async () => {
        printed.closed++;
      },
    }),
    start: async () => {},
    migrate: async () => {},
    doctor: async () => [],
    manifest: async () => "",
  });
  return program.run(argv).then((code) => ({ code, operations, ...printed }));
}

test("ask --json prints one JSON object and nothing else on standard output", async () => {
  const { code, out, closed, operations } = await run(
    "ask",
    "leave?",
    "--workspace",
    "acme",
    "--channel",
    "general",
    "--as",
    "alice",
    "--json",
  );
  expect(code).toBe(0);
  expect(Object.keys(JSON.parse(out))).toEqual(["status", "answer", "citations", "tools", "traceId"]);
  expect(operations.asked).toEqual([{ question: "leave?", workspace: "acme", channel: "general", as: "alice" }]);
  expect(closed).toBe(1);
});

test("for people the answer, its sources and its trace are text, and the activity goes to standard error", async () => {
  const { out, side } = await run("ask", "leave?", "--workspace", "acme", "--as", "alice");
  expect(out).toBe("Eighteen weeks [1].\n\nSources\n[1] Handbook, page 2\n    http://127.0.0.1/sources/x\n\ntrace t-1\n");
  expect(side).toContain("Searching");
});

test("ingest takes paths from where the person stands, reports each file and fails when one failed", async () => {
  const { code, out, operations } = await run("ingest", "handbook", "/abs", "--workspace", "acme", "--channel", "people-ops");
  expect(operations.ingested).toEqual([{ workspace: "acme", channel: "people-ops", paths: ["/work/of/somebody/handbook", "/abs"] }]);
  expect(out).toContain("failed    b.pdf: The document holds no text.");
  expect(code).toBe(1);
  expect((await run("ingest", "x", "--workspace", "acme", "--channel", "a", "--person", "b")).code).toBe(2);
});

test("a mistake is told as a sentence, or as JSON when JSON was asked for; a wrong call has another exit status", async () => {
  const person = await run("ask", "leave?", "--workspace", "nope", "--as", "alice");
  expect([person.code, person.out]).toEqual([1, ""]);
  expect(person.side).toContain("There is no such workspace.");
  const machine = await run("ask", "leave?", "--workspace", "nope", "--as", "alice", "--json");
  expect(JSON.parse(machine.out)).toMatchObject({ status: "error", error: { code: "WORKSPACE_UNKNOWN" } });
  expect((await run("ask", "leave?", "--as", "alice")).code).toBe(2);
  expect((await run("help")).code).toBe(0);
});

test.each([
  ["EROFS", "HOME_NOT_WRITABLE"],
  ["ENOSPC", "HOME_NOT_WRITABLE"],
  ["EADDRINUSE", "PORT_TAKEN"],
  ["EWHATEVER", "INTERNAL"],
])("what the system refuses with %s is told as %s", async (system, code) => {
  let said = "";
  const program = commandLine({
    config: loadConfig({}),
    out: { write: (text) => (said += text) },
    side: { write: () => true },
    signal: new AbortController().signal,
    connect: async () => Promise.reject(Object.assign(new Error("no"), { code: system })),
    start: async () => {},
    migrate: async () => {},
    doctor: async () => [],
    manifest: async () => "",
  });
  expect(await program.run(["workspace", "list", "--json"])).toBe(1);
  expect(JSON.parse(said)).toMatchObject({ error: { code } });
});
