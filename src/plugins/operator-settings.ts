import { AppError } from "../core/errors.ts";
import type { Secret } from "../core/secret.ts";
import type { Plugin, Settings, Tool } from "./contract.ts";

/** By plugin and setting, in capitals: WORLD_CLOCK_API_KEY is `api_key` of the plugin world-clock. */
type Given = ReadonlyMap<string, Secret>;

/**
 * Gives plugins the settings that the operator has made for them. They replace a tenant's own altogether: if a tenant could set the
 * address beside an operator's key, it could have the key sent to itself.
 * @param given for every workspace
 * @param byWorkspace for single ones, by name; of one plugin these replace those for every workspace
 * @throws AppError CONFIG_INVALID that names every setting of no plugin
 */
export function withOperatorSettings(
  plugins: readonly Plugin[],
  given: Given,
  byWorkspace: ReadonlyMap<string, Given> = new Map(),
): readonly Plugin[] {
  const all = [...given.keys()].map((key) => [key, `FOOTNOTE_PLUGIN_${key}`] as const);
  const single = [...byWorkspace].flatMap(([workspace, own]) => [...own.keys()].map((key) => [key, `${key} of ${workspace}`] as const));
  const lost = [...all, ...single].flatMap(([key, said]) => (ownerOf(key, plugins) ? [] : [said]));
  if (lost.length > 0) {
    const names = plugins.map(({ name }) => prefixOf(name).slice(0, -1)).join(", ");
    throw new AppError("CONFIG_INVALID", `${lost.join(", ")}: there is no such plugin. After FOOTNOTE_PLUGIN_ may come: ${names}.`);
  }
  const settingsOf = (plugin: Plugin, from: Given): Settings | undefined => {
    const own = [...from].filter(([key]) => ownerOf(key, plugins) === plugin);
    if (own.length === 0) return undefined;
    return Object.fromEntries(own.map(([key, value]) => [key.slice(prefixOf(plugin.name).length).toLowerCase(), value.reveal()]));
  };
  return plugins.map((plugin) => {
    const standard = settingsOf(plugin, given);
    const own = new Map([...byWorkspace].map(([workspace, from]) => [workspace, settingsOf(plugin, from)]));
    if (!standard && ![...own.values()].some(Boolean)) return plugin;
    const effective: Effective = (tenants) => own.get(tenants.workspace ?? "") ?? standard ?? tenants;
    return { ...plugin, tools: plugin.tools.map((tool) => withSettings(tool, effective)) };
  });
}

/** The settings that hold where a tenant has these. */
type Effective = (tenants: Settings) => Settings;

/** The plugin with the longest fitting name: WORLD_CLOCK_ZONE is not `clock_zone` of a plugin "world" when there is a "world-clock". */
function ownerOf(key: string, plugins: readonly Plugin[]): Plugin | undefined {
  const fitting = plugins.filter(({ name }) => key.startsWith(prefixOf(name)) && key.length > prefixOf(name).length);
  return fitting.sort((a, b) => b.name.length - a.name.length)[0];
}

const prefixOf = (name: string): string => `${name.toUpperCase().replaceAll("-", "_")}_`;

function withSettings(tool: Tool, effective: Effective): Tool {
  const { configure } = tool;
  return {
    ...tool,
    ...(configure && { configure: (settings: Settings) => configure.call(tool, effective(settings)) }),
    execute: (params, context) => tool.execute(params, { ...context, settings: effective(context.settings) }),
  };
}
