import type { TenantId } from "../../src/core/ids.ts";
import type { McpServer } from "../../src/plugins/mcp/server.ts";
import { createServerDesk } from "../../src/plugins/mcp/server-desk.ts";
import type { ServerDesk } from "../../src/plugins/workspace-servers.ts";
import { WorkspaceServerRepository } from "../../src/store/repositories/workspace-servers.ts";
import { Sealing } from "../../src/store/sealing.ts";
import type { TestDatabase } from "./test-database.ts";

const sealing = new Sealing({ active: "k1", keys: new Map([["k1", Buffer.alloc(32, 7)]]) });

/** One tenant's own external servers over a database. */
export const ownServersOf = ({ database }: Pick<TestDatabase, "database">, tenant: TenantId): WorkspaceServerRepository =>
  new WorkspaceServerRepository(tenant, database.forTenant(tenant), sealing);

/** The same for whoever decides, with an operator's list that holds what is given. */
export const serverDeskOn = (
  db: Pick<TestDatabase, "database">,
  tenant: TenantId,
  {
    operators = [],
    most = 10,
    origins = [],
    changed = () => {},
  }: {
    readonly operators?: readonly McpServer[];
    readonly most?: number;
    readonly origins?: readonly string[];
    changed?(name: string): void;
  } = {},
): ServerDesk => createServerDesk({ stored: ownServersOf(db, tenant), most, origins, operators: async () => operators, changed });
