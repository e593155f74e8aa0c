import type { DocumentId, PassageId } from "../../../core/ids.ts";
import type { Principal } from "../../../core/principal.ts";

/** What one tenant's index holds, as the database has noted it. Every difference from the documents is work. */
export interface IndexRows {
  /** Number of the last settings migration that was applied; 0 when there is no index. */
  settingsVersion(): Promise<number>;
  setSettingsVersion(version: number): Promise<void>;
  /** Documents whose entries differ from them, or that are gone; they are this caller's for so long. */
  claim(limit: number, leaseMs: number): Promise<readonly IndexJob[]>;
  /** A document with its passages, as they are at this moment; undefined when it is gone. */
  read(document: DocumentId): Promise<IndexedDocument | undefined>;
  /** The index holds this revision, or nothing of a document that is gone. */
  finish(job: IndexJob, revision: string | undefined): Promise<void>;
  /** It did not work; it is tried again later, and at once when the document changes. */
  fail(job: IndexJob, revision: string | undefined, reason: string): Promise<void>;
  /** Gives back what was not begun or not ended. */
  release(jobs: readonly IndexJob[]): Promise<void>;
  /** Has these written (or removed) anew, whatever was noted. */
  redo(documents: readonly DocumentId[]): Promise<void>;
  /** There is no index any more: everything has to be written. */
  reset(): Promise<void>;
  /** Documents that the index should hold just so: the others are being worked on. */
  settled(): Promise<ReadonlyMap<DocumentId, { readonly revision: string; readonly passages: number }>>;
  /** Documents that are not settled. */
  waiting(): Promise<ReadonlySet<DocumentId>>;
  status(): Promise<IndexStatus>;
}

export interface IndexJob {
  readonly document: DocumentId;
  readonly token: string;
}

export interface IndexedDocument {
  readonly revision: string;
  readonly title: string;
  readonly grants: readonly Principal[];
  readonly passages: readonly { readonly id: PassageId; readonly heading?: string; readonly text: string }[];
}

export interface IndexStatus {
  readonly documents: number;
  readonly waiting: number;
  /** What could not be written, and why. A hundred at most. */
  readonly failures: readonly { readonly title: string; readonly reason: string }[];
}
