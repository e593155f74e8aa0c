import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { commandLine } from "../../src/cli/program.ts";
import { loadConfig } from "../../src/config.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

const folder = mkdtempSync(join(tmpdir(), "footnote-templates-"));

async function run(...argv: string[]) {
  const printed = { out: "", side: "" };
  const program = commandLine({
    config: loadConfig({ INIT_CWD: folder }),
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

test("templates are listed, for people and as JSON", async () => {
  expect((await run("template", "list", "--workspace", "acme")).out).toBe("general  General assistant  built in\n");
  expect(JSON.parse((await run("template", "list", "--workspace", "acme", "--json")).out).templates).toHaveLength(1);
});

test("a file is read where the person is, and its mistakes come back with their lines", async () => {
  writeFileSync(join(folder, "support.yml"), "name: support\ntitle: Support\n");
  writeFileSync(join(folder, "bad.yml"), "title: Bad\n");
  expect((await run("template", "apply", "support.yml", "--workspace", "acme")).out).toBe("support added (version 1).\n");
  const bad = await run("template", "apply", "bad.yml", "--workspace", "acme");
  expect([bad.code, bad.side]).toEqual([1, expect.stringContaining("- line 1: name is missing")]);
  const none = await run("template", "apply", "none.yml", "--workspace", "acme");
  expect([none.code, none.side]).toEqual([1, expect.stringContaining("cannot be read")]);
});

test("a template is exported as the file that apply takes, and a check shows what a file would change", async () => {
  expect((await run("template", "export", "support", "--workspace", "acme")).out).toBe("name: support\ntitle: Support\n");
  writeFileSync(join(folder, "other.yml"), "name: support\ntitle: Support\n");
  expect((await run("template", "apply", "other.yml", "--check", "--workspace", "acme")).out).toBe(
    "- title: Help\n+ title: Support\nsupport would be changed.\n",
  );
});

test("a template is chosen for a channel, a flag is set and taken back", async () => {
  expect((await run("template", "use", "support", "--workspace", "acme", "--channel", "general")).out).toBe("#general now uses support.\n");
  expect((await run("flag", "set", "beta", "--workspace", "acme")).out).toBe("Released to acme: beta.\n");
  expect((await run("flag", "unset", "beta", "--workspace", "acme", "--json")).out).toBe('{"flags":[]}\n');
});

test("flags are listed with the tools behind them, released or not", async () => {
  expect((await run("flag", "list", "--workspace", "acme")).out).toBe(
    "beta  released  new_thing\nold  released  no tool has it any more\nslack-search  not released  search_slack\n",
  );
  expect(JSON.parse((await run("flag", "list", "--workspace", "acme", "--json")).out).flags).toHaveLength(3);
});

test.each([
  ["template", "apply", "x.yml"],
  ["template", "use", "x", "--workspace", "acme"],
  ["flag", "set", "beta"],
  ["flag", "list"],
])("%s %s without its workspace or channel says what is missing", async (...argv) => expect((await run(...argv)).code).toBe(2));
