import type { AgentClient } from "../agent/client.ts";
import type { ToolAccess } from "../agent/tools/tool-access.ts";
import { AskDoor } from "../api/ask/ask-door.ts";
import { healthRoutes } from "../api/health.ts";
import type { Route } from "../api/http-server.ts";
import { loginRoutes } from "../api/login/login-door.ts";
import { mcpRoutes } from "../api/mcp/mcp-door.ts";
import { sourcePageRoutes } from "../api/sources/source-page.ts";
import { slackPath } from "../bot/in/slack-app.ts";
import type { Ground } from "./ground.ts";
import type { Installing } from "./installing.ts";
import type { SlackSide } from "./slack-side.ts";

/** Questions with a key, over HTTP. */
export function createAskDoor({ config, store, pool, publicUrl, clock, log }: Ground, agent: AgentClient): AskDoor {
  return new AskDoor({
    agent,
    keysOf: (tenant) => store.forTenant(tenant).keys,
    directory: async (tenant) => (await pool.load(tenant)).directory,
    limits: { ...config.limits, perMinute: config.limits.apiPerMinute, atOnce: config.limits.apiAtOnce },
    publicUrl,
    clock,
    log,
  });
}

/** Every address the HTTP server answers at. */
export function routesOf(
  ground: Ground,
  slack: SlackSide,
  { door, installing, access }: { readonly door: AskDoor; readonly installing: Installing; readonly access: ToolAccess },
  ready: () => boolean,
): readonly Route[] {
  const { config, store, links, pool, library, logins, publicUrl, log } = ground;
  return [
    ...installing.routes,
    ...door.routes,
    ...mcpRoutes({
      access,
      keysOf: (tenant) => store.forTenant(tenant).keys,
      directory: async (tenant) => (await pool.load(tenant)).directory,
      limits: { perMinute: config.limits.apiPerMinute, atOnce: config.limits.apiAtOnce },
      publicUrl,
      log,
    }),
    ...healthRoutes(() => ready() && (slack.app?.receiving ?? false)),
    ...(logins ? loginRoutes({ flow: logins.flow, publicUrl, log }) : []),
    ...sourcePageRoutes({
      links,
      forTenant: async (tenant) => ({ directory: (await pool.load(tenant)).directory, library: library.forTenant(tenant) }),
    }),
    {
      method: "POST",
      path: slackPath,
      policy: "slack-signature",
      handle: (request, response) => (slack.app ? slack.app.handler(request, response) : void response.writeHead(503).end()),
    },
  ];
}
