import type { Library } from "../knowledge/library.ts";
import type { SafeFetch } from "../safe-fetch/port.ts";
import type { Plugin } from "./contract.ts";
import { documents } from "./documents/plugin.ts";
import { github } from "./github/plugin.ts";
import type { SlackSearch } from "./slack-messages.ts";
import { slackSearch } from "./slack-search/plugin.ts";
import type { PageReader } from "./web/page.ts";
import { web } from "./web/plugin.ts";

/** What plugins are built from: the services of this process, each of which asks for a tenant before it answers. */
export interface PluginServices {
  readonly library: Library;
  readonly safeFetch: SafeFetch;
  /** Reads what was fetched from strangers. */
  readonly pageReader: PageReader;
  /** Slack's own search. Absent where there is no Slack. */
  readonly slackSearch?: SlackSearch;
}

/** One line per plugin. */
export const plugins = ({ library, safeFetch, pageReader, slackSearch: search }: PluginServices): readonly Plugin[] => [
  documents(library),
  web({ safeFetch, reader: pageReader }),
  github(safeFetch),
  ...(search ? [slackSearch(search)] : []),
];
