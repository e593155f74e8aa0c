import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/cli/program.ts";
import { loadConfig } from "../../src/config.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "src/plugins/README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith(".md"),
);

/** Command lines in the fenced blocks of a page, as somebody would copy them: comments, pipes and variables left out. */
function commandsIn(path: string): readonly string[] {
  const blocks = readFileSync(join(root, path), "utf8")
    .split("```")
    .filter((_, at) => at % 2 === 1);
  return blocks
    .flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
    .flatMap((line) => /^\s*(?:\$ )?(?:npm run -s footnote -- |footnote )(.*)$/.exec(line)?.[1] ?? [])
    .map((line) => (line.split(/\s(?:#|\||>|&&)\s/)[0] ?? "").trim());
}
const words = (line: string): string[] => [...line.matchAll(/"([^"]*)"|'([^']*)'|(<[^>]*>|\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");

const all = pages.flatMap((path) => commandsIn(path).map((line) => [path, line] as const));

test("there are commands to look at", () => expect(all.length).toBeGreaterThan(30));

test.each(all)("%s: footnote %s is a command as it stands there", async (_path, line) => {
  let said = "";
  const program = commandLine({
    config: loadConfig({}),
    out: { write: (text) => (said += text) },
    side: { write: (text) => (said += text) },
    signal: new AbortController().signal,
    connect: async () => ({ operations: new CannedOperations(), close: async () => {} }),
    start: async () => {},
    migrate: async () => {},
    doctor: async () => [],
    manifest: async () => "",
    serveMcp: async () => {},
    installModel: async () => "",
  });
  const code = await program.run(words(line)).catch((thrown: unknown) => String(thrown));
  // 2: what was typed is no command. Anything else comes from what the command does.
  expect([code, said.match(/error: .*/)?.[0]]).not.toEqual([2, expect.anything()]);
});
