import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { Secret } from "../core/secret.ts";

/** What the operator has set for the plugins of single workspaces: by the workspace's name, then as `PluginsConfig.settings`. */
export type WorkspaceSettings = ReadonlyMap<string, ReadonlyMap<string, Secret>>;

const name = z.string().regex(/^[a-z][a-z0-9_-]*$/i);
const form = z.record(z.string().min(1), z.record(name, z.record(name, z.union([z.string(), z.number(), z.boolean()]))));

/**
 * Reads a YAML file of the form `acme: { web: { tavily_key_file: /run/secrets/acme-tavily } }`. A setting whose name ends in `_file` is
 * read from the file it names.
 */
export function workspaceSettings(path: string | undefined, mistakes: string[]): WorkspaceSettings {
  if (path === undefined) return new Map();
  const given = read(path);
  if (typeof given === "string") {
    mistakes.push(`FOOTNOTE_WORKSPACE_SETTINGS_FILE cannot be used: ${given}.`);
    return new Map();
  }
  return new Map(
    Object.entries(given).map(([workspace, plugins]) => {
      const settings = Object.entries(plugins).flatMap(([plugin, own]) =>
        Object.entries(own).map(([setting, value]) => settingOf(`${plugin}_${setting}`, String(value), mistakes)),
      );
      return [workspace, new Map(settings)];
    }),
  );
}

/** What the file holds, or why that is not known. */
function read(path: string): z.infer<typeof form> | string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return "it cannot be read";
  }
  try {
    return form.parse(parse(text) ?? {});
  } catch {
    return "it must be YAML of the form {workspace: {plugin: {setting: value}}}";
  }
}

function settingOf(raw: string, value: string, mistakes: string[]): [string, Secret] {
  const key = raw.toUpperCase().replaceAll("-", "_");
  if (!key.endsWith("_FILE")) return [key, new Secret(value)];
  try {
    return [key.slice(0, -"_FILE".length), new Secret(readFileSync(value, "utf8").trim())];
  } catch {
    mistakes.push(`FOOTNOTE_WORKSPACE_SETTINGS_FILE: the file that ${raw} names cannot be read.`);
    return [key, new Secret("")];
  }
}
