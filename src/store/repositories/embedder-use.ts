import { newId } from "../../core/ids.ts";
import type { EmbedderChoice, EmbedderSize, EmbedderUse } from "../../knowledge/embedder/embedding-rows.ts";
import type { SystemTransaction } from "../transaction.ts";
import { vectorIndexName } from "../vector-index.ts";

/** Which embedding model is in use, in Postgres. */
export class EmbedderUseRepository implements EmbedderUse {
  readonly #system: SystemTransaction;

  constructor(system: SystemTransaction) {
    this.#system = system;
  }

  async configure(embedder: EmbedderSize): Promise<void> {
    await this.#register(embedder);
    await this.#query(
      `INSERT INTO embedder_use AS u (configured, current, wanted) VALUES ($1, $1, $1)
       ON CONFLICT (only_row) DO UPDATE SET configured = excluded.configured, wanted = excluded.wanted
         WHERE u.configured <> excluded.configured`,
      embedder.id,
    );
  }

  async read(): Promise<EmbedderChoice> {
    const [row] = await this.#query<EmbedderChoice>("SELECT current, wanted FROM embedder_use");
    return row ?? { current: "", wanted: "" };
  }

  async want(embedder: EmbedderSize): Promise<void> {
    await this.#register(embedder);
    await this.#query("UPDATE embedder_use SET wanted = $1", embedder.id);
  }

  async forget(embedder: string): Promise<void> {
    await this.#query("DELETE FROM embedding_models WHERE model = $1", embedder);
  }

  async hasIndex(embedder: string): Promise<boolean> {
    const [row] = await this.#query(
      "SELECT FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE relname = $1 AND indisvalid",
      vectorIndexName(embedder),
    );
    return row !== undefined;
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

  async #register({ id, dimensions }: EmbedderSize): Promise<void> {
    await this.#query("INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, dimensions);
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

  #query<Row extends object>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#system((manager) => manager.query<Row[]>(sql, [...values]));
  }
}
