import type { ModalView } from "@slack/types";
import type { Catalogue } from "../words/catalogue.ts";
import type { Click } from "./click.ts";
import type { Clicked } from "./desk.ts";
import { sourcesModal } from "./sources-modal.ts";

/** Opens a modal. `title` heads it while it is being made, and when its author is refused. */
export interface Opening {
  title(words: Catalogue): string;
  opens(clicked: Clicked): Promise<ModalView>;
}

/** What one button, menu or form does. Its author takes part in the workspace; everything else is for it to check. */
export type Control = Opening;

/** Every element that can be used, by its action id. What an element does may depend on what was chosen. */
export const controls: Readonly<Record<string, (click: Click) => Control>> = {
  show_sources: () => ({ title: (words) => words.sources.title, opens: sourcesModal }),
};

/** Every form that can be sent, by its callback id. */
export const forms: Readonly<Record<string, (click: Click) => Control>> = {};
