import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { cycles } from "./architecture/cycles.ts";
import { egressViolations, unusedDoors } from "./architecture/egress.ts";
import { clockViolations, environmentViolations, tooLong, uncoveredTools, vagueNames } from "./architecture/file-rules.ts";
import { importViolations } from "./architecture/import-rules.ts";
import { readSource } from "./architecture/source-file.ts";

const root = join(import.meta.dirname, "..");
const list = (folder: string, pattern: RegExp): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((path) => `${folder}/${path}`)
        .filter((path) => pattern.test(path))
        .sort()
    : [];

const files = ["src", "migrations", "playground"]
  .flatMap((folder) => list(folder, /(?<!\.d)\.tsx?$/))
  .map((path) => readSource(path, readFileSync(join(root, path), "utf8")));

describe("the source tree keeps its architecture", () => {
  test("there is something to check", () => expect(files.length).toBeGreaterThan(20));
  test("imports go one way", () => expect(importViolations(files)).toEqual([]));
  test("no import cycle, types included", () => expect(cycles(files)).toEqual([]));
  test("only the clock reads the time", () => expect(clockViolations(files)).toEqual([]));
  test("only the configuration reads the environment", () => expect(environmentViolations(files)).toEqual([]));
  test("only safe-fetch and endpoints of the operator open connections", () => {
    expect(egressViolations(files)).toEqual([]);
    expect(unusedDoors(files)).toEqual([]);
  });
  test("no file is longer than 300 lines", () => expect(tooLong(files)).toEqual([]));
  test("every name says what is inside", () => expect(vagueNames(files)).toEqual([]));
  test("every tool is offered by its plugin and has a test", () => expect(uncoveredTools(files, list("test", /\.test\.ts$/))).toEqual([]));
  test("the page on architecture names every folder of src", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => `${entry.name}/`).filter((name) => !page.includes(name))).toEqual([]);
  });
});

/** A small made-up tree: path -> code. */
const tree = (sources: Record<string, string>) => Object.entries(sources).map(([path, code]) => readSource(path, code));
const importing = (path: string, code: string) => importViolations(tree({ [path]: code }));

