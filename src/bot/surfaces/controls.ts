import type { ModalView } from "@slack/types";
import type { Catalogue } from "../words/catalogue.ts";
import type { Click } from "./click.ts";
import type { Clicked, Rendering } from "./desk.ts";
import { comment, pointsUp, rate, rateAndAsk } from "./feedback/feedback.ts";
import { chooseChannelTemplate, type HomeChange, turnHome } from "./home/home.ts";
import { searchPrivately } from "./private/search-privately.ts";
import { previewShare, shareAnswer } from "./private/share.ts";
import { sourcesModal } from "./sources/sources-modal.ts";
import { openPolicy, openTools, switchTool, turnTools } from "./tools/tools-panel.ts";

/** Opens a modal. `title` heads it while it is being made, and when its author is refused. */
export interface Opening {
  title(words: Catalogue): string;
  opens(clicked: Clicked): Promise<ModalView>;
}

/** Changes something, then the modal in which it was clicked. */
export interface Changing {
  changes(clicked: Clicked): Promise<Rendering>;
}

/** Does something that no modal shows, and may say a sentence to its author alone. */
interface Noting {
  notes(clicked: Clicked): Promise<string | undefined>;
}

/** Changes something in App Home, which is then published anew. */
interface AtHome {
  atHome(clicked: Clicked): Promise<HomeChange>;
}

/** What one button, menu or form does. Its author takes part in the workspace; everything else is for it to check. */
export type Control = Opening | Changing | Noting | AtHome;

/** Every element that can be used, by its action id. What an element does may depend on what was chosen. */
export const controls: Readonly<Record<string, (click: Click) => Control>> = {
  show_sources: () => ({ title: (words) => words.sources.title, opens: sourcesModal }),
  show_tools: () => ({ title: (words) => words.tools.title, opens: openTools }),
  tool_switch: () => ({ changes: switchTool }),
  tools_scope: () => ({ changes: turnTools("scope") }),
  tools_previous: () => ({ changes: turnTools("page") }),
  tools_next: () => ({ changes: turnTools("page") }),
  show_policy: () => ({ title: (words) => words.tools.title, opens: openPolicy }),
  home_previous: () => ({ atHome: turnHome }),
  home_next: () => ({ atHome: turnHome }),
  search_privately: () => ({ notes: searchPrivately }),
  share_answer: () => ({ title: (words) => words.private.title, opens: previewShare }),
  channel_template: () => ({ atHome: chooseChannelTemplate }),
  rate_answer: ({ value }) => (pointsUp(value) ? { notes: rate } : { title: (words) => words.feedback.title, opens: rateAndAsk }),
};

/** Every form that can be sent, by its callback id. */
export const forms: Readonly<Record<string, (click: Click) => Control>> = {
  feedback_comment: () => ({ notes: comment }),
  share_confirmed: () => ({ notes: shareAnswer }),
};
