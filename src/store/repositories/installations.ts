import type { SavedInstallation, StoredInstallation, TokenPair } from "../../bot/workspace/saved-installation.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import { type InstallationRow, installationEntity } from "../entities.ts";
import type { SealedPlace, Sealing } from "../sealing.ts";
import type { TenantTransaction } from "../transaction.ts";

type SealedColumn = "sealed_bot_token" | "sealed_refresh_token";

/** The installation of one tenant. Its tokens are sealed for exactly this row and column. */
export class InstallationRepository implements StoredInstallation {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #sealing: Sealing;

  constructor(tenant: TenantId, run: TenantTransaction, sealing: Sealing) {
    this.#tenant = tenant;
    this.#run = run;
    this.#sealing = sealing;
  }

  /** Throws SECRET_UNREADABLE when a token cannot be opened. */
  async find(): Promise<SavedInstallation | undefined> {
    const row = await this.#run((manager) => manager.findOneBy(installationEntity, { tenantId: this.#tenant }));
    if (!row) return undefined;
    const { botUserId, botId, appId, scopes, installedAt, installedBy, sealedBotToken, sealedRefreshToken, expiresAt } = row;
    const token = this.#open(sealedBotToken, "sealed_bot_token");
    const rotation = sealedRefreshToken && expiresAt && { refreshToken: this.#open(sealedRefreshToken, "sealed_refresh_token"), expiresAt };
    return {
      ...{ botUserId, botId, appId, scopes, installedAt, token },
      ...(rotation && { rotation }),
      ...(installedBy !== "" && { installedBy }),
    };
  }

  /** Replaces what was there: a new installation's token makes the old one useless. Whom it greeted stays greeted. */
  async save({ token, rotation, scopes, installedBy, ...installation }: SavedInstallation): Promise<void> {
    const row: Omit<InstallationRow, "welcomedAt"> = {
      ...installation,
      ...this.#seal({ token, rotation }),
      installedBy: installedBy ?? "",
      scopes: [...scopes],
      renewingBy: null,
      renewingUntil: null,
      tenantId: this.#tenant,
    };
    await this.#run((manager) => manager.upsert(installationEntity, row, ["tenantId"]));
  }

  /** Destroys the tokens. */
  async remove(): Promise<void> {
    await this.#run((manager) => manager.delete(installationEntity, { tenantId: this.#tenant }));
  }

  async claimRenewal(holder: string, dueBefore: Date, leaseMs: number): Promise<Secret | undefined> {
    // The database's clock: the leases of several processes are compared.
    const [rows] = await this.#run<[{ sealed: string }[], number]>((manager) =>
      manager.query(
        `UPDATE installations SET renewing_by = $2, renewing_until = now() + $4 * interval '1 millisecond'
         WHERE tenant_id = $1 AND expires_at < $3 AND (renewing_until IS NULL OR renewing_until < now())
         RETURNING sealed_refresh_token AS sealed`,
        [this.#tenant, holder, dueBefore, leaseMs],
      ),
    );
    return rows[0] && this.#open(rows[0].sealed, "sealed_refresh_token");
  }

  async renewed(holder: string, pair: TokenPair): Promise<boolean> {
    const row = { ...this.#seal(pair), renewingBy: null, renewingUntil: null };
    const mine = { tenantId: this.#tenant, renewingBy: holder };
    return ((await this.#run((manager) => manager.update(installationEntity, mine, row))).affected ?? 0) > 0;
  }

  async releaseRenewal(holder: string): Promise<boolean> {
    const mine = { tenantId: this.#tenant, renewingBy: holder };
    const none = { renewingBy: null, renewingUntil: null };
    return ((await this.#run((manager) => manager.update(installationEntity, mine, none))).affected ?? 0) > 0;
  }

  async claimWelcome(): Promise<boolean> {
    const [, count] = await this.#run<[unknown, number]>((manager) =>
      manager.query("UPDATE installations SET welcomed_at = now() WHERE tenant_id = $1 AND welcomed_at IS NULL", [this.#tenant]),
    );
    return count > 0;
  }

  /** Seals the tokens with the active key if another sealed them. Returns whether there was something to do. */
  async rewrap(): Promise<boolean> {
    return this.#run(async (manager) => {
      const row = await manager.findOne(installationEntity, { where: { tenantId: this.#tenant }, lock: { mode: "pessimistic_write" } });
      const sealedBotToken = row && this.#sealing.rewrap(row.sealedBotToken, this.#place("sealed_bot_token"));
      const sealedRefreshToken =
        row?.sealedRefreshToken && this.#sealing.rewrap(row.sealedRefreshToken, this.#place("sealed_refresh_token"));
      if (!sealedBotToken && !sealedRefreshToken) return false;
      const changed = { ...(sealedBotToken && { sealedBotToken }), ...(sealedRefreshToken && { sealedRefreshToken }) };
      await manager.update(installationEntity, { tenantId: this.#tenant }, { ...changed, keyId: this.#sealing.activeKey });
      return true;
    });
  }

  #seal({ token, rotation }: TokenPair) {
    const seal = (secret: Secret, column: SealedColumn) => this.#sealing.seal(secret, this.#place(column));
    return {
      sealedBotToken: seal(token, "sealed_bot_token"),
      sealedRefreshToken: rotation ? seal(rotation.refreshToken, "sealed_refresh_token") : null,
      expiresAt: rotation?.expiresAt ?? null,
      keyId: this.#sealing.activeKey,
    };
  }

  #open(sealed: string, column: SealedColumn): Secret {
    return this.#sealing.open(sealed, this.#place(column));
  }

  #place(column: SealedColumn): SealedPlace {
    return { tenant: this.#tenant, table: "installations", column, row: this.#tenant };
  }
}
