import type { Library } from "../knowledge/library.ts";
import type { Plugin } from "./contract.ts";
import { documents } from "./documents/plugin.ts";

/** What plugins are built from: the services of this process, each of which asks for a tenant before it answers. */
export interface PluginServices {
  readonly library: Library;
}

/** One line per plugin. */
export const plugins = ({ library }: PluginServices): readonly Plugin[] => [documents(library)];
