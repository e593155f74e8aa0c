import type { McpServing } from "../../src/cli/mcp-serving.ts";
import { commandLine } from "../../src/cli/program.ts";
import { loadConfig } from "../../src/config.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

async function run(...argv: string[]) {
  const printed = { out: "", side: "", served: [] as McpServing[] };
  const program = commandLine({
    config: loadConfig({}),
    out: { write: (text) => (printed.out += text) },
    side: { write: (text) => (printed.side += text) },
    signal: new AbortController().signal,
    connect: async () => ({ operations: new CannedOperations(), close: async () => {} }),
    start: async () => {},
    migrate: async () => {},
    doctor: async () => [],
    manifest: async () => "",
    serveMcp: async (serving) => void printed.served.push(serving),
  });
  return { code: await program.run(argv), ...printed };
}

test("servers and tools are listed with their state, for people and as JSON", async () => {
  const { out } = await run("mcp", "list", "--workspace", "acme");
  expect(out).toContain("tracker: connected");
  expect(out).toContain("left out: bad, because its definition is too long");
  expect(out).toContain("files: The external server cannot be reached.");
  expect(out).toContain("tracker__find@0123456789ab  new  asks for each call");
  expect(JSON.parse((await run("mcp", "list", "--workspace", "acme", "--json")).out).tools).toHaveLength(2);
});

test("a workspace counts for the command that it stands behind: one for offering tools, one for looking at them", async () => {
  const offered = await run("mcp", "--workspace", "acme", "--as", "alice");
  expect([offered.code, offered.served]).toEqual([0, [{ kind: "person", workspace: "acme", as: "alice" }]]);
  const listed = await run("mcp", "list", "--workspace=acme");
  expect([listed.code, listed.served, listed.side]).toEqual([0, [], ""]);
});

test("a changed tool is shown with what has changed", async () => {
  expect((await run("mcp", "show", "tracker__add", "--workspace", "acme")).out).toBe("tracker__add@ba9876543210  changed\n+ new\n");
  expect((await run("mcp", "show", "nothing", "--workspace", "acme")).code).toBe(1);
});

test("approving says for each tool whether it is approved now", async () => {
  const { out } = await run(
    "mcp",
    "approve",
    "tracker__find@0123456789ab",
    "tracker__add@old",
    "--workspace",
    "acme",
    "--effect",
    "read-outside",
  );
  expect(out).toContain("tracker__find is approved.");
  expect(out).toContain("tracker__add is not approved");
  expect((await run("mcp", "approve", "x@y", "--workspace", "acme", "--effect", "harmless")).code).not.toBe(0);
});

test("approvals are taken back", async () => {
  expect((await run("mcp", "revoke", "tracker__find", "--workspace", "acme")).out).toBe("No longer approved: tracker__find.\n");
});

test("a link to log in with is printed, for one person", async () => {
  expect((await run("mcp", "connect", "tracker", "--workspace", "acme", "--as", "alice")).out).toBe(
    "https://footnote.test/login/tracker/alice\n",
  );
  expect((await run("mcp", "connect", "tracker", "--workspace", "acme")).code).toBe(2);
});

test("an operator takes somebody's log-in at a server back", async () => {
  const whose = ["--workspace", "acme", "--person", "alice"];
  expect((await run("mcp", "logout", "calendar", ...whose)).out).toBe("The log-in is destroyed.\n");
  expect((await run("mcp", "logout", "files", ...whose)).out).toBe("There was no such log-in.\n");
});
