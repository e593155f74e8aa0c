import type { AppError } from "../../core/errors.ts";

/** A place outside from which documents come and are kept current. It only reads; what changes in the library is `syncSource`'s work. */
export interface DocumentSource {
  /**
   * Everything that is there now, each item once.
   * @param incomplete is told, in a sentence for people, why something may be there that is not listed: then nothing is taken for gone
   * @throws AppError SOURCE_UNREACHABLE when it cannot be listed at all
   */
  items(signal: AbortSignal, incomplete: (why: string) => void): AsyncIterable<SourceItem>;
  /**
   * Why nothing of it may be kept any longer (SOURCE_WITHDRAWN); undefined while it may. Asked before everything else.
   * @throws AppError SOURCE_UNREACHABLE when it cannot be told
   */
  withdrawn?(signal: AbortSignal): Promise<AppError | undefined>;
  /** Whether an item that is not listed any more is really gone, where the place can be asked: then no number of them is suspicious. */
  isGone?(uri: string, signal: AbortSignal): Promise<boolean>;
  /** Where others may hold the same documents (other sources, people): by what name all of them know one. */
  sharedUri?(uri: string): string;
}

export interface SourceItem {
  /** Unique within the source and the same at each run: a path below the folder, an address. */
  readonly uri: string;
  /** A file name whose ending tells the format. */
  readonly name: string;
  /** Given where listing already tells it: equal to the one known means that the content need not be read. */
  readonly version?: string;
  /**
   * The content, unless it is still `known`. Throws AppError with a reason for people when it cannot be read: what is in the library of it
   * then stays.
   */
  read(known: string | undefined, signal: AbortSignal): Promise<ReadItem>;
}

export type ReadItem =
  | { readonly status: "read"; readonly bytes: Uint8Array; readonly version?: string }
  | { readonly status: "unchanged" }
  /** It is not there any more, although it was listed (a page that answers 404 or 410). */
  | { readonly status: "gone" };
