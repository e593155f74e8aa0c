import type { PersonId, TenantId } from "../../core/ids.ts";
import type { ServerConnection } from "./connection.ts";
import type { McpServer } from "./server.ts";

/** For whom a connection is. Nothing of it, its program or its credentials serves another tenant, or another person where each has a log-in. */
interface Holder {
  readonly tenant: TenantId;
  readonly server: McpServer;
  readonly person: PersonId | undefined;
}

/** The open connections of this process, by tenant, server and person. */
export class Connections {
  readonly #open = new Map<string, Holder & { readonly connection: ServerConnection }>();

  /** The one there is, else a new one. */
  for(holder: Holder, make: (closed: () => void) => ServerConnection): ServerConnection {
    const key = keyOf(holder);
    const known = this.#open.get(key)?.connection;
    if (known) return known;
    const connection = make(() => void this.#open.delete(key));
    this.#open.set(key, { ...holder, connection });
    return connection;
  }

  /** Tenants with a connection to a server of their own. */
  get withOwnServers(): ReadonlySet<TenantId> {
    return new Set([...this.#open.values()].flatMap(({ tenant, server }) => (server.revision === undefined ? [] : [tenant])));
  }

  async end(which: (holder: Holder) => boolean): Promise<void> {
    await Promise.all([...this.#open.values()].filter(which).map(({ connection }) => connection.close()));
  }
}

const keyOf = ({ tenant, server, person }: Holder): string => [tenant, server.name, server.revision ?? "", person ?? ""].join(" ");
