import type { DocumentId, TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";

export const sourceKinds = ["folder", "website", "git", "slack"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What an operator says of a source. */
export interface NewSource {
  /** Unique in the workspace; what people call it. */
  readonly name: string;
  readonly kind: SourceKind;
  /** A path, a web address, that of a repository with its branch and folder, or Slack's id of a channel. */
  readonly address: string;
  /** Who may read its documents. */
  readonly grants: readonly Principal[];
  /** Minutes between two runs; absent: only on demand. */
  readonly everyMinutes?: number;
}

export interface StoredSource extends NewSource {
  /** Our own UUID. */
  readonly id: string;
  readonly lastRun?: SyncReport;
}

/** What one run did. */
export interface SyncReport {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  /** "partial": some items could not be read and stay as they were; "failed": nothing was changed. */
  readonly status: "ok" | "partial" | "failed";
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Why it failed, or what else people should know. */
  readonly notes: readonly string[];
}

/** Who holds the documents of a source, where others may hold the same. */
export const sourceHolder = ({ id }: Pick<StoredSource, "id">): string => `source:${id}`;

/** What is known of one item of a source since the last run. */
export interface KnownItem {
  readonly uri: string;
  readonly version?: string | undefined;
  /** SHA-256 of its content: by it a moved file is known again. */
  readonly contentHash?: string | undefined;
  readonly document?: DocumentId | undefined;
  /** Why it could not be read or understood the last time. */
  readonly failure?: string | undefined;
}

/** One tenant's sources. */
export interface SourceRows {
  /** @throws AppError SOURCE_EXISTS when the name is taken */
  add(source: NewSource): Promise<StoredSource>;
  list(): Promise<readonly StoredSource[]>;
  find(id: string): Promise<StoredSource | undefined>;
  /** Its documents are removed before. */
  remove(id: string): Promise<void>;
  items(source: string): Promise<readonly KnownItem[]>;
  /** Keeps what is known of an item from now on. @throws AppError SOURCE_UNKNOWN when the source was removed meanwhile */
  keep(source: string, item: KnownItem): Promise<void>;
  forget(source: string, uri: string): Promise<void>;
  /** The item and its document go by another address from now on; its passages stay as they are. */
  move(source: string, from: KnownItem, to: KnownItem, documentUri: string): Promise<void>;
  finish(source: string, report: SyncReport): Promise<void>;
}

/** The right to run one source, for a while. */
export interface SourceLease {
  readonly tenant: TenantId;
  readonly source: string;
  readonly token: string;
}

/** When sources run, over all tenants. All times are the database's. */
export interface SourceSchedule {
  /** The source that is due longest, taken for `leaseMs`; undefined when none is. Of one tenant, only one at a time. */
  claimDue(leaseMs: number): Promise<SourceLease | undefined>;
  /** Takes a source now; undefined when it is running already. */
  claim(tenant: TenantId, source: string, leaseMs: number): Promise<SourceLease | undefined>;
  /** Makes it due now; when it is running, once more after that. */
  hasten(tenant: TenantId, source: string): Promise<void>;
  /** False when somebody else has taken it over meanwhile. */
  renew(lease: SourceLease, leaseMs: number): Promise<boolean>;
  /** Gives it back. One that `ran` is due again after its time, or only on demand; one that did not is due as before. */
  release(lease: SourceLease, ran: boolean): Promise<void>;
}
