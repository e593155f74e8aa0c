import type { EntityManager } from "typeorm";
import type { Attempt } from "../../bot/commands/command-store.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import type {
  RemovedServer,
  ServerAccess,
  ServerChange,
  ServerEntry,
  StoredServer,
  WorkspaceServer,
  WorkspaceServers,
} from "../../plugins/workspace-servers.ts";
import { prepared } from "../prepared.ts";
import type { Sealing } from "../sealing.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/** One tenant's own external servers in Postgres. A secret is sealed for its server and the origin that it was given for. */
export class WorkspaceServerRepository implements WorkspaceServers {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #sealing: Sealing;

  constructor(tenant: TenantId, run: TenantTransaction, sealing: Sealing) {
    this.#tenant = tenant;
    this.#run = run;
    this.#sealing = sealing;
  }

  async list(): Promise<readonly WorkspaceServer[]> {
    const rows = await this.#run((manager) => manager.query<Row[]>(listed));
    return rows.map(({ name, title, url, revision, ...row }) => ({
      name,
      title,
      url,
      revision,
      access: this.#accessOf({ name, url, ...row }),
    }));
  }

  save(entry: ServerEntry, by: ServerChange, most: number): Promise<StoredServer> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, by.key))) return "seen";
      // Two who add the last one at the same moment: the second waits here and finds one too many.
      await manager.query("SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE", [this.#tenant]);
      const before = (await manager.query<Row[]>(columns)).find(({ name }) => name === entry.name);
      const action = before ? ("server-change" as const) : ("server-add" as const);
      const note = (outcome: "done" | "unchanged" | "refused") => this.#note(manager, by, action, entry.name, outcome);
      const [{ count = 0 } = {}] = await manager.query<{ count: number }[]>("SELECT count(*)::int AS count FROM workspace_servers");
      if (!before && count >= most) return note("refused").then(() => "too-many");
      const sealed = this.#sealedFor(entry, before);
      if (entry.access.kind === "header" && sealed === null) return note("refused").then(() => "no-secret");
      const row = rowOf(entry, sealed);
      if (before && same(before, row)) return note("unchanged").then(() => "unchanged");
      await manager.query(
        `INSERT INTO workspace_servers (tenant_id, name, title, url, header_name, sealed_secret, login_issuer, login_scopes, login_client_id, changed_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (tenant_id, name) DO UPDATE SET title = excluded.title, url = excluded.url, header_name = excluded.header_name,
           sealed_secret = excluded.sealed_secret, login_issuer = excluded.login_issuer, login_scopes = excluded.login_scopes,
           login_client_id = excluded.login_client_id, changed_by = excluded.changed_by, changed_at = now(), revision = gen_random_uuid()`,
        [
          ...[this.#tenant, row.name, row.title, row.url, row.header_name, row.sealed_secret],
          ...[row.login_issuer, row.login_scopes, row.login_client_id, by.actor],
        ],
      );
      await note("done");
      if (!before || leadsElsewhere(before, row)) await this.#forget(manager, by, entry.name);
      return before ? "changed" : "added";
    });
  }

  remove(name: string, by: ServerChange): Promise<RemovedServer> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, by.key))) return "seen";
      const [rows] = await manager.query<[unknown[]]>("DELETE FROM workspace_servers WHERE name = $1 RETURNING name", [name]);
      const gone = rows.length > 0;
      await this.#note(manager, by, "server-remove", name, gone ? "done" : "unchanged");
      if (!gone) return "unknown";
      await this.#forget(manager, by, name);
      return "removed";
    });
  }

  /** All that was decided about a server's tools, and everybody's log-ins there. */
  async #forget(manager: EntityManager, by: ServerChange, name: string): Promise<void> {
    const [tools] = await manager.query<[{ name: string; approved: boolean }[]]>(
      "DELETE FROM external_tools WHERE server = $1 RETURNING name, approved_fingerprint IS NOT NULL AS approved",
      [name],
    );
    // What was begun goes first: a way back that is under way finds nothing.
    await manager.query("DELETE FROM login_attempts WHERE server = $1", [name]);
    const [people] = await manager.query<[{ person: string }[]]>(
      "DELETE FROM server_logins WHERE server = $1 RETURNING person_id AS person",
      [name],
    );
    for (const tool of tools.filter(({ approved }) => approved)) await this.#note(manager, by, "external-revoke", tool.name, "done");
    for (const { person } of people) await this.#note(manager, by, "login-remove", `${name} ${person}`, "done");
  }

  #note(
    manager: EntityManager,
    { actor, channel }: ServerChange,
    action: Attempt["action"],
    subject: string,
    outcome: "done" | "unchanged" | "refused",
  ): Promise<void> {
    return noteAttempts(manager, this.#tenant, [{ actor, action, subject, ...(channel && { channel }) }], outcome);
  }

  /** The secret that was given, or the one that is kept, if it was given for the same header and origin; null without one. */
  #sealedFor({ name, url, access }: ServerEntry, before: Row | undefined): string | null {
    if (access.kind !== "header") return null;
    if (access.secret) return this.#sealing.seal(access.secret, this.#place(name, url));
    const kept = before?.header_name === access.header && new URL(before.url).origin === new URL(url).origin;
    return kept ? before.sealed_secret : null;
  }

  #accessOf({
    name,
    url,
    header_name,
    sealed_secret,
    login_issuer,
    login_scopes,
    login_client_id,
  }: Omit<Row, "title" | "revision">): ServerAccess {
    if (login_issuer !== null)
      return { kind: "login", issuer: login_issuer, scopes: login_scopes, ...(login_client_id !== null && { clientId: login_client_id }) };
    if (header_name === null) return { kind: "open" };
    const secret = sealed_secret === null ? undefined : this.#opened(sealed_secret, name, url);
    return { kind: "header", header: header_name, ...(secret && { secret }) };
  }

  /** Undefined when it does not open: then its admins are asked for it anew, and everything else goes on. */
  #opened(sealed: string, name: string, url: string): Secret | undefined {
    try {
      return this.#sealing.open(sealed, this.#place(name, url));
    } catch {
      return undefined;
    }
  }

  #place(name: string, url: string) {
    return {
      ...{ tenant: this.#tenant, table: "workspace_servers", column: "sealed_secret" },
      row: JSON.stringify([name, new URL(url).origin]),
    };
  }
}

