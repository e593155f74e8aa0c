import type { InstallStates } from "../../api/install/install-states.ts";
import type { SystemTransaction } from "../transaction.ts";

/** Installations that were begun in a browser, for every process of the database. */
export class InstallStateRepository implements InstallStates {
  readonly #run: SystemTransaction;

  constructor(run: SystemTransaction) {
    this.#run = run;
  }

  async begin(state: Buffer, browser: Buffer, { now, expiresAt, most }: { now: Date; expiresAt: Date; most: number }): Promise<void> {
    await this.#run(async (manager) => {
      await manager.query(
        `DELETE FROM install_states WHERE expires_at < $1
           OR state_hash IN (SELECT state_hash FROM install_states ORDER BY expires_at DESC OFFSET $2 - 1)`,
        [now, most],
      );
      await manager.query("INSERT INTO install_states (state_hash, browser_hash, expires_at) VALUES ($1, $2, $3)", [
        state,
        browser,
        expiresAt,
      ]);
    });
  }

  async redeem(state: Buffer, browser: Buffer, now: Date): Promise<boolean> {
    const [, count] = await this.#run<[unknown, number]>((manager) =>
      manager.query("DELETE FROM install_states WHERE state_hash = $1 AND browser_hash = $2 AND expires_at >= $3", [state, browser, now]),
    );
    return count > 0;
  }
}
