import type { Config, OAuthConfig } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Plugin } from "../plugins/contract.ts";

/** What the program is put together from. */
export interface AppParts {
  readonly config: Config;
  /** Where the Web API is; Slack itself when absent. Known late when the playground is started first. */
  readonly slackApiUrl: string | undefined;
  /** With which workspaces install the app from a web page; nobody does without it. Known late, too. */
  readonly oauth?: OAuthConfig | undefined;
  /** Plugins beside those of this project. */
  readonly morePlugins?: readonly Plugin[];
  readonly clock: Clock;
  readonly log: Logger;
}