describe("the check itself finds what is wrong", () => {
  test.each([
    ["a static import", "src/core/a.ts", 'import { x } from "../agent/x.ts";'],
    ["a type import", "src/permissions/a.ts", 'import type { X } from "../agent/x.ts";'],
    ["a type in an expression", "src/permissions/a.ts", 'type X = import("../agent/x.ts").X;'],
    ["a dynamic import", "src/knowledge/a.ts", 'const x = await import("../agent/x.ts");'],
    ["a re-export", "src/core/a.ts", 'export * from "../bot/x.ts";'],
    ["a named re-export", "src/core/a.ts", 'export { x } from "../bot/x.ts";'],
    ["a thread's entry", "src/core/a.ts", 'new Worker(compiledEntry("../bot/x.ts", import.meta.url));'],
    ["an import that cannot be checked", "src/core/a.ts", "const x = await import(name);"],
    ["the store imported by the bot", "src/bot/a.ts", 'import { x } from "../store/x.ts";'],
    ["the store imported by the command line", "src/main.ts", 'import { x } from "./store/x.ts";'],
    ["a plugin imported by the agent", "src/agent/a.ts", 'import { x } from "../plugins/documents/x.ts";'],
    ["the list of plugins imported by the agent", "src/agent/a.ts", 'import { x } from "../plugins/index.ts";'],
    ["a plugin imported by another", "src/plugins/web/a.ts", 'import { x } from "../documents/x.ts";'],
    ["a plugin that reaches past the port", "src/plugins/documents/a.ts", 'import { x } from "../../knowledge/retrieve/x.ts";'],
    ["a plugin that decides permissions", "src/plugins/documents/a.ts", 'import { x } from "../../permissions/x.ts";'],
    ["the bot imported by the API", "src/api/a.ts", 'import { x } from "../bot/x.ts";'],
    ["Slack in the agent", "src/agent/a.ts", 'import { WebClient } from "@slack/web-api";'],
    ["SQL in permissions", "src/permissions/a.ts", 'import { Repository } from "typeorm";'],
    ["a folder without a place", "src/misc/a.ts", 'import { x } from "../core/x.ts";'],
  ])("%s", (_, path, code) => expect(importing(path, code)).toHaveLength(1));

  test.each([
    ["the app imports the store", "src/app.ts", 'import { x } from "./store/x.ts";'],
    ["the agent imports the contract", "src/agent/a.ts", 'import type { X } from "../plugins/contract.ts";'],
    [
      "a plugin imports itself and its port",
      "src/plugins/documents/tools/a.ts",
      'import "../x.ts"; import "../../../knowledge/library.ts";',
    ],
    ["the bot imports Slack and the agent", "src/bot/a.ts", 'import "@slack/bolt"; import "../agent/x.ts";'],
    ["a comment or a string is no import", "src/core/a.ts", '// import "../bot/x.ts"\nconst x = \'import "../bot/x.ts"\';'],
  ])("and lets through: %s", (_, path, code) => expect(importing(path, code)).toEqual([]));

  test("cycles, also of types and over three files", () => {
    const circle = {
      "src/core/a.ts": 'import type { B } from "./b.ts";',
      "src/core/b.ts": 'import { c } from "./c.ts";',
      "src/core/c.ts": 'export type A = import("./a.ts").A;',
    };
    expect(cycles(tree(circle))).toEqual(["src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts"]);
    expect(cycles(tree({ ...circle, "src/core/c.ts": "export const c = 1;" }))).toEqual([]);
  });

  test.each(["Date.now()", "new Date()", "new Date", "performance.now()", 'Date["now"]()', "process.hrtime()", "const D = Date"])(
    "time read by %s",
    (code) => {
      expect(clockViolations(tree({ "src/agent/a.ts": code }))).toHaveLength(1);
      expect(clockViolations(tree({ "src/core/clock.ts": code }))).toEqual([]);
    },
  );

  test("a date made from a value is no reading of the time", () =>
    expect(clockViolations(tree({ "src/agent/a.ts": "new Date(ms); Date.parse(text); let x: Date;" }))).toEqual([]));

  test.each(["process.env.HOME", 'process["env"]', "const { env } = process", 'import { env } from "node:process"'])(
    "environment read by %s",
    (code) => {
      expect(environmentViolations(tree({ "src/agent/a.ts": code }))).toHaveLength(1);
      expect(environmentViolations(tree({ "src/config.ts": code }))).toEqual([]);
    },
  );

  test.each([
    "await fetch(url)",
    "const get = globalThis.fetch",
    'globalThis["fetch"](url)',
    "const get = fetch",
    "use({ fetch: fetch })",
    "new Client(fetch)",
    "new WebSocket(url)",
    "new EventSource(url)",
    'import { request } from "node:https"',
    'import http from "http"',
    'import * as net from "node:net"',
    'import { createServer, connect } from "node:net"',
    'import { createServer as listen, request as ask } from "node:http"',
    'import "undici"',
    'import { lookup } from "node:dns/promises"',
    'const { request } = await import("node:http")',
    'const { request } = require("node:http")',
    'export { request } from "node:http"',
    'import axios from "axios"',
  ])("a connection opened by %s", (code) => {
    expect(egressViolations(tree({ "src/plugins/x/a.ts": code }))).toHaveLength(1);
    expect(egressViolations(tree({ "src/safe-fetch/a.ts": code }))).toEqual([]);
  });

  test.each([
    'import type { IncomingMessage } from "node:http"',
    'import { createServer, type Server } from "node:http"',
    'import { isIP } from "node:net"',
    "await safeFetch(url)",
    "await this.#world.fetch(url)",
    "const mcp = new Transport(url, { fetch: safeFetch })",
  ])("and no connection opened by %s", (code) => expect(egressViolations(tree({ "src/plugins/x/a.ts": code }))).toEqual([]));

  test("long files and vague names", () => {
    expect(tooLong(tree({ "src/core/a.ts": "x;\n".repeat(301) }))).toEqual(["src/core/a.ts: 301 lines"]);
    expect(tooLong(tree({ "src/core/a.ts": "x;\n".repeat(300) }))).toEqual([]);
    const names = ["src/core/utils.ts", "src/helpers/a.ts", "src/bot/session-manager.ts", "src/core/types.ts", "src/core/clock.ts"];
    expect(vagueNames(names.map((path) => readSource(path, "")))).toEqual(names.slice(0, 4));
  });

  test("a tool without a test, and a tool that its plugin forgot", () => {
    const plugin = tree({
      "src/plugins/x/plugin.ts": 'import { a } from "./tools/do-a.ts";',
      "src/plugins/x/tools/do-a.ts": "export const a = 1;",
      "src/plugins/x/tools/do-b.ts": "export const b = 1;",
    });
    expect(uncoveredTools(plugin, ["test/plugins/x/tools/do-b.test.ts"])).toEqual([
      "src/plugins/x/tools/do-a.ts has no test",
      "src/plugins/x/tools/do-b.ts is not offered by src/plugins/x/plugin.ts",
    ]);
  });
});
