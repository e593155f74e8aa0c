import type { AgentClient } from "../agent/client.ts";
import type { Models } from "../agent/model/configured.ts";
import type { ToolAccess } from "../agent/tools/tool-access.ts";
import { AssistantOperator } from "../api/operator/assistant-operator.ts";
import { Operator, type Workspace } from "../api/operator/operator.ts";
import { PersonOperator } from "../api/operator/person-operator.ts";
import { ServerOperator } from "../api/operator/server-operator.ts";
import { SourceOperator } from "../api/operator/source-operator.ts";
import { tokenOwner } from "../bot/workspace/register-workspace.ts";
import type { Tenant } from "../bot/workspace/tenants.ts";
import type { Check } from "../core/check.ts";
import { AppError } from "../core/errors.ts";
import type { TenantId } from "../core/ids.ts";
import { Secret } from "../core/secret.ts";
import { indexCheck } from "../knowledge/full-text/meilisearch/check-meilisearch.ts";
import { checkAddress } from "../knowledge/sources/open-source.ts";
import { checkStored } from "./check-stored.ts";
import { externalOperator, serverDesk } from "./external-servers.ts";
import type { Ground } from "./ground.ts";
import { knowledgeOperations } from "./knowledge-operations.ts";

/** What else operations need to know of the running program. */
export interface Running {
  templateChanged(tenant: TenantId): void;
  /** Suspends a workspace and deletes its data. */
  removeWorkspace(tenant: TenantId): Promise<void>;
  /** Whether the HTTP server is open, and where. */
  checkServer(): Check;
}

/** What an operator can do, over this program's parts. */
export function createOperations(
  ground: Ground,
  { agent, access }: { readonly agent: AgentClient; readonly access: ToolAccess },
  models: Models,
  running: Running,
): Operator {
  const { store, pool, registry, database, ingestion, sources, external, fullText, clock, slackApiUrl: apiUrl, oauth } = ground;
  const { templateChanged } = running;
  const indexState = async ({ id, name }: Tenant) => indexCheck(name, await store.forTenant(id).fullTextIndex.status());
  return new Operator({
    agent,
    persons: new PersonOperator({
      access,
      loginLink: async (tenant, server, person) => {
        if (!ground.logins) throw new AppError("NOT_FOUND", "There is no external server.");
        return ground.logins.flow.link(tenant, server, person);
      },
      logOut: async (tenant, server, person) => (await external?.logOut(tenant, server, person)) ?? false,
    }),
    ingestion,
    clock,
    addWorkspace: (request) => addWorkspace(ground, request),
    removeWorkspace: async (tenant) => {
      await running.removeWorkspace(tenant);
      // Its index goes too; where the server is away, later.
      await fullText?.indexer.mend(tenant).catch(() => fullText.indexer.doubt());
    },
    workspaces: async () =>
      (await store.tenants.list()).map(({ id, name, slackTeamId, status }) => ({ tenant: id, name, slackTeamId, status })),
    directory: async (tenant) => (await pool.load(tenant)).directory,
    traces: (tenant) => store.forTenant(tenant).traces,
    feedback: (tenant) => store.forTenant(tenant).feedback,
    keys: (tenant) => store.forTenant(tenant).keys,
    diagnose: async () => [
      ...(await database.checks()),
      ...(await checkStored(store, { apiUrl, clock, renews: oauth !== undefined })),
      ...(fullText ? await Promise.all((await store.tenants.list()).map(indexState)) : []),
      running.checkServer(),
    ],
    sources: new SourceOperator({
      runner: sources,
      ingestion,
      rowsOf: (tenant) => store.forTenant(tenant).sources,
      directory: async (tenant) => (await pool.load(tenant)).directory,
      check: checkAddress,
    }),
    knowledge: knowledgeOperations(ground),
    external: externalOperator(external, store),
    servers: new ServerOperator((tenant) => serverDesk(external, ground, tenant)),
    assistants: new AssistantOperator({
      settings: (tenant) => store.forTenant(tenant),
      tools: registry.all(),
      models: models.names,
      templateChanged,
    }),
  });
}

/** Asks Slack whose token it is and keeps it sealed. @throws AppError when Slack refuses it */
export async function addWorkspace(
  { store, pool, clock, log, slackApiUrl }: Ground,
  { name, botToken }: { readonly name?: string; readonly botToken: string },
): Promise<Workspace> {
  const token = new Secret(botToken);
  const owner = await tokenOwner(token, log, slackApiUrl);
  const tenant = await store.tenants.save({
    slackTeamId: owner.teamId,
    slackEnterpriseId: owner.enterpriseId,
    name: name ?? owner.teamName,
  });
  const { botUserId, botId, appId, scopes } = owner;
  await store.forTenant(tenant.id).installation.save({ botUserId, botId, appId, token, scopes, installedAt: clock.now() });
  pool.changed(tenant.id);
  return { tenant: tenant.id, name: tenant.name, slackTeamId: tenant.slackTeamId, status: tenant.status };
}
