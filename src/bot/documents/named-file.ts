import { z } from "zod";

/** A file that somebody has attached to a message, as it is kept: Slack's id and the name, divided by a blank. */
export interface NamedFile {
  /** Absent where Slack gave none: then only the name is known. */
  readonly id?: string;
  readonly name: string;
}

const slackFile = z.object({ id: z.string().max(100).nullish(), name: z.string().nullish() });

/** More are not worth keeping. */
const mostFiles = 10;
const longestName = 100;

/** Slack's files of a message in the form in which they are kept. */
export const namedFiles = (files: readonly unknown[]): string[] =>
  files.slice(0, mostFiles).map((file) => {
    const { id, name } = slackFile.safeParse(file).data ?? {};
    const shown = (name ?? "").replace(/\s+/g, " ").trim().slice(0, longestName) || "file";
    return id && /^F[A-Z0-9]+$/.test(id) ? `${id} ${shown}` : shown;
  });

/** Reads a file as it is kept. */
export function readNamedFile(kept: string): NamedFile {
  const [, id, name] = /^(F[A-Z0-9]+) (.+)$/s.exec(kept) ?? [];
  return id !== undefined && name !== undefined ? { id, name } : { name: kept };
}
