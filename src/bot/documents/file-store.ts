import type { ChannelId, DocumentId, PersonId } from "../../core/ids.ts";
import { type Principal, personPrincipal } from "../../core/principal.ts";
import type { Attempt, Once } from "../commands/command-store.ts";

/** What makes a file's document the same one when it comes again: where it is from, as the documents keep it. */
export const sourceOf = (id: string): string => `slack:${id}`;

/** Who holds a file's document: each adder by themselves, beside sources that read it too. */
export const holderOf = (person: PersonId): string => personPrincipal(person);

/** A file of Slack that somebody has added to the knowledge base. Several people may have added the same one: none learns of another. */
export interface AddedFile {
  /** Slack's id. */
  readonly id: string;
  readonly name: string;
  /** Who added it. */
  readonly person: PersonId;
  /** Where they did so. */
  readonly channel: ChannelId;
  /** Who may see it. */
  readonly grants: readonly Principal[];
  /** Present once it was read, also when that was never noted. */
  readonly document?: { readonly id: DocumentId; readonly passages: number };
  /** Why it could not be read, as a sentence. */
  readonly failure?: string;
}

/** One tenant's files from Slack. */
export interface TenantFiles {
  /** The newest first; only those of `person` when given. */
  list(person?: PersonId): Promise<readonly AddedFile[]>;
  /** A file as that person has added it. */
  find(id: string, person: PersonId): Promise<AddedFile | undefined>;
  /** A file as each of its adders has added it. */
  all(id: string): Promise<readonly AddedFile[]>;
  /**
   * Notes a file that is about to be read, or read again, with a line in the audit log. Who is not among this adder's readers any more
   * loses its document at once, unless another adder or a source lets them see it; new readers get it when it is read. False when the click or command is known.
   */
  begin(once: Once, file: Pick<AddedFile, "id" | "name" | "person" | "channel" | "grants">): Promise<boolean>;
  /** What came of reading it. */
  finish(id: string, person: PersonId, outcome: Pick<AddedFile, "document" | "failure">): Promise<void>;
  /** Takes it out of the adder's list, with a line in the audit log. What it was at that moment; undefined when it was not there. */
  remove(id: string, person: PersonId, attempt: Attempt): Promise<AddedFile | undefined>;
}
