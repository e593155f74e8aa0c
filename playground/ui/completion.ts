import type { Workspace } from "./page-api.ts";

/** A name that can stand where the caret is. */
export interface Candidate {
  /** What is written, with its @ or #. */
  readonly insert: string;
  readonly hint: string;
}

const wordAtCaret = /(?:^|\s)([@#][\w-]*)$/;

/** The names that go on from an @ or # just before the caret; the bot comes first. */
export function completionsAt(text: string, caret: number, workspace: Pick<Workspace, "people" | "channels">): readonly Candidate[] {
  const word = wordAtCaret.exec(text.slice(0, caret))?.[1]?.toLowerCase();
  if (!word) return [];
  const all = word.startsWith("@")
    ? [
        { insert: "@footnote", hint: "asks the bot" },
        ...workspace.people.map(({ name, displayName }) => ({ insert: `@${name}`, hint: displayName })),
      ]
    : workspace.channels.map(({ name, topic }) => ({ insert: `#${name}`, hint: topic }));
  // A name that is already written out needs no completion: Enter sends then.
  return all.filter(({ insert }) => insert.startsWith(word) && insert !== word);
}

/** The text with the word before the caret replaced by the candidate and a space. */
export function complete(text: string, caret: number, candidate: Candidate): string {
  const word = wordAtCaret.exec(text.slice(0, caret))?.[1] ?? "";
  return `${text.slice(0, caret - word.length)}${candidate.insert} ${text.slice(caret).trimStart()}`;
}
