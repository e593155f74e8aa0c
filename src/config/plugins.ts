import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Secret } from "../core/secret.ts";
import type { Env } from "./secret-files.ts";
import { type WorkspaceSettings, workspaceSettings } from "./workspace-settings.ts";

/** Plugins beside those of this project, and what the operator has set for any plugin. */
export interface PluginsConfig {
  /** Names of packages, or absolute paths of folders that hold one. */
  readonly packages: readonly string[];
  /** By what follows FOOTNOTE_PLUGIN_: the plugin's name in capitals, an underscore, the setting's name in capitals. */
  readonly settings: ReadonlyMap<string, Secret>;
  /** The same for single workspaces; of one plugin they replace what is set for all. */
  readonly byWorkspace: WorkspaceSettings;
}

/** Where a plugin's settings begin. */
export const pluginPrefix = "FOOTNOTE_PLUGIN_";

/**
 * @param packages value of FOOTNOTE_PLUGINS: names and paths, comma separated; paths begin with . or /
 * @param workspaces value of FOOTNOTE_WORKSPACE_SETTINGS_FILE
 */
export function pluginsConfig(packages: string, workspaces: string | undefined, env: Env, mistakes: string[]): PluginsConfig {
  const named = packages
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => (/^[./]/.test(name) ? resolve(name) : name));
  const twice = named.filter((name, index) => named.indexOf(name) !== index);
  if (twice.length > 0) mistakes.push(`FOOTNOTE_PLUGINS names ${[...new Set(twice)].join(", ")} twice.`);

  const settings = new Map<string, Secret>();
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(pluginPrefix) || !value) continue;
    const key = name.slice(pluginPrefix.length);
    if (!key.endsWith("_FILE")) settings.set(key, new Secret(value));
    else if (env[name.slice(0, -"_FILE".length)]) mistakes.push(`${name.slice(0, -"_FILE".length)} and ${name} are both set: remove one.`);
    else settings.set(key.slice(0, -"_FILE".length), fromFile(name, value, mistakes));
  }
  return { packages: named, settings, byWorkspace: workspaceSettings(workspaces, mistakes) };
}

function fromFile(name: string, path: string, mistakes: string[]): Secret {
  try {
    return new Secret(readFileSync(path, "utf8").trim());
  } catch {
    mistakes.push(`${name} cannot be read: check that the file exists and that this user may read it.`);
    return new Secret("");
  }
}
