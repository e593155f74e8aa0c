import { type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import type { LoginAttempt, Logins } from "../../plugins/logins.ts";
import type { SealedPlace, Sealing } from "../sealing.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Begun and unfinished at once, of one person at one server; older ones are forgotten. */
const MOST_OPEN = 5;

/** One tenant's log-ins at external servers in Postgres, each sealed for exactly its server and person. */
export class LoginRepository implements Logins {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #sealing: Sealing;

  constructor(tenant: TenantId, run: TenantTransaction, sealing: Sealing) {
    this.#tenant = tenant;
    this.#run = run;
    this.#sealing = sealing;
  }

  /** @throws AppError SECRET_UNREADABLE */
  async find(server: string, person: PersonId): Promise<Secret | undefined> {
    const [row] = await this.#query<{ sealed: string }[]>(
      "SELECT sealed_login AS sealed FROM server_logins WHERE server = $1 AND person_id = $2 AND tenant_id = $3",
      [server, person, this.#tenant],
    );
    return row && this.#sealing.open(row.sealed, this.#place("server_logins", server, person));
  }

  async save(server: string, person: PersonId, kept: Secret): Promise<void> {
    await this.#query(
      `INSERT INTO server_logins (tenant_id, server, person_id, sealed_login) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, server, person_id) DO UPDATE SET sealed_login = excluded.sealed_login, saved_at = now(),
         renewing_by = NULL, renewing_until = NULL`,
      [this.#tenant, server, person, this.#sealing.seal(kept, this.#place("server_logins", server, person))],
    );
  }

  async saveHeld(server: string, person: PersonId, kept: Secret, holder: string): Promise<boolean> {
    const [rows] = await this.#query<[unknown[]]>(
      `UPDATE server_logins SET sealed_login = $4, saved_at = now()
       WHERE tenant_id = $1 AND server = $2 AND person_id = $3 AND renewing_by = $5 RETURNING server`,
      [this.#tenant, server, person, this.#sealing.seal(kept, this.#place("server_logins", server, person)), holder],
    );
    return rows.length === 1;
  }

  async remove(server: string, person: PersonId): Promise<boolean> {
    return (await this.#remove(person, server)) > 0;
  }

  async removeAll(person?: PersonId): Promise<void> {
    await this.#remove(person);
  }

  async serversOf(person: PersonId): Promise<readonly string[]> {
    const rows = await this.#query<{ server: string }[]>(
      "SELECT server FROM server_logins WHERE tenant_id = $1 AND person_id = $2 ORDER BY server",
      [this.#tenant, person],
    );
    return rows.map(({ server }) => server);
  }

  async people(): Promise<readonly PersonId[]> {
    const rows = await this.#query<{ person_id: string }[]>(
      "SELECT DISTINCT person_id FROM server_logins WHERE tenant_id = $1 ORDER BY person_id",
      [this.#tenant],
    );
    return rows.map(({ person_id }) => personId(person_id));
  }

  async claimRenewal(server: string, person: PersonId, holder: string, leaseMs: number): Promise<boolean> {
    const [rows] = await this.#query<[unknown[]]>(
      `UPDATE server_logins SET renewing_by = $4, renewing_until = clock_timestamp() + $5 * interval '1 millisecond'
       WHERE tenant_id = $1 AND server = $2 AND person_id = $3 AND (renewing_until IS NULL OR renewing_until < clock_timestamp())
       RETURNING server`,
      [this.#tenant, server, person, holder, leaseMs],
    );
    return rows.length === 1;
  }

  async releaseRenewal(server: string, person: PersonId, holder: string): Promise<void> {
    await this.#query(
      `UPDATE server_logins SET renewing_by = NULL, renewing_until = NULL
       WHERE tenant_id = $1 AND server = $2 AND person_id = $3 AND renewing_by = $4`,
      [this.#tenant, server, person, holder],
    );
  }

  async begin({ hash, server, person, stage, kept }: LoginAttempt, lifetimeMs: number): Promise<void> {
    await this.#run(async (manager) => {
      await manager.query(
        `DELETE FROM login_attempts WHERE tenant_id = $1 AND (expires_at < clock_timestamp() OR hash IN (
           SELECT hash FROM login_attempts WHERE tenant_id = $1 AND server = $2 AND person_id = $3 ORDER BY expires_at DESC OFFSET $4 - 1))`,
        [this.#tenant, server, person, MOST_OPEN],
      );
      await manager.query(
        `INSERT INTO login_attempts (tenant_id, hash, server, person_id, stage, sealed_login, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')`,
        [this.#tenant, hash, server, person, stage, this.#sealing.seal(kept, this.#place("login_attempts", server, person)), lifetimeMs],
      );
    });
  }

  async look(hash: Buffer): ReturnType<Logins["look"]> {
    const [row] = await this.#query<Omit<AttemptRow, "sealed_login">[]>(
      "SELECT server, person_id, stage FROM login_attempts WHERE tenant_id = $1 AND hash = $2 AND expires_at >= clock_timestamp()",
      [this.#tenant, hash],
    );
    return row && { server: row.server, person: personId(row.person_id), stage: row.stage };
  }

  async redeem(hash: Buffer): Promise<Omit<LoginAttempt, "hash"> | undefined> {
    const [rows] = await this.#query<[AttemptRow[]]>(
      `DELETE FROM login_attempts WHERE tenant_id = $1 AND hash = $2 AND expires_at >= clock_timestamp()
       RETURNING server, person_id, stage, sealed_login`,
      [this.#tenant, hash],
    );
    const [row] = rows;
    if (!row) return undefined;
    const person = personId(row.person_id);
    const kept = this.#sealing.open(row.sealed_login, this.#place("login_attempts", row.server, person));
    return { server: row.server, person, stage: row.stage, kept };
  }

  /** What was begun goes first: a way back that is under way finds nothing. */
  #remove(person?: PersonId, server?: string): Promise<number> {
    return this.#run(async (manager) => {
      const where = "WHERE tenant_id = $1 AND ($2::text IS NULL OR person_id = $2) AND ($3::text IS NULL OR server = $3)";
      const which = [this.#tenant, person ?? null, server ?? null];
      await manager.query(`DELETE FROM login_attempts ${where}`, which);
      const [rows] = await manager.query<[unknown[]]>(`DELETE FROM server_logins ${where} RETURNING server`, which);
      return rows.length;
    });
  }

  #place(table: string, server: string, person: PersonId): SealedPlace {
    return { tenant: this.#tenant, table, column: "sealed_login", row: JSON.stringify([server, person]) };
  }

  #query<Result>(sql: string, parameters: readonly unknown[]): Promise<Result> {
    return this.#run((manager) => manager.query<Result>(sql, [...parameters]));
  }
}

interface AttemptRow {
  readonly server: string;
  readonly person_id: string;
  readonly stage: LoginAttempt["stage"];
  readonly sealed_login: string;
}
