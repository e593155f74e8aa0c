import * as login from "../approvals/login/words.ts";
import * as approvals from "../approvals/words.ts";
import * as audience from "../audience/words.ts";
import * as commands from "../commands/words.ts";
import * as following from "../documents/following/words.ts";
import * as reasons from "../documents/reasons/words.ts";
import * as documents from "../documents/words.ts";
import * as welcome from "../install/words.ts";
import * as agentView from "../surfaces/agent-view/words.ts";
import * as answer from "../surfaces/answer/words.ts";
import * as feedback from "../surfaces/feedback/words.ts";
import * as home from "../surfaces/home/words.ts";
import * as privately from "../surfaces/private/words.ts";
import * as roles from "../surfaces/roles/words.ts";
import * as servers from "../surfaces/servers/words.ts";
import * as shortcuts from "../surfaces/shortcuts/words.ts";
import * as sources from "../surfaces/sources/words.ts";
import * as templates from "../surfaces/templates/words.ts";
import * as tools from "../surfaces/tools/words.ts";
import * as usage from "../surfaces/usage/words.ts";
import * as surface from "../surfaces/words.ts";

/** Everything the bot says to people in Slack, by the place where it is said. */
export interface Catalogue {
  readonly agentView: typeof agentView.english;
  /** For Slack's dates and for numbers: a BCP 47 tag. */
  readonly language: string;
  readonly answer: answer.Words;
  readonly approvals: typeof approvals.english;
  readonly audience: typeof audience.english;
  readonly commands: typeof commands.english;
  readonly documents: typeof documents.english;
  readonly feedback: typeof feedback.english;
  readonly following: typeof following.english;
  readonly home: typeof home.english;
  readonly login: typeof login.english;
  readonly private: typeof privately.english;
  readonly reasons: typeof reasons.english;
  readonly roles: typeof roles.english;
  readonly servers: typeof servers.english;
  readonly shortcuts: typeof shortcuts.english;
  readonly sources: typeof sources.english;
  readonly surface: typeof surface.english;
  readonly templates: typeof templates.english;
  readonly tools: typeof tools.english;
  readonly usage: typeof usage.english;
  readonly welcome: typeof welcome.english;
}

export const english: Catalogue = {
  agentView: agentView.english,
  language: "en",
  answer: answer.english,
  approvals: approvals.english,
  audience: audience.english,
  commands: commands.english,
  documents: documents.english,
  feedback: feedback.english,
  following: following.english,
  home: home.english,
  login: login.english,
  private: privately.english,
  reasons: reasons.english,
  roles: roles.english,
  servers: servers.english,
  shortcuts: shortcuts.english,
  sources: sources.english,
  surface: surface.english,
  templates: templates.english,
  tools: tools.english,
  usage: usage.english,
  welcome: welcome.english,
};

const german: Catalogue = {
  agentView: agentView.german,
  language: "de",
  answer: answer.german,
  approvals: approvals.german,
  audience: audience.german,
  commands: commands.german,
  documents: documents.german,
  feedback: feedback.german,
  following: following.german,
  home: home.german,
  login: login.german,
  private: privately.german,
  reasons: reasons.german,
  roles: roles.german,
  servers: servers.german,
  shortcuts: shortcuts.german,
  sources: sources.german,
  surface: surface.german,
  templates: templates.german,
  tools: tools.german,
  usage: usage.german,
  welcome: welcome.german,
};

/** All languages, the one for everybody else first. */
export const catalogues: readonly Catalogue[] = [english, german];

/** The words in somebody's language. @param locale as Slack gives it, e.g. "de-DE"; English when unknown or not translated to */
export const wordsFor = (locale: string | undefined): Catalogue =>
  catalogues.find(({ language }) => locale?.toLowerCase().split(/[-_]/)[0] === language) ?? english;
