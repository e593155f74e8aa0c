import type { Config } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Plugin } from "../plugins/contract.ts";
import { type PluginServices, plugins } from "../plugins/index.ts";
import { loadPlugins } from "../plugins/load-plugins.ts";
import { withOperatorSettings } from "../plugins/operator-settings.ts";

/**
 * This project's plugins, those given and those of the configuration, each with the operator's settings.
 * @throws AppError PLUGIN_INVALID, CONFIG_INVALID
 */
export async function allPlugins(
  { plugins: { packages, settings, byWorkspace } }: Config,
  services: PluginServices,
  given: readonly Plugin[],
  clock: Clock,
): Promise<readonly Plugin[]> {
  const own = [...plugins(services), ...given];
  return withOperatorSettings([...own, ...(await loadPlugins(packages, own, clock))], settings, byWorkspace);
}
