import type { TenantId } from "../../core/ids.ts";

/** One workspace as the program knows it, or an organisation that has installed the app for its workspaces. */
export interface Tenant {
  readonly id: TenantId;
  /** An organisation holds an installation and nothing else: nobody asks in it. */
  readonly kind: "workspace" | "organisation";
  /** Slack's id: T... of a workspace, E... of an organisation. */
  readonly slackTeamId: string;
  /** Slack's id of the organisation it belongs to (E...), if any. */
  readonly slackEnterpriseId?: string;
  /** What the command line calls it; unique. */
  readonly name: string;
  /** A suspended tenant's questions are not answered. */
  readonly status: "active" | "suspended";
  /** For operators: why the program suspended it by itself. */
  readonly suspendedBecause?: string;
  /** The organisation whose installation is used here; absent where the workspace has its own. */
  readonly organisation?: TenantId;
}

/** What Slack says of a workspace or an organisation for which the app is installed. */
export interface AdmittedTenant {
  readonly kind: Tenant["kind"];
  readonly slackTeamId: string;
  readonly slackEnterpriseId?: string | undefined;
  /** Its name in Slack; somebody else may have the same. */
  readonly name: string;
  /** Given for a workspace that uses its organisation's installation. */
  readonly organisation?: TenantId;
}

/** Which workspaces and organisations there are. */
export interface Tenants {
  /** @param slackId of a workspace or an organisation */
  byTeam(slackId: string): Promise<Tenant | undefined>;
  byId(id: TenantId): Promise<Tenant | undefined>;
  list(): Promise<readonly Tenant[]>;
  /**
   * The tenant of a workspace or organisation that Slack has named; made when it is new. One that is known keeps its id, its name and its
   * status: who may revive a suspended one is the caller's to decide. An equal name is told apart by Slack's id.
   */
  admit(tenant: AdmittedTenant): Promise<Tenant>;
  /** @param because for operators: why the program suspends it by itself */
  setStatus(id: TenantId, status: Tenant["status"], because?: string): Promise<void>;
}
