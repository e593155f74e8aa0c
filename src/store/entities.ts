import { EntitySchema } from "typeorm";

/**
 * A workspace that uses this installation, or an organisation that has installed the app for its workspaces. A global table: it says which
 * tenants there are, nothing of what they hold.
 */
export interface TenantRow {
  id: string;
  kind: "workspace" | "organisation";
  /** Slack's id: T... of a workspace, E... of an organisation. */
  slackTeamId: string;
  slackEnterpriseId: string | null;
  name: string;
  status: "active" | "suspended";
  /** The tenant that holds the installation, when the organisation has installed the app for this workspace. */
  organisationId: string | null;
  suspendedBecause: string | null;
  createdAt: Date;
}

export const tenantEntity = new EntitySchema<TenantRow>({
  name: "Tenant",
  tableName: "tenants",
  columns: {
    id: { type: "uuid", primary: true },
    slackTeamId: { name: "slack_team_id", type: "text", unique: true },
    slackEnterpriseId: { name: "slack_enterprise_id", type: "text", nullable: true },
    name: { type: "text", unique: true },
    status: { type: "text" },
    kind: { type: "text" },
    organisationId: { name: "organisation_id", type: "uuid", nullable: true },
    suspendedBecause: { name: "suspended_because", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", createDate: true },
  },
});

/** The app as installed in one workspace or organisation; its tokens are sealed. */
export interface InstallationRow {
  tenantId: string;
  botUserId: string;
  botId: string;
  appId: string;
  sealedBotToken: string;
  /** Key the token is sealed with, so that rotation finds what is left to re-wrap. */
  keyId: string;
  scopes: string[];
  installedAt: Date;
  /** Both or none: a token that expires, and what renews it. */
  sealedRefreshToken: string | null;
  expiresAt: Date | null;
  renewingBy: string | null;
  renewingUntil: Date | null;
  installedBy: string;
  welcomedAt: Date | null;
}

export const installationEntity = new EntitySchema<InstallationRow>({
  name: "Installation",
  tableName: "installations",
  columns: {
    tenantId: { name: "tenant_id", type: "uuid", primary: true },
    botUserId: { name: "bot_user_id", type: "text" },
    botId: { name: "bot_id", type: "text" },
    appId: { name: "app_id", type: "text" },
    sealedBotToken: { name: "sealed_bot_token", type: "text" },
    keyId: { name: "key_id", type: "text" },
    scopes: { type: "text", array: true },
    installedAt: { name: "installed_at", type: "timestamptz" },
    sealedRefreshToken: { name: "sealed_refresh_token", type: "text", nullable: true },
    expiresAt: { name: "expires_at", type: "timestamptz", nullable: true },
    renewingBy: { name: "renewing_by", type: "uuid", nullable: true },
    renewingUntil: { name: "renewing_until", type: "timestamptz", nullable: true },
    installedBy: { name: "installed_by", type: "text" },
    welcomedAt: { name: "welcomed_at", type: "timestamptz", nullable: true },
  },
});

/** What a tenant's admins and the operator have decided about tools. A null list means every registered tool. */
export interface ToolSettingsRow {
  tenantId: string;
  settings: Record<string, string>;
  flags: string[];
  allowed: string[] | null;
  template: string[] | null;
  leastRoles: Record<string, string>;
}

export const toolSettingsEntity = new EntitySchema<ToolSettingsRow>({
  name: "ToolSettings",
  tableName: "tool_settings",
  columns: {
    tenantId: { name: "tenant_id", type: "uuid", primary: true },
    settings: { type: "jsonb" },
    flags: { type: "text", array: true },
    allowed: { type: "text", array: true, nullable: true },
    template: { type: "text", array: true, nullable: true },
    leastRoles: { name: "least_roles", type: "jsonb" },
  },
});

/** A tool switched somewhere: off, or in a channel on beside its template. What the scope does not need is "". */
export interface ToolSwitchRow {
  tenantId: string;
  scope: "admin" | "channel" | "thread" | "person";
  channelId: string;
  threadTs: string;
  personId: string;
  tool: string;
  state: "off" | "on";
}

const toolSwitchEntity = new EntitySchema<ToolSwitchRow>({
  name: "ToolSwitch",
  tableName: "tool_switches",
  columns: {
    tenantId: { name: "tenant_id", type: "uuid", primary: true },
    scope: { type: "text", primary: true },
    channelId: { name: "channel_id", type: "text", primary: true },
    threadTs: { name: "thread_ts", type: "text", primary: true },
    personId: { name: "person_id", type: "text", primary: true },
    tool: { type: "text", primary: true },
    state: { type: "text" },
  },
});

export const entities = [tenantEntity, installationEntity, toolSettingsEntity, toolSwitchEntity];
