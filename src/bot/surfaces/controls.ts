import type { ModalView } from "@slack/types";
import { addFiles, addFilesForm, keepFilesForm } from "../documents/add-form.ts";
import { follow, followForm, mistakesInFollowing } from "../documents/following/follow-form.ts";
import { endSource, openSource, readSource } from "../documents/following/source-modal.ts";
import type { MessageBody } from "../out/slack-writer.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { takeIn } from "./answer/take-in.ts";
import type { Click } from "./click.ts";
import type { Clicked, Rendering } from "./desk.ts";
import { askForComment, comment, pointsUp, rate, rateAndAsk } from "./feedback/feedback.ts";
import { logOutAtHome, openLogIn } from "./home/connections.ts";
import { chooseChannelTemplate, type HomeChange, turnHome } from "./home/home.ts";
import { searchPrivately } from "./private/search-privately.ts";
import { previewShare, shareAnswer } from "./private/share.ts";
import { giveRole, mistakesInRole, openRoles, takeRoleBack, turnRoles } from "./roles/roles.ts";
import {
  chooseAccess,
  editServer,
  mistakesInServer,
  newServer,
  openNewServer,
  openServers,
  removeServer,
  saveServer,
} from "./servers/servers.ts";
import { askAbout, askAboutForm } from "./shortcuts/ask-about.ts";
import { sourcesModal } from "./sources/sources-modal.ts";
import { mistakesInQuestion, startForm, startThread } from "./templates/start-thread.ts";
import { type FormFacts, mistakesInForm } from "./templates/template-form.ts";
import { previewDraft, previewElsewhere, previewStored } from "./templates/template-preview.ts";
import { tryOut } from "./templates/template-trial.ts";
import {
  chooseChannel,
  compareVersions,
  editTemplate,
  giveToChannel,
  newTemplate,
  openNewTemplate,
  openTemplates,
  rollBack,
  saveTemplate,
  showTemplate,
  showVersions,
  turnTemplates,
} from "./templates/templates.ts";
import { openPolicy, openTools, switchTool, turnTools } from "./tools/tools-panel.ts";
import { mistakesInBudgets, openUsage, setBudgets } from "./usage/usage.ts";

/** Opens a modal. `title` heads it while it is being made, and when its author is refused. */
export interface Opening {
  title(words: Catalogue): string;
  opens(clicked: Clicked): Promise<ModalView>;
  /** "push" lays it on top of the modal that was clicked in. */
  readonly how?: "push";
  /** What stands in it while it is being made, when that takes long. */
  waiting?(words: Catalogue): string;
}

/** Changes something, then the modal in which it was clicked. */
export interface Changing {
  changes(clicked: Clicked): Promise<Rendering>;
}

/** A form that stays open until nothing is wrong in it, and then shows what has become of it. */
export interface Submitting {
  title(words: Catalogue): string;
  /** Sentences by block id; none when it can be taken. Told before Slack stops waiting, so nothing is looked up. */
  mistakes(
    click: Click,
    words: Catalogue,
    facts: FormFacts & { readonly serverOrigins?: readonly string[] },
  ): Readonly<Record<string, string>>;
  submits(clicked: Clicked): Promise<ModalView>;
}

/** Does something that no modal shows, and may say a sentence to its author alone. */
interface Noting {
  notes(clicked: Clicked): Promise<string | MessageBody | undefined>;
}

/** Changes something in App Home, which is then published anew. */
interface AtHome {
  atHome(clicked: Clicked): Promise<HomeChange>;
}

/** What one button, menu or form does. Its author takes part in the workspace; everything else is for it to check. */
export type Control = Opening | Changing | Noting | AtHome | Submitting;

const followingTitle = (words: Catalogue): string => words.following.title;
const templatesTitle = (words: Catalogue): string => words.templates.title;
const rolesTitle = (words: Catalogue): string => words.roles.title;
const serversTitle = (words: Catalogue): string => words.servers.title;
const previewTitle = (words: Catalogue): string => words.templates.preview.title;

