import { AppError } from "../../../core/errors.ts";
import { visibleText } from "../../../core/visible-text.ts";
import type { Block, ExtractedDocument } from "./document.ts";

/** A file inside another: an attachment, or a member of an archive. */
export interface InnerFile {
  readonly name: string;
  bytes(): Promise<Uint8Array>;
}

/** Reads files inside a file, one level deeper; refuses what lies too deep or is one too many. */
export interface Inside {
  read(name: string, bytes: Uint8Array): Promise<ExtractedDocument>;
}

/** Files that are read inside one file, those inside them counted. */
export const MOST_INNER_FILES = 200;
/** An e-mail attached to an e-mail in an archive is read; what is attached to that one is not. */
export const DEEPEST_INNER_FILE = 3;

export interface InnerText {
  readonly blocks: readonly Block[];
  /** For people: which files were not read, and why. */
  readonly notes: readonly string[];
}

/**
 * The text of files inside a file, each below its own name. Their pages become headings, since a page number of the whole file would mean
 * nothing. One that cannot be read is named in a note and the others are read.
 */
export async function innerText(files: readonly InnerFile[], inside: Inside): Promise<InnerText> {
  const blocks: Block[] = [];
  const unread: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const name = safeName(file.name);
    try {
      const document = await inside.read(name, await file.bytes());
      blocks.push(...document.blocks.map((block) => below(name, block)));
      notes.push(...document.notes.map((note) => `${name}: ${note}`));
    } catch (error) {
      // Beyond a limit of all files together the whole file is refused.
      if (!(error instanceof AppError) || error.code === "INTERNAL" || beyondLimits.has(error)) throw error;
      unread.push(`${name} (${error.message})`);
    }
  }
  return { blocks, notes: [...notes.slice(0, MOST_NOTES), ...unreadNote(unread)].map((note) => note.slice(0, LONGEST_NOTE)) };
}

/** Errors that end the reading of the outermost file, too. */
export const beyondLimits = new WeakSet<AppError>();

const MOST_NOTES = 8;
const LONGEST_NOTE = 900;
const MOST_NAMED = 5;

function unreadNote(unread: readonly string[]): string[] {
  if (unread.length === 0) return [];
  const more = unread.length > MOST_NAMED ? `, and ${unread.length - MOST_NAMED} more` : "";
  return [`Not read: ${unread.slice(0, MOST_NAMED).join("; ")}${more}.`];
}

function below(name: string, { page, pageName, headingPath, ...block }: Block): Block {
  const place = pageName ?? (page === undefined ? undefined : `page ${page}`);
  return { ...block, headingPath: [name, ...(place === undefined ? [] : [place]), ...headingPath] };
}

const LONGEST_NAME = 150;

/** A name for people, never a path: without steps upwards, drives and characters that cannot be seen. */
export function safeName(name: string): string {
  const steps = visibleText(name)
    .replace(/^[A-Za-z]:/, "")
    .split(/[/\\]+/)
    .map((step) => step.trim())
    .filter((step) => step !== "" && step !== "." && step !== "..");
  return steps.join("/").replace(/\s+/g, " ").slice(-LONGEST_NAME) || "unnamed";
}
