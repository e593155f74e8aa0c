import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { commandLine } from "../../src/cli/program.ts";
import { loadConfig } from "../../src/config.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

async function run(...argv: string[]) {
  const printed = { out: "", side: "" };
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
  });
  return { code: await program.run(argv), ...printed };
}
const acme = ["--workspace", "acme"];

async function file(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "servers-")), "servers.yml");
  await writeFile(path, text);
  return path;
}

test("a workspace's own servers are printed as one file that `add` takes, with what is to be mended beside", async () => {
  expect((await run("mcp", "server", "list", ...acme)).out).toBe(
    [
      ...["servers:", "  tracker:", "    url: https://tracker.example/mcp", "  # Its header has no value any more: give it anew."],
      ...["  crm:", "    url: https://crm.example/mcp", ""],
    ].join("\n"),
  );
  expect(JSON.parse((await run("mcp", "server", "list", ...acme, "--json")).out).servers).toHaveLength(2);
});

test("adding says for each what has changed, a look beforehand what would; mistakes end with 1", async () => {
  const path = await file("servers: {}\n");
  expect((await run("mcp", "server", "add", path, ...acme)).out).toMatch(
    /^- old\n\+ new\ntracker changed\.\ncrm unchanged\.\nLook at what they offer/,
  );
  expect((await run("mcp", "server", "add", path, ...acme, "--check")).out).toBe(
    "- old\n+ new\ntracker would be changed.\ncrm would be unchanged.\n",
  );
  const wrong = await run("mcp", "server", "add", await file("servers: {x: {command: /bin/sh}}\n"), ...acme);
  expect([wrong.code, wrong.side]).toEqual([1, expect.stringContaining("command is nothing")]);
  expect((await run("mcp", "server", "add", "/nowhere.yml", ...acme)).side).toContain("cannot be read");
});

test("one is removed by its name; an unknown one ends with 1", async () => {
  expect((await run("mcp", "server", "remove", "tracker", ...acme)).out).toBe("Removed tracker.\n");
  expect((await run("mcp", "server", "remove", "other", ...acme)).code).toBe(1);
});
