import { parseDocument } from "yaml";
import { AppError } from "../core/errors.ts";

/** How the app is to be reached and installed; with neither, over Socket Mode in one workspace. */
export interface ManifestOptions {
  /** The public address to which Slack posts events, clicks and commands. */
  readonly http?: string;
  /** The public address from which workspaces and organisations install the app. */
  readonly install?: string;
}

/** Where the program takes what Slack posts, and where Slack sends browsers back to. */
export const manifestPaths = { events: "/slack/events", redirect: "/slack/oauth_redirect" } as const;

/**
 * The manifest for one way of running the program, its comments kept, ready to paste.
 * @param source manifest.yml, which is for Socket Mode in one workspace
 * @throws AppError CONFIG_INVALID when an address is not one that Slack takes
 */
export function manifestFor(source: string, { http, install }: ManifestOptions): string {
  const manifest = parseDocument(source);
  if (http !== undefined) {
    const requests = `${publicAddress(http, "--http")}${manifestPaths.events}`;
    manifest.setIn(["settings", "socket_mode_enabled"], false);
    manifest.setIn(["settings", "event_subscriptions", "request_url"], requests);
    manifest.setIn(["settings", "interactivity", "request_url"], requests);
    const { slash_commands: commands = [] } = manifest.toJS().features as { slash_commands?: unknown[] };
    for (const index of commands.keys()) manifest.setIn(["features", "slash_commands", index, "url"], requests);
  }
  const pages = [http, install].filter((address) => address !== undefined);
  const redirects = pages.map((address) => `${publicAddress(address, "--install")}${manifestPaths.redirect}`);
  if (redirects.length > 0) manifest.setIn(["oauth_config", "redirect_urls"], manifest.createNode([...new Set(redirects)]));
  if (install !== undefined) {
    manifest.setIn(["settings", "org_deploy_enabled"], true);
    manifest.setIn(["settings", "token_rotation_enabled"], true);
  }
  return manifest.toString({ lineWidth: 0 });
}

/** Without what follows the path, and without a slash at its end. */
function publicAddress(given: string, option: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:" || url.username || url.password || url.search || url.hash)
    throw new AppError("CONFIG_INVALID", `${option} must be the https address under which Slack and people reach the program.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
