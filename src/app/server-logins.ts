import { LoginFlow } from "../api/login/login-flow.ts";
import type { CardSlack } from "../bot/approvals/approval-desk.ts";
import type { TenantConnections } from "../bot/approvals/login/connections.ts";
import { DepartedPeople } from "../bot/approvals/login/departed-people.ts";
import { LoginDesk } from "../bot/approvals/login/login-desk.ts";
import type { Clock } from "../core/clock.ts";
import { codeOf } from "../core/errors.ts";
import type { TenantId } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Directory } from "../permissions/directory.ts";
import type { McpTools } from "../plugins/mcp/mcp-tools.ts";
import type { Store } from "../store/store.ts";

/** How people log in at external servers: the pages, and who leads them there from Slack. */
export interface ServerLogins {
  readonly flow: LoginFlow;
  readonly desk: LoginDesk;
  readonly departed: DepartedPeople;
}

/** People's own log-ins at one tenant's servers, for commands and App Home. */
export const connectionsAt = (external: McpTools, { flow }: ServerLogins, tenant: TenantId): TenantConnections => ({
  of: (person) => external.connectionsOf(tenant, person),
  link: async (server, person) => ((await external.loginAt(tenant, server, person)) ? flow.link(tenant, server, person) : undefined),
  logOut: (server, person) => external.logOut(tenant, server, person),
});

export function createServerLogins(
  external: McpTools,
  {
    store,
    slackOf,
    publicUrl,
    clock,
    log,
  }: {
    readonly store: Store;
    slackOf(tenant: TenantId): Promise<CardSlack & { readonly directory: Pick<Directory, "person"> }>;
    publicUrl(): string;
    readonly clock: Clock;
    readonly log: Logger;
  },
): ServerLogins {
  const flow = new LoginFlow({
    loginsOf: (tenant) => store.forTenant(tenant).logins,
    pageOf: (tenant, server, person) => external.loginAt(tenant, server, person),
    namesOf: async (tenant, name, id) => {
      const [servers, workspace, person] = await Promise.all([
        external.serversOf(tenant),
        store.tenants.byId(tenant),
        slackOf(tenant).then(({ directory }) => directory.person(id)),
      ]);
      return {
        server: servers.find((server) => server.name === name)?.title ?? name,
        // Without a name nobody could tell whose it is.
        person: person ? `${person.displayName || person.name} (@${person.name})` : id,
        workspace: workspace?.name ?? "",
        locale: person?.locale,
      };
    },
    publicUrl,
    // Only now can anybody say what the server offers.
    loggedIn: (tenant, server, person) =>
      void external
        .lookAs(tenant, server, person)
        .catch((thrown) =>
          log.warn("A server does not say what it offers to somebody who has logged in.", { tenant, plugin: server, code: codeOf(thrown) }),
        ),
  });
  const desk = new LoginDesk({
    link: (tenant, server, person) => flow.link(tenant, server, person),
    withdraw: (link) => flow.withdraw(link),
    isLoggedIn: (tenant, server, person) => external.isLoggedIn(tenant, server, person),
    ...{ slackOf, clock, log },
  });
  const departed = new DepartedPeople({
    tenants: async () => (await store.tenants.list()).flatMap(({ id, status }) => (status === "active" ? [id] : [])),
    peopleOf: (tenant) => store.forTenant(tenant).logins.people(),
    directoryOf: async (tenant) => (await slackOf(tenant)).directory,
    logOut: (tenant, person) => external.logOutEverywhere(tenant, person),
    ...{ clock, log },
  });
  return { flow, desk, departed };
}
