import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/**
 * Which area may import which, itself aside. The arrow of docs/architecture.md as a table: a folder that is not here is refused,
 * so that a new one gets its place on purpose.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  contract: ["core"],
  registry: ["core", "contract"],
  "plugin loader": ["core", "contract", "registry"],
  "plugin list": ["core", "contract", "plugin", "library port", "safe-fetch"],
  plugin: ["core", "contract", "library port", "safe-fetch"],
  "safe-fetch": ["core"],
  permissions: ["core", "contract"],
  "library port": ["core"],
  knowledge: ["core", "library port", "safe-fetch"],
  agent: ["core", "contract", "registry", "permissions"],
  bot: ["core", "contract", "registry", "permissions", "agent", "knowledge", "library port", "safe-fetch"],
  api: ["core", "contract", "registry", "permissions", "agent", "knowledge", "library port", "operations"],
  store: ["core", "contract", "permissions", "agent", "knowledge", "library port", "bot", "api", "migrations"],
  operations: ["core", "agent", "contract"],
  cli: ["core", "agent", "operations", "config"],
  config: ["core"],
  app: ["*"],
  main: [
    "core",
    "contract",
    "registry",
    "permissions",
    "agent",
    "knowledge",
    "library port",
    "bot",
    "api",
    "config",
    "operations",
    "cli",
    "app",
    // Without a Slack app the command `start` opens the playground and connects to it as to Slack.
    "playground",
  ],
  migrations: ["core"],
  playground: ["core"],
};

/** Packages that only some areas may use: the agent knows neither Slack nor SQL. */
const packageRules: readonly { readonly pattern: RegExp; readonly areas: readonly string[] }[] = [
  { pattern: /^@slack\//, areas: ["bot", "app", "playground"] },
  { pattern: /^(typeorm|pg|pgvector|@electric-sql\/)/, areas: ["store", "migrations", "app", "playground"] },
  { pattern: /^openai$/, areas: ["agent", "knowledge"] },
];

/** Every import that points the wrong way, as "from -> to: why". */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const reason = specifier.startsWith(".") ? badFile(file.path, targetOf(file.path, specifier)) : badPackage(file.path, specifier);
      return reason ? [`${file.path} -> ${specifier}: ${reason}`] : [];
    }),
  );
}

/** The file a relative specifier means. */
export const targetOf = (from: string, specifier: string): string => posix.join(posix.dirname(from), specifier);

function badFile(from: string, to: string): string | undefined {
  const [source, target] = [areaOf(from), areaOf(to)];
  if (!source || !allowed[source]) return `${from} is in no known area; give its folder a place in the table`;
  if (!target) return `${to} is in no known area`;
  if (target === "store" && source !== "store" && source !== "app") return "only app.ts and app/ import store";
  if (source === "plugin" && target === "plugin")
    return pluginOf(from) === pluginOf(to) ? undefined : "a plugin never imports another plugin";
  if (source === "agent" && target === "plugin") return "the agent imports no plugin folder";
  const may = allowed[source];
  return source === target || may.includes(target) || may.includes("*") ? undefined : `${source} must not import ${target}`;
}

function badPackage(from: string, specifier: string): string | undefined {
  // The operator names packages to load: the only import that is not known beforehand.
  if (specifier === "(computed)") return areaOf(from) === "plugin loader" ? undefined : "a computed import cannot be checked";
  const rule = packageRules.find(({ pattern }) => pattern.test(specifier));
  const area = areaOf(from) ?? "";
  return rule && !rule.areas.includes(area) ? `${area} must not use this package` : undefined;
}

function areaOf(path: string): string | undefined {
  const [top, folder = "", ...rest] = path.split("/");
  if (top === "migrations" || top === "playground") return top;
  if (top !== "src") return undefined;
  if (rest.length === 0) return /^(app|main|config|operations)\.ts$/.test(folder) ? folder.slice(0, -3) : undefined;
  if (folder === "knowledge") return path === "src/knowledge/library.ts" ? "library port" : "knowledge";
  if (folder !== "plugins") return folder in allowed ? folder : undefined;
  if (rest.length > 1) return "plugin";
  if (rest[0] === "index.ts") return "plugin list";
  if (rest[0] === "load-plugins.ts") return "plugin loader";
  return rest[0] === "registry.ts" ? "registry" : "contract";
}

const pluginOf = (path: string): string | undefined => path.split("/")[2];
