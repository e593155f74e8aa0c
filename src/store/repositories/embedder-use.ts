import { newId } from "../../core/ids.ts";
import type { EmbedderChoice, EmbedderUse } from "../../knowledge/embedder/embedding-rows.ts";
import type { SystemTransaction } from "../transaction.ts";

/** Which embedding model is in use, in Postgres. */
export class EmbedderUseRepository implements EmbedderUse {
  readonly #system: SystemTransaction;

  constructor(system: SystemTransaction) {
    this.#system = system;
  }

  async configure(embedder: string): Promise<void> {
    await this.#query(
      `INSERT INTO embedder_use AS u (configured, current, wanted) VALUES ($1, $1, $1)
       ON CONFLICT (only_row) DO UPDATE SET configured = excluded.configured, wanted = excluded.wanted
         WHERE u.configured <> excluded.configured`,
      embedder,
    );
  }

  async read(): Promise<EmbedderChoice> {
    const [row] = await this.#query<EmbedderChoice>("SELECT current, wanted FROM embedder_use");
    return row ?? { current: "", wanted: "" };
  }

  async want(embedder: string): Promise<void> {
    await this.#query("UPDATE embedder_use SET wanted = $1", embedder);
  }

  async claim(leaseMs: number): Promise<string | undefined> {
    const token = newId();
    return (await this.#changed("lease_until IS NULL OR lease_until < now()", token, leaseMs)) ? token : undefined;
  }

  renew(token: string, leaseMs: number): Promise<boolean> {
    return this.#changed("lease_token = $1::uuid", token, leaseMs);
  }

  async release(token: string): Promise<void> {
    await this.#query("UPDATE embedder_use SET lease_until = NULL, lease_token = NULL WHERE lease_token = $1::uuid", token);
  }

  async switchTo(embedder: string): Promise<void> {
    await this.#query("UPDATE embedder_use SET current = $1 WHERE wanted = $1", embedder);
  }

  async #changed(condition: string, token: string, leaseMs: number): Promise<boolean> {
    return this.#system(async (manager) => {
      const [rows] = await manager.query<[object[], number]>(
        `UPDATE embedder_use SET lease_token = $1::uuid, lease_until = now() + $2 * interval '1 millisecond' WHERE ${condition} RETURNING 1`,
        [token, leaseMs],
      );
      return rows.length > 0;
    });
  }

  #query<Row>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#system((manager) => manager.query<Row[]>(sql, [...values]));
  }
}
