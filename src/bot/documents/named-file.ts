import { z } from "zod";
import { visibleText } from "../../core/visible-text.ts";

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
/** Nobody reads on in a name that is longer. */
const longestRead = 1_000;

/** Slack's files of a message in the form in which they are kept. */
export const namedFiles = (files: readonly unknown[]): string[] =>
  files.slice(0, mostFiles).map((file) => {
    const { id, name } = slackFile.safeParse(file).data ?? {};
    return id && /^F[A-Z0-9]+$/.test(id) ? `${id} ${fileName(name)}` : fileName(name);
  });

/** A file's name on one line and of a bearable length, without what would show it other than it is; "file" where there is none. */
export function fileName(given: string | null | undefined): string {
  const name = visibleText((given ?? "").slice(0, longestRead))
    .replace(/\s+/g, " ")
    .trim();
  if (name.length <= longestName) return name || "file";
  // Its kind is what the end says.
  const kind = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, longestName - kind.length - 1).replace(/[\uD800-\uDBFF]$/, "")}\u2026${kind}`;
}

/** Reads a file as it is kept. */
export function readNamedFile(kept: string): NamedFile {
  const [, id, name] = /^(F[A-Z0-9]+) (.+)$/s.exec(kept) ?? [];
  return id !== undefined && name !== undefined ? { id, name } : { name: kept };
}