const columns = `SELECT name, title, url, header_name, sealed_secret, login_issuer, login_scopes, login_client_id, revision::text AS revision
  FROM workspace_servers`;

/** Read at every step of an answer. */
const listed = prepared(`${columns} ORDER BY name`);

interface Row {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly header_name: string | null;
  readonly sealed_secret: string | null;
  readonly login_issuer: string | null;
  readonly login_scopes: readonly string[];
  readonly login_client_id: string | null;
  readonly revision: string;
}

const rowOf = ({ name, title, url, access }: ServerEntry, sealed: string | null): Omit<Row, "revision"> => ({
  ...{ name, title, url, sealed_secret: sealed },
  header_name: access.kind === "header" ? access.header : null,
  login_issuer: access.kind === "login" ? access.issuer : null,
  login_scopes: access.kind === "login" ? access.scopes : [],
  login_client_id: (access.kind === "login" ? access.clientId : undefined) ?? null,
});

const same = ({ revision: _, ...before }: Row, after: Omit<Row, "revision">): boolean =>
  (Object.keys(after) as (keyof typeof after)[]).every((field) => JSON.stringify(before[field]) === JSON.stringify(after[field]));

/** Whether what was approved and who has logged in was for another server than this one. */
const leadsElsewhere = (before: Omit<Row, "revision">, after: Omit<Row, "revision">): boolean =>
  before.url !== after.url || before.login_issuer !== after.login_issuer || before.login_client_id !== after.login_client_id;
