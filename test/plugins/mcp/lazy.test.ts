import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
/** Files that load a module as soon as they are loaded themselves. */
const loading = (module: string) =>
  files.filter((path) => new RegExp(`^import (?!type )[^;]*from "${module}"`, "m").test(readFileSync(join(root, path), "utf8")));

test("without an external server the protocol's client is never loaded: one file imports it, and nothing imports that file at its start", () => {
  expect(loading("@modelcontextprotocol/client")).toEqual(["plugins/mcp/client-session.ts"]);
  expect(loading("\\./client-session\\.ts")).toEqual([]);
  expect(readFileSync(join(root, "plugins/mcp/mcp-tools.ts"), "utf8")).toContain('await import("./client-session.ts")');
});
