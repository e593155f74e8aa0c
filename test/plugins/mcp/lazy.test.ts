import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
/** Files that load a module as soon as they are loaded themselves. */
const loading = (module: string) =>
  files.filter((path) => new RegExp(`^import (?!type )[^;]*from "${module}"`, "m").test(readFileSync(join(root, path), "utf8")));

test("without an external server the protocol's client is never loaded: three files import it, and nothing imports those at its start", () => {
  expect(loading("@modelcontextprotocol/client")).toEqual([
    ...["plugins/mcp/client-session.ts", "plugins/mcp/sampling.ts", "plugins/mcp/login/person-login.ts"],
  ]);
  expect(loading("\\./sampling\\.ts")).toEqual(["plugins/mcp/client-session.ts"]);
  expect(loading("\\./client-session\\.ts")).toEqual([]);
  expect(loading('[^"]*person-login\\.ts')).toEqual([]);
  const tools = readFileSync(join(root, "plugins/mcp/mcp-tools.ts"), "utf8");
  for (const file of ["client-session.ts", "login/person-login.ts"]) expect(tools).toContain(`await import("./${file}")`);
});
