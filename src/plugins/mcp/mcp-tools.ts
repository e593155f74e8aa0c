import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { WakingLoop } from "../../core/waking-loop.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { Tool, ToolLogin } from "../contract.ts";
import type { ApprovedTool, ExternalTools } from "../external-tools.ts";
import type { Logins } from "../logins.ts";
import type { WorkspaceServers } from "../workspace-servers.ts";
import { type ListedTools, ServerConnection } from "./connection.ts";
import { Connections } from "./connections.ts";
import { fingerprintOf } from "./definition.ts";
import { effectOf, externalTool } from "./external-tool.ts";
import { entryOf, isLoggedIn } from "./login/kept-login.ts";
import type { Redirect } from "./login/login-client.ts";
import type { PersonLogin } from "./login/person-login.ts";
import { identityOf, type LoginRules, type McpServer } from "./server.ts";
import { type ServerFetch, serverFetch } from "./server-fetch.ts";
import { asServer, clash, MOST_TOOLS, veiled } from "./workspace-server.ts";

/** Tools of all tenants that are kept ready, so that their schemas are compiled once. */
const KEPT_TOOLS = 5_000;
/** A first server that was added at another process may go unnoticed this long, in milliseconds; those that are there are looked at each time. */
const noneForMs = 5_000;
/** How often is looked whether another process has changed or removed a server that is in use here, in milliseconds. */
const SETTLE_MS = 5_000;

export interface McpParts {
  /** The operator's list. */
  readonly servers: readonly McpServer[];
  /** Servers that a tenant's admins have added. Absent where they cannot. */
  ownServers?(tenant: TenantId): Pick<WorkspaceServers, "list">;
  /** What a tenant knows and has decided. */
  toolsOf(tenant: TenantId): ExternalTools;
  /** The workspace's name, by which the operator lists it. */
  workspaceName(tenant: TenantId): Promise<string | undefined>;
  /** What is kept of people's log-ins, and where their browsers come back to. Absent where nobody can log in. */
  readonly logins?: { of(tenant: TenantId): Logins; redirect(): Omit<Redirect, "state"> };
  /** Told when tools newly wait for an admin: by our names. */
  waiting?(tenant: TenantId, server: string, tools: readonly string[]): void;
  /** A way out for one connection alone: tenants share no socket. @param own whether a workspace's admins have named the address */
  newFetch(url: string, own: boolean): SafeFetch;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A server as one person stands to it. "ended": what is kept of an earlier log-in is worth nothing any more. */
interface PersonConnection {
  readonly server: string;
  readonly title: string;
  readonly host?: string;
  readonly state: "connected" | "ended" | "none";
}

/** The external servers of every tenant: connections for each apart, and as tools what its admins have approved. */
export class McpTools {
  readonly #parts: McpParts;
  readonly #connections = new Connections();
  /** Runs from the first connection to a workspace's own server on. */
  readonly #settling: WakingLoop;
  readonly #tools = new LRUCache<string, Tool>({ max: KEPT_TOOLS });
  /** When a workspace was last seen without servers of its own, by the monotonic clock. */
  readonly #none = new LRUCache<TenantId, number>({ max: 10_000 });
  #closed = false;

