import type { Installation, Installations } from "../../bot/workspace/installations.ts";
import { personId, type TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import { type InstallationRow, installationEntity } from "../entities.ts";
import type { SealedPlace, Sealing } from "../sealing.ts";
import type { TenantTransaction } from "../transaction.ts";
import type { TenantRepository } from "./tenants.ts";

/** One workspace's installation, with its token readable. */
export interface SavedInstallation {
  readonly botUserId: string;
  readonly botId: string;
  /** Slack's id of the app (A...), "" when not known. */
  readonly appId: string;
  readonly token: Secret;
  readonly scopes: readonly string[];
  readonly installedAt: Date;
}

/** The installation of one tenant. The token is sealed for exactly this row. */
export class InstallationRepository {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #sealing: Sealing;

  constructor(tenant: TenantId, run: TenantTransaction, sealing: Sealing) {
    this.#tenant = tenant;
    this.#run = run;
    this.#sealing = sealing;
  }

  /** Throws SECRET_UNREADABLE when the token cannot be opened. */
  async find(): Promise<SavedInstallation | undefined> {
    const row = await this.#run((manager) => manager.findOneBy(installationEntity, { tenantId: this.#tenant }));
    if (!row) return undefined;
    const { botUserId, botId, appId, scopes, installedAt } = row;
    return { botUserId, botId, appId, scopes, installedAt, token: this.#sealing.open(row.sealedBotToken, this.#place) };
  }

  /** Replaces what was there: a new installation's token makes the old one useless. */
  async save({ token, scopes, ...installation }: SavedInstallation): Promise<void> {
    const sealed = { sealedBotToken: this.#sealing.seal(token, this.#place), keyId: this.#sealing.activeKey };
    const row: InstallationRow = { ...installation, ...sealed, scopes: [...scopes], tenantId: this.#tenant };
    await this.#run((manager) => manager.upsert(installationEntity, row, ["tenantId"]));
  }

  /** Destroys the token. */
  async remove(): Promise<void> {
    await this.#run((manager) => manager.delete(installationEntity, { tenantId: this.#tenant }));
  }

  /** Seals the token with the active key if another sealed it. Returns whether there was something to do. */
  async rewrap(): Promise<boolean> {
    return this.#run(async (manager) => {
      const row = await manager.findOne(installationEntity, { where: { tenantId: this.#tenant }, lock: { mode: "pessimistic_write" } });
      const sealedBotToken = row && this.#sealing.rewrap(row.sealedBotToken, this.#place);
      if (!sealedBotToken) return false;
      await manager.update(installationEntity, { tenantId: this.#tenant }, { sealedBotToken, keyId: this.#sealing.activeKey });
      return true;
    });
  }

  get #place(): SealedPlace {
    return { tenant: this.#tenant, table: "installations", column: "sealed_bot_token", row: this.#tenant };
  }
}

/** Finds the installation that an incoming event belongs to. Suspended workspaces have none. */
export const installationsByTeam = (tenants: TenantRepository, of: (tenant: TenantId) => InstallationRepository): Installations => ({
  byTeam: async (teamId): Promise<Installation | undefined> => {
    const tenant = await tenants.byTeam(teamId);
    if (tenant?.status !== "active") return undefined;
    const found = await of(tenant.id).find();
    if (!found) return undefined;
    const { appId, botUserId, token } = found;
    return { tenant: tenant.id, teamId, botUserId: personId(botUserId), token, ...(appId === "" ? {} : { appId }) };
  },
});
