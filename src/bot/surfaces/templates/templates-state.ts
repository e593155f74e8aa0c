import { z } from "zod";
import type { Click } from "../click.ts";
import type { Clicked } from "../desk.ts";

/** What a modal about templates carries. It says whose it is and what is looked at; nobody's rights follow from it. */
export interface TemplatesState {
  readonly person: string;
  /** Where it was opened, or the channel that was chosen in it; absent when none was. */
  readonly channel?: string;
  /** Page of the list that is shown, 0-based. */
  readonly page: number;
  /** The template that is looked at. */
  readonly name?: string;
  /** Of a form: the version that it changes; 0 when the workspace has none of its own. */
  readonly onto?: number;
  /** Of a form: into how many fields the instructions are cut. */
  readonly parts?: number;
  /** Of a preview: what is kept of the form. */
  readonly draft?: string;
  /** In which the form is written, so that its mistakes are told in the same. */
  readonly language?: string;
}

const state = z.object({
  person: z.string().min(1).max(100),
  channel: z.string().min(1).max(100).optional(),
  page: z.int().min(0).max(1_000),
  name: z.string().min(1).max(40).optional(),
  onto: z.int().min(0).max(1_000_000).optional(),
  parts: z.int().min(1).max(9).optional(),
  draft: z.uuid().optional(),
  language: z.string().max(10).optional(),
});

/** What a view carries, if it has the form that we give it. */
export function readTemplatesState({ view }: Pick<Click, "view">): TemplatesState | undefined {
  try {
    return state.safeParse(JSON.parse(view?.metadata ?? "")).data as TemplatesState | undefined;
  } catch {
    return undefined;
  }
}

/** The modal's state, if it is this person's own modal. */
export function ownTemplatesState({ click, person }: Pick<Clicked, "click" | "person">): TemplatesState | undefined {
  const read = readTemplatesState(click);
  return read?.person === person.id ? read : undefined;
}
