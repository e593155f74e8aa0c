import { english as answer, type Words } from "../out/views/words.ts";
import { german as antwort } from "./answer.ts";
import * as commands from "./commands.ts";
import * as feedback from "./feedback.ts";
import * as home from "./home.ts";
import * as sources from "./sources.ts";
import * as surface from "./surface.ts";
import * as tools from "./tools.ts";
import * as welcome from "./welcome.ts";

/** Everything the bot says to people in Slack, by the place where it is said. */
export interface Catalogue {
  /** For Slack's dates and for numbers: a BCP 47 tag. */
  readonly language: string;
  readonly answer: Words;
  readonly commands: typeof commands.english;
  readonly feedback: typeof feedback.english;
  readonly home: typeof home.english;
  readonly sources: typeof sources.english;
  readonly surface: typeof surface.english;
  readonly tools: typeof tools.english;
  readonly welcome: typeof welcome.english;
}

export const english: Catalogue = {
  language: "en",
  answer,
  commands: commands.english,
  feedback: feedback.english,
  home: home.english,
  sources: sources.english,
  surface: surface.english,
  tools: tools.english,
  welcome: welcome.english,
};

const german: Catalogue = {
  language: "de",
  answer: antwort,
  commands: commands.german,
  feedback: feedback.german,
  home: home.german,
  sources: sources.german,
  surface: surface.german,
  tools: tools.german,
  welcome: welcome.german,
};

/** All languages, the one for everybody else first. */
export const catalogues: readonly Catalogue[] = [english, german];

/** The words in somebody's language. @param locale as Slack gives it, e.g. "de-DE"; English when unknown or not translated to */
export const wordsFor = (locale: string | undefined): Catalogue =>
  catalogues.find(({ language }) => locale?.toLowerCase().split(/[-_]/)[0] === language) ?? english;
