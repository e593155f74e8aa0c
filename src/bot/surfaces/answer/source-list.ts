import type { Citation } from "../../../agent/events.ts";
import type { Source } from "../../../plugins/contract.ts";
import { holdsAddress } from "../../out/mrkdwn/addresses.ts";
import { clean } from "../../out/mrkdwn/clean.ts";
import { writeRuns } from "../../out/mrkdwn/write.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { shorten } from "./activity.ts";
import type { Words } from "./words.ts";

/** What is shown of a source. */
type Shown = Pick<Source, "title" | "page" | "pageName" | "heading" | "relevance">;

const longestTitle = 150;
const longestHeading = 100;
const longestPageName = 40;

// Most titles are names of files, which look like domains to a strict eye.
const fileEnding = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|csv|md|txt|html?|eml|epub|json|ya?ml|xml)(?![\w/.:])/gi;

/** The list below an answer: number, title and page as the link, then heading and relevance. */
export const sourceLines = (citations: readonly Citation[], words: Words): string[] =>
  [...citations].sort((a, b) => a.n - b.n).map((citation) => sourceLine(citation, words));

/** Characters of a line of small print: with the longest source it still fits the smallest message. */
const compactLine = 500;

/** The same as small print: numbers, titles and pages, as many in a line as fit. */
export function compactSourceLines(citations: readonly Citation[], words: Words): string[] {
  const lines: string[] = [];
  for (const citation of [...citations].sort((a, b) => a.n - b.n)) {
    const { title, page, pageName } = citation.source;
    const source = { title, relevance: 0, ...(page !== undefined && { page }), ...(pageName !== undefined && { pageName }) };
    const one = sourceLine({ ...citation, source }, words);
    const last = lines.at(-1);
    if (last === undefined || last.length + one.length > compactLine) lines.push(one);
    else lines[lines.length - 1] = `${last} \u00B7 ${one}`;
  }
  return lines;
}

/** One source in mrkdwn, its title a link where that misleads nobody. */
export function sourceLine({ n, source, url }: Pick<Citation, "n" | "url"> & { readonly source: Shown }, words: Words): string {
  const link = webAddress(url);
  const title = shorten(clean(source.title), longestTitle);
  const named =
    source.page === undefined
      ? title
      : `${title}, ${source.pageName === undefined ? words.page(source.page) : shorten(clean(source.pageName), longestPageName)}`;
  // A title that reads like an address must not stand on a link to somewhere else.
  const whole = link !== undefined && !holdsAddress(named.replace(fileEnding, ""));
  const number = writeRuns([link === undefined ? { text: `[${n}]` } : { text: whole ? `[${n}] ${named}` : `[${n}]`, link }]);
  const rest = [
    ...(source.heading ? [shorten(source.heading, longestHeading)] : []),
    ...(source.relevance > 0 ? [words.relevance(Math.min(1, source.relevance))] : []),
  ];
  return [`${number}${whole ? "" : ` ${plainMrkdwn(named)}`}`, ...rest.map(plainMrkdwn)].join(" \u00B7 ");
}

// A line of the list must fit the smallest message; an address that alone would fill it is left out.
const longestAddress = 800;

/** The address of a source when it is one of the web. */
export const webAddress = (url: string | undefined): string | undefined =>
  url !== undefined && url.length <= longestAddress && /^https?:\/\/\S+$/i.test(url) ? url : undefined;
