import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = join(process.env.FOOTNOTE_SHARED ?? resolve("../shared"), "data/mcp-tools");

/** Tool lists of real servers by server; undefined where the shared data is not at hand. */
export function realTools(): ReadonlyMap<string, readonly unknown[]> | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [file.replace(/(_.*)?\.json$/, ""), JSON.parse(readFileSync(join(folder, file), "utf8"))]));
}
