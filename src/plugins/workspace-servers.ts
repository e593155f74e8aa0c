import type { ChannelId } from "../core/ids.ts";
import type { Secret } from "../core/secret.ts";

/** How an external server that a workspace's admins have added knows who calls. */
export type ServerAccess =
  | { readonly kind: "open" }
  /** One header for everybody. `secret` is absent when none was given with a change, or when what was kept is gone. */
  | { readonly kind: "header"; readonly header: string; readonly secret?: Secret }
  /** Each person logs in for themselves; only this authorization server gets anything of theirs. */
  | { readonly kind: "login"; readonly issuer: string; readonly scopes: readonly string[]; readonly clientId?: string };

/** An external server as a workspace's admins describe it. It is always elsewhere: there is no field that could name a program. */
export interface ServerEntry {
  /** Lower case, digits and single hyphens: stands in front of its tools' names. */
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly access: ServerAccess;
}

export interface WorkspaceServer extends ServerEntry {
  /** Another one after each change. */
  readonly revision: string;
}

/** Who changes something, once however often Slack delivers it. */
export interface ServerChange {
  readonly key: string;
  /** Slack's id of the person, or "operator". */
  readonly actor: string;
  readonly channel?: ChannelId;
}

/**
 * What came of storing one. "no-secret": a header needs its secret, also when its address leads to another host than the one it was given
 * for. "too-many": the workspace has as many as it may have.
 */
export type StoredServer = "added" | "changed" | "unchanged" | "too-many" | "no-secret" | "seen";
export type RemovedServer = "removed" | "unknown" | "seen";

/** One tenant's own external servers as stored. Each change is one transaction with its lines in the audit log. */
export interface WorkspaceServers {
  /** By name. Secrets open here alone. */
  list(): Promise<readonly WorkspaceServer[]>;
  /** Of one that is new, or leads elsewhere than before, no approval and no log-in counts any more. @param most how many there may be */
  save(entry: ServerEntry, by: ServerChange, most: number): Promise<StoredServer>;
  /** With all that was approved of it and everybody's log-ins there. */
  remove(name: string, by: ServerChange): Promise<RemovedServer>;
}

/** The same for whoever may decide, with what else a change has to keep to and brings about. Rights are checked before. */
export interface ServerDesk {
  /** Origins inside the operator's network that servers may be at. */
  readonly origins: readonly string[];
  /** "shadowed": the operator's list has a server of that name since, which counts. */
  list(): Promise<readonly (WorkspaceServer & { readonly shadowed: boolean })[]>;
  /** "name-taken": the operator's list has a server of that name or title. */
  save(entry: ServerEntry, by: ServerChange): Promise<StoredServer | "name-taken">;
  remove(name: string, by: ServerChange): Promise<RemovedServer>;
}
