import { AppError } from "../core/errors.ts";
import type { Secret } from "../core/secret.ts";
import type { Plugin, Settings, Tool } from "./contract.ts";

/**
 * Gives plugins the settings that the operator has made for them. They replace a tenant's own altogether: if a tenant could set the
 * address beside an operator's key, it could have the key sent to itself.
 * @param given by plugin and setting, in capitals: WORLD_CLOCK_API_KEY is `api_key` of the plugin world-clock
 * @throws AppError CONFIG_INVALID that names every setting of no plugin
 */
export function withOperatorSettings(plugins: readonly Plugin[], given: ReadonlyMap<string, Secret>): readonly Plugin[] {
  const owners = new Map([...given.keys()].map((key) => [key, ownerOf(key, plugins)] as const));
  const lost = [...owners].flatMap(([key, owner]) => (owner ? [] : [`FOOTNOTE_PLUGIN_${key}`]));
  if (lost.length > 0) {
    const names = plugins.map(({ name }) => prefixOf(name).slice(0, -1)).join(", ");
    throw new AppError("CONFIG_INVALID", `${lost.join(", ")}: there is no such plugin. After FOOTNOTE_PLUGIN_ may come: ${names}.`);
  }
  return plugins.map((plugin) => {
    const own = [...given].filter(([key]) => owners.get(key) === plugin);
    if (own.length === 0) return plugin;
    const settings: Settings = Object.fromEntries(
      own.map(([key, value]) => [key.slice(prefixOf(plugin.name).length).toLowerCase(), value.reveal()]),
    );
    return { ...plugin, tools: plugin.tools.map((tool) => withSettings(tool, settings)) };
  });
}

/** The plugin with the longest fitting name: WORLD_CLOCK_ZONE is not `clock_zone` of a plugin "world" when there is a "world-clock". */
function ownerOf(key: string, plugins: readonly Plugin[]): Plugin | undefined {
  const fitting = plugins.filter(({ name }) => key.startsWith(prefixOf(name)) && key.length > prefixOf(name).length);
  return fitting.sort((a, b) => b.name.length - a.name.length)[0];
}

const prefixOf = (name: string): string => `${name.toUpperCase().replaceAll("-", "_")}_`;

function withSettings(tool: Tool, settings: Settings): Tool {
  const { configure } = tool;
  return {
    ...tool,
    ...(configure && { configure: () => configure.call(tool, settings) }),
    execute: (params, context) => tool.execute(params, { ...context, settings }),
  };
}
