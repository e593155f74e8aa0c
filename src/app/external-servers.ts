import { readFile } from "node:fs/promises";
import { loginRedirect } from "../api/login/login-flow.ts";
import { ExternalOperator } from "../api/operator/external-operator.ts";
import type { ToolNews } from "../bot/approvals/tool-news.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, codeOf } from "../core/errors.ts";
import type { TenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import { McpTools } from "../plugins/mcp/mcp-tools.ts";
import { readServers } from "../plugins/mcp/read-servers.ts";
import type { McpServer } from "../plugins/mcp/server.ts";
import { createServerDesk } from "../plugins/mcp/server-desk.ts";
import type { ServerDesk } from "../plugins/workspace-servers.ts";
import { createSafeFetch } from "../safe-fetch/safe-fetch.ts";
import type { Store } from "../store/store.ts";

/** @throws AppError CONFIG_INVALID */
export async function configuredServers({ mcpFile }: Pick<Config, "mcpFile">): Promise<readonly McpServer[]> {
  if (mcpFile === undefined) return [];
  const yaml = await readFile(mcpFile, "utf8").catch(() => {
    throw new AppError("CONFIG_INVALID", "FOOTNOTE_MCP_FILE cannot be read: check that the file exists and that this user may read it.");
  });
  return readServers(yaml);
}

/** The external servers that the operator has listed and workspaces have added; undefined where there can be none. */
export function createExternalServers(
  servers: readonly McpServer[],
  {
    config,
    store,
    publicUrl,
    news,
    clock,
    log,
  }: {
    readonly config: Config;
    readonly store: Store;
    publicUrl(): string;
    readonly news: Pick<ToolNews, "tell">;
    readonly clock: Clock;
    readonly log: Logger;
  },
): McpTools | undefined {
  const { most, origins } = config.workspaceServers;
  if (servers.length === 0 && most === 0) return undefined;
  const issuers = servers.flatMap(({ transport }) =>
    transport.kind === "http" && transport.login?.issuer ? [new URL(transport.login.issuer).origin] : [],
  );
  return new McpTools({
    servers,
    ...(most > 0 && { ownServers: (tenant: TenantId) => store.forTenant(tenant).servers }),
    toolsOf: (tenant) => store.forTenant(tenant).externalTools,
    workspaceName: async (tenant) => (await store.tenants.byId(tenant))?.name,
    waiting: (tenant, server, tools) => news.tell(tenant, server, tools),
    logins: { of: (tenant) => store.forTenant(tenant).logins, redirect: () => loginRedirect(publicUrl()) },
    // An address in the operator's own list may lead into the operator's own network; one of a workspace's admins may not.
    newFetch: (url, own) =>
      createSafeFetch({ clock, internalOrigins: own ? origins : [...config.internalOrigins, new URL(url).origin, ...issuers] }),
    clock,
    log,
  });
}

/** A workspace's own servers, for whoever may decide about them; undefined where there are none. */
export function serverDesk(
  external: McpTools | undefined,
  { config, store, log }: { readonly config: Config; readonly store: Store; readonly log: Logger },
  tenant: TenantId,
): ServerDesk | undefined {
  const { most, origins } = config.workspaceServers;
  if (!external || most === 0) return undefined;
  return createServerDesk({
    ...{ stored: store.forTenant(tenant).servers, most, origins },
    operators: () => external.operatorServersOf(tenant),
    // Nobody waits for it: whether and when a server answers is nothing that whoever names an address is told.
    changed: (name) =>
      void external.look(tenant, name).catch((thrown) => log.warn("A server could not be looked at.", { tenant, code: codeOf(thrown) })),
  });
}

/** What is decided about the tools of external servers, from a terminal or in Slack. */
export const externalOperator = (external: McpTools | undefined, store: Store): ExternalOperator =>
  new ExternalOperator({
    approvals: (tenant) => store.forTenant(tenant).externalTools,
    look: async (tenant) => (await external?.look(tenant)) ?? new Map(),
  });

/** Looks in the background what the operator's servers offer every workspace, so that admins have something to decide about. */
export async function lookAtServers(external: McpTools, store: Store, log: Logger): Promise<void> {
  try {
    for (const { id, status } of await store.tenants.list()) if (status === "active") await external.lookAtOperators(id);
  } catch (thrown) {
    log.warn("External servers could not be looked at.", { code: codeOf(thrown) });
  }
}
