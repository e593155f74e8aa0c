import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Plugin, Tool } from "./contract.ts";
import { pluginMistakes } from "./registry.ts";

/** Version of the plugin contract that this program keeps. A change that breaks plugins gets another number. */
const contractVersion = 1;
/** A package whose top level takes longer than this to run is given up, in milliseconds. */
const loadingLimitMs = 10_000;

const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === "function", "must be a function");

/** What can be seen from outside; names, schemas and limits are the registry's to check. */
const form = z.object({
  name: z.string(),
  contractVersion: z.literal(contractVersion),
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string(),
        parameters: z.object({ type: z.literal("object"), properties: z.record(z.string(), z.looseObject({})) }),
        execute: callable,
        configure: callable.optional(),
        describeCall: callable.optional(),
        annotations: z.looseObject({}).optional(),
        effect: z.enum(["read-inside", "read-outside", "side-effect", "destructive", "unknown"]).optional(),
        trustedQuery: callable.optional(),
        opensAddress: callable.optional(),
        featureFlag: z.string().optional(),
        timeoutMs: z.number().optional(),
        freshMs: z.number().optional(),
        outputLimit: z.number().optional(),
      }),
    )
    .min(1, "must list at least one tool"),
});

type Loaded = { readonly plugin: Plugin } | { readonly mistake: string };

/**
 * Loads the packages that the operator has named. They run with the program's own rights, so naming one is trusting it.
 * @param packages names of installed packages, or absolute paths of folders that hold one
 * @param own plugins of this project, whose names are taken
 * @throws AppError PLUGIN_INVALID that names every package with a mistake, and what to do about it
 */
export async function loadPlugins(packages: readonly string[], own: readonly Plugin[], clock: Clock): Promise<readonly Plugin[]> {
  const loaded = await Promise.all(packages.map((name) => load(name, clock)));
  const plugins = loaded.flatMap((each) => ("plugin" in each ? [each.plugin] : []));
  const mistakes = [
    ...loaded.flatMap((each) => ("mistake" in each ? [each.mistake] : [])),
    ...pluginMistakes([...own, ...plugins]).map(({ text }) => text),
  ];
  if (mistakes.length > 0) {
    const mend = "Mend or update these packages, or take them out of FOOTNOTE_PLUGINS.";
    throw new AppError("PLUGIN_INVALID", `\n${mistakes.map((mistake) => `- ${mistake}`).join("\n")}\n${mend}`);
  }
  return plugins;
}

async function load(name: string, clock: Clock): Promise<Loaded> {
  try {
    const exported = await withinLimit(import(isAbsolute(name) ? await entryOf(name) : name), clock);
    return read(name, exported.plugin ?? exported.default);
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    const missing = code === "ERR_MODULE_NOT_FOUND" || code === "ENOENT" || code === "MODULE_NOT_FOUND";
    const reason = missing
      ? `it is not installed here, or a module it needs is not (${firstLine(thrown)})`
      : `it failed while loading: ${firstLine(thrown)}`;
    return { mistake: `${name}: ${reason}.` };
  }
}

function read(name: string, exported: unknown): Loaded {
  if (typeof exported !== "object" || exported === null)
    return { mistake: `${name}: it exports no plugin, neither as "plugin" nor by default.` };
  const version = (exported as { contractVersion?: unknown }).contractVersion;
  if (version !== contractVersion) {
    const said = version === undefined ? "names no contract version" : `was written for version ${JSON.stringify(version)} of the contract`;
    return { mistake: `${name}: it ${said}; this program needs contractVersion: ${contractVersion}.` };
  }
  const { data, error } = form.safeParse(exported);
  if (!data) return { mistake: `${name}: ${error.issues.map(({ path, message }) => `${pathText(path)}: ${message}`).join("; ")}.` };
  return { plugin: { name: data.name, contractVersion, package: name, tools: (exported as Plugin).tools.map(plainTool) } };
}

/** The tool as an object of its own: methods of a class stay bound to it, and nothing can be changed after it was checked. */
function plainTool(tool: Tool): Tool {
  const { name, description, parameters, annotations, effect, timeoutMs, freshMs, outputLimit, featureFlag } = tool;
  return {
    ...{ name, description, parameters: structuredClone(parameters) },
    ...(annotations !== undefined && { annotations: { ...annotations } }),
    ...(effect !== undefined && { effect }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(freshMs !== undefined && { freshMs }),
    ...(outputLimit !== undefined && { outputLimit }),
    ...(featureFlag !== undefined && { featureFlag }),
    ...(tool.configure && { configure: tool.configure.bind(tool) }),
    ...(tool.trustedQuery && { trustedQuery: tool.trustedQuery.bind(tool) }),
    ...(tool.opensAddress && { opensAddress: tool.opensAddress.bind(tool) }),
    ...(tool.describeCall && { describeCall: tool.describeCall.bind(tool) }),
    execute: tool.execute.bind(tool),
  };
}

/** `tools[0].description`, as a developer would write it. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text && "."}${String(part)}`), "");

/** The module that a package's folder stands for. */
async function entryOf(folder: string): Promise<string> {
  const { exports, main } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { exports?: unknown; main?: unknown };
  return pathToFileURL(join(folder, entryPath(exports) ?? entryPath(main) ?? "index.js")).href;
}

/** The path in the forms of "exports" that name one entry: a string, the key ".", or conditions for imports. */
function entryPath(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const { ".": root, import: imported, default: standard } = exports as Record<string, unknown>;
  return entryPath(root) ?? entryPath(imported) ?? entryPath(standard);
}

async function withinLimit(loading: Promise<Record<string, unknown>>, clock: Clock): Promise<Record<string, unknown>> {
  const done = new AbortController();
  const tooLong = clock.sleep(loadingLimitMs, done.signal).then(() => {
    throw new Error(`it took longer than ${loadingLimitMs / 1000} s`);
  });
  try {
    return await Promise.race([loading, tooLong]);
  } finally {
    done.abort();
    tooLong.catch(() => undefined);
  }
}

const firstLine = (thrown: unknown): string => (messageOf(thrown).split("\n")[0] ?? "").replace(/\.$/, "");