  constructor(parts: McpParts) {
    this.#parts = parts;
    const round = async () => {
      for (const tenant of this.#connections.withOwnServers) await this.serversOf(tenant);
    };
    this.#settling = new WakingLoop({ clock: parts.clock, restMs: SETTLE_MS, round });
  }

  /** The approved tools of one tenant, under names of our own. */
  async tools(tenant: TenantId): Promise<readonly Tool[]> {
    const servers = await (this.#hasNone(tenant) ? this.operatorServersOf(tenant) : this.serversOf(tenant));
    if (servers.length === 0) return [];
    const perPerson = servers.filter(loginOf).map(({ name }) => name);
    const approved = await this.#parts.toolsOf(tenant).approved(perPerson);
    return approved.flatMap((tool) => {
      const server = servers.find(({ name }) => name === tool.server);
      return server ? [this.#toolFor(tenant, server, tool)] : [];
    });
  }

  /** The operator's and the workspace's own. Connections to an own one that is another one now, or gone, end with that. */
  async serversOf(tenant: TenantId): Promise<readonly McpServer[]> {
    const [operators, stored] = await Promise.all([this.operatorServersOf(tenant), this.#parts.ownServers?.(tenant).list() ?? []]);
    if (stored.length > 0) this.#none.delete(tenant);
    else this.#none.set(tenant, this.#parts.clock.monotonic());
    const own = stored.map(asServer).filter(({ name }) => !operators.some((operators) => clash(operators.name, name)));
    const holds = ({ name, revision }: McpServer) => own.some((server) => server.name === name && server.revision === revision);
    void this.#connections.end((of) => of.tenant === tenant && of.server.revision !== undefined && !holds(of.server));
    return [...operators, ...own];
  }

  /** Whether a workspace had no servers of its own a moment ago, so that not every step of an answer asks. */
  #hasNone(tenant: TenantId): boolean {
    const seen = this.#none.get(tenant);
    return seen !== undefined && this.#parts.clock.monotonic() - seen < noneForMs;
  }

  async operatorServersOf(tenant: TenantId): Promise<readonly McpServer[]> {
    const { servers, workspaceName } = this.#parts;
    if (servers.every(({ workspaces }) => workspaces === undefined)) return servers;
    const name = await workspaceName(tenant);
    return servers.filter(({ workspaces }) => workspaces === undefined || (name !== undefined && workspaces.includes(name)));
  }

  /**
   * Asks each of a tenant's servers what it offers now. Gives, by server, its tools or what is wrong with it.
   * @param only this one alone
   */
  async look(tenant: TenantId, only?: string): Promise<ReadonlyMap<string, ListedTools | AppError>> {
    const servers = (await this.serversOf(tenant)).filter(({ name }) => only === undefined || name === only);
    return this.#look(tenant, servers);
  }

  /** The same for the operator's list alone: what a workspace's own server does makes nobody else wait. */
  async lookAtOperators(tenant: TenantId): Promise<void> {
    await this.#look(tenant, await this.operatorServersOf(tenant));
  }

  async #look(tenant: TenantId, servers: readonly McpServer[]): Promise<ReadonlyMap<string, ListedTools | AppError>> {
    const looked = servers.map(async (server) => {
      if (loginOf(server)) return [server.name, new AppError("MCP_LOGIN_NEEDED")] as const;
      const tools = this.#connection(tenant, server).tools({ fresh: true });
      return [server.name, await tools.catch((thrown) => (thrown instanceof AppError ? thrown : new AppError("MCP_UNREACHABLE")))] as const;
    });
    return new Map(await Promise.all(looked));
  }

  /** One person's log-in at one of the tenant's servers; undefined where nobody logs in for themselves. */
  async loginAt(tenant: TenantId, name: string, person: PersonId): Promise<PersonLogin | undefined> {
    const server = (await this.serversOf(tenant)).find((server) => server.name === name);
    return server && this.#login(tenant, server, person);
  }

  /** Whether somebody has a log-in at one of the tenant's servers, as the operator lists it now. */
  async isLoggedIn(tenant: TenantId, name: string, person: PersonId): Promise<boolean> {
    const server = (await this.serversOf(tenant)).find((server) => server.name === name);
    return server !== undefined && this.#isLoggedIn(tenant, server, person);
  }

  /** The servers at which people log in for themselves as one person stands to them; and those no longer listed at which something of theirs is kept. */
  async connectionsOf(tenant: TenantId, person: PersonId): Promise<readonly PersonConnection[]> {
    const kept = new Set(await this.#parts.logins?.of(tenant).serversOf(person));
    const servers = (await this.serversOf(tenant)).filter(loginOf);
    const listed = servers.map(async (server): Promise<PersonConnection> => {
      const state = (await this.#isLoggedIn(tenant, server, person)) ? "connected" : kept.has(server.name) ? "ended" : "none";
      return { server: server.name, title: server.title, ...hostOf(server), state };
    });
    const others = [...kept].filter((name) => !servers.some((server) => server.name === name));
    return [...(await Promise.all(listed)), ...others.map((name): PersonConnection => ({ server: name, title: name, state: "ended" }))];
  }

  /** Destroys what is kept of a person's log-in, and ends their connection. False when they had none. */
  async logOut(tenant: TenantId, name: string, person: PersonId): Promise<boolean> {
    const had = await this.#parts.logins?.of(tenant).remove(name, person);
    await this.#connections.end((of) => of.tenant === tenant && of.server.name === name && of.person === person);
    return had ?? false;
  }

  /** The same at all servers. */
  async logOutEverywhere(tenant: TenantId, person: PersonId): Promise<void> {
    await this.#parts.logins?.of(tenant).removeAll(person);
    await this.#connections.end((of) => of.tenant === tenant && of.person === person);
  }

  /** Ends a workspace's connections, programs and calls under way: it has removed the app. */
  async forget(tenant: TenantId): Promise<void> {
    await this.#connections.end((of) => of.tenant === tenant);
  }

  /** Asks a server, in the name of somebody who has logged in, what it offers: that is how its tools become known. */
  async lookAs(tenant: TenantId, name: string, person: PersonId): Promise<void> {
    const server = (await this.serversOf(tenant)).find((server) => server.name === name);
    if (!server || !loginOf(server)) return;
    await this.#connection(tenant, server, person).tools({ fresh: true });
  }

  /** Ends all connections and programs. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#settling.stop();
    await this.#connections.end(() => true);
  }

  #toolFor(tenant: TenantId, server: McpServer, approved: ApprovedTool): Tool {
    const key = [tenant, approved.name, approved.fingerprint, effectOf(server, approved), server.revision ?? ""].join(" ");
    const known = this.#tools.get(key);
    if (known) return known;
    const login: ToolLogin | undefined = loginOf(server) && {
      ...{ server: server.name, title: server.title },
      ready: (tenant, person) => this.#isLoggedIn(tenant, server, person),
    };
    const connect = async (person: PersonId) => {
      await this.#requireCurrent(tenant, server);
      return this.#connection(tenant, server, login && person);
    };
    const tool = externalTool(server, approved, connect, login);
    this.#tools.set(key, tool);
    return tool;
  }

  /** A call may have waited for a click while the workspace's admins changed its server. @throws AppError MCP_SERVER_UNKNOWN */
  async #requireCurrent(tenant: TenantId, { name, revision }: McpServer): Promise<void> {
    if (revision === undefined) return;
    const current = (await this.serversOf(tenant)).find((server) => server.name === name);
    if (current?.revision !== revision) throw new AppError("MCP_SERVER_UNKNOWN");
  }

  async #isLoggedIn(tenant: TenantId, server: McpServer, person: PersonId): Promise<boolean> {
    const { transport, name } = server;
    if (transport.kind !== "http" || !transport.login) return false;
    return isLoggedIn(entryOf(transport.url, transport.login), await this.#parts.logins?.of(tenant).find(name, person));
  }

  async #login(tenant: TenantId, server: McpServer, person: PersonId): Promise<PersonLogin | undefined> {
    const { clock, logins } = this.#parts;
    const { transport, name } = server;
    if (transport.kind !== "http" || !transport.login || !logins) return undefined;
    const { PersonLogin } = await import("./login/person-login.ts");
    const out = this.#out(server);
    const kept = { logins: logins.of(tenant), redirect: logins.redirect() };
    return new PersonLogin({ ...kept, server: name, url: transport.url, rules: transport.login, person, out, clock });
  }

  /** @param person whose log-in it is for, where each person has their own */
  #connection(tenant: TenantId, server: McpServer, person?: PersonId): ServerConnection {
    if (this.#closed) throw new AppError("MCP_UNREACHABLE", "The program is stopping.");
    if (server.revision !== undefined) this.#settling.start();
    return this.#connections.for({ tenant, server, person }, (closed) => this.#connect(tenant, server, person, closed));
  }

  #connect(tenant: TenantId, server: McpServer, person: PersonId | undefined, closed: () => void): ServerConnection {
    const { clock, toolsOf } = this.#parts;
    const log = this.#parts.log.with({ tenant, plugin: server.name });
    const fetch = this.#out(server);
    return new ServerConnection({
      server,
      open: async (signal, listChanged) => {
        // Only now: a bot without external servers never loads the protocol's client.
        const { openSession } = await import("./client-session.ts");
        const login = person && (await this.#login(tenant, server, person));
        return openSession({ server, fetch, clock, log, signal, listChanged, ...(login && { login }) });
      },
      listed: async ({ named }) => {
        const counted = server.revision === undefined ? named : named.slice(0, MOST_TOOLS);
        if (counted.length < named.length) log.warn("A workspace's server offers more tools than it may; the rest is left out.");
        const offered = counted.map(({ name, definition }) => ({
          ...{ tool: definition.name, name, definition },
          fingerprint: fingerprintOf(definition, identityOf(server)),
        }));
        const waiting = await toolsOf(tenant).offered(server.name, offered, { partial: person !== undefined });
        if (waiting.length === 0) return;
        log.warn("Tools of an external server wait for an admin's approval.", { count: waiting.length });
        this.#parts.waiting?.(tenant, server.title, waiting);
      },
      closed,
      unavailable: () => log.error("An external server does not work and is left alone for some minutes.", { code: "MCP_UNREACHABLE" }),
      clock,
      log,
    });
  }

  #out({ transport, revision }: McpServer): ServerFetch {
    if (transport.kind !== "http") return refuse;
    const own = revision !== undefined;
    const out = this.#parts.newFetch(transport.url, own);
    return serverFetch(transport, own ? veiled(out) : out);
  }
}

const loginOf = ({ transport }: McpServer): LoginRules | undefined => (transport.kind === "http" ? transport.login : undefined);

const hostOf = ({ transport }: McpServer): { readonly host?: string } =>
  transport.kind === "http" ? { host: new URL(transport.url).host } : {};

const refuse = () => Promise.reject(new AppError("MCP_UNREACHABLE"));