/** Every element that can be used, by its action id. What an element does may depend on what was chosen. */
export const controls: Readonly<Record<string, (click: Click) => Control>> = {
  show_sources: () => ({ title: (words) => words.sources.title, opens: sourcesModal }),
  show_tools: () => ({ title: (words) => words.tools.title, opens: openTools }),
  tool_switch: () => ({ changes: switchTool }),
  tools_scope: () => ({ changes: turnTools("scope") }),
  tools_previous: () => ({ changes: turnTools("page") }),
  tools_next: () => ({ changes: turnTools("page") }),
  show_policy: () => ({ title: (words) => words.tools.title, opens: openPolicy }),
  show_templates: () => ({ title: templatesTitle, opens: openTemplates }),
  templates_back: () => ({ changes: turnTemplates }),
  templates_previous: () => ({ changes: turnTemplates }),
  templates_next: () => ({ changes: turnTemplates }),
  template_open: () => ({ changes: showTemplate }),
  template_new: ({ view }) => (view?.kind === "modal" ? { changes: newTemplate } : { title: templatesTitle, opens: openNewTemplate }),
  template_edit: () => ({ changes: editTemplate }),
  template_versions: () => ({ changes: showVersions }),
  versions_previous: () => ({ changes: showVersions }),
  versions_next: () => ({ changes: showVersions }),
  template_compare: () => ({ changes: compareVersions }),
  template_roll_back: () => ({ changes: rollBack }),
  template_channel: () => ({ changes: chooseChannel }),
  template_use: () => ({ changes: giveToChannel }),
  template_preview: () => ({ title: previewTitle, opens: previewStored, how: "push" }),
  template_preview_draft: () => ({ title: previewTitle, opens: previewDraft, how: "push" }),
  preview_channel: () => ({ changes: previewElsewhere }),
  template_try: () => ({
    ...{ title: (words) => words.templates.trial.title, waiting: (words) => words.templates.trial.waiting },
    ...{ opens: tryOut, how: "push" },
  }),
  template_start: () => ({ changes: startForm }),
  home_previous: () => ({ atHome: turnHome }),
  home_next: () => ({ atHome: turnHome }),
  show_roles: () => ({ title: rolesTitle, opens: openRoles }),
  roles_previous: () => ({ changes: turnRoles }),
  roles_next: () => ({ changes: turnRoles }),
  role_revoke: () => ({ changes: takeRoleBack }),
  show_usage: () => ({ title: (words) => words.usage.title, opens: openUsage }),
  show_servers: () => ({ title: serversTitle, opens: openServers }),
  server_new: ({ view }) => (view?.kind === "modal" ? { changes: newServer } : { title: serversTitle, opens: openNewServer }),
  server_edit: () => ({ changes: editServer }),
  server_access: () => ({ changes: chooseAccess }),
  server_remove: () => ({ changes: removeServer }),
  connection_log_in: () => ({ title: (words) => words.login.connections, opens: openLogIn }),
  connection_log_out: () => ({ atHome: logOutAtHome }),
  take_in: () => ({ notes: takeIn }),
  search_privately: () => ({ notes: searchPrivately }),
  share_answer: () => ({ title: (words) => words.private.title, opens: previewShare }),
  keep_files: () => ({ title: (words) => words.documents.title, opens: keepFilesForm }),
  source_new: () => ({ title: followingTitle, opens: followForm }),
  source_open: () => ({ title: followingTitle, opens: openSource }),
  source_read: () => ({ changes: readSource }),
  source_remove: () => ({ changes: endSource }),
  channel_template: () => ({ atHome: chooseChannelTemplate }),
  comment_answer: () => ({ title: (words) => words.feedback.title, opens: askForComment }),
  rate_answer: ({ value }) => (pointsUp(value) ? { notes: rate } : { title: (words) => words.feedback.title, opens: rateAndAsk }),
};

/** Every shortcut of messages, by its callback id. */
export const shortcuts: Readonly<Record<string, (click: Click) => Control>> = {
  ask_about_this: () => ({ title: (words) => words.shortcuts.title, opens: askAboutForm }),
  add_to_knowledge: () => ({ title: (words) => words.documents.title, opens: addFilesForm }),
};

/** Every form that can be sent, by its callback id. */
export const forms: Readonly<Record<string, (click: Click) => Control>> = {
  budget_set: () => ({ title: (words) => words.usage.title, mistakes: mistakesInBudgets, submits: setBudgets }),
  feedback_comment: () => ({ notes: comment }),
  add_documents: () => ({ notes: addFiles }),
  ask_about: () => ({ notes: askAbout }),
  source_follow: () => ({ title: followingTitle, mistakes: mistakesInFollowing, submits: follow }),
  role_grant: () => ({ title: rolesTitle, mistakes: mistakesInRole, submits: giveRole }),
  server_save: () => ({ title: serversTitle, mistakes: mistakesInServer, submits: saveServer }),
  share_confirmed: () => ({ notes: shareAnswer }),
  template_save: () => ({ title: templatesTitle, mistakes: mistakesInForm, submits: saveTemplate }),
  thread_start: () => ({ title: (words) => words.templates.start.title, mistakes: mistakesInQuestion, submits: startThread }),
};
