import type { Run, Style } from "./run.ts";

/** What may become a link: addresses that trusted code added, compared letter by letter. */
export type AllowedAddresses = ReadonlySet<string>;

const schemes =
  "https?|wss?|ftp|mailto|tel|sms|javascript|vbscript|data|file|slack|skype|facetime|callto|xmpp|sip|sips|magnet|blob|about|intent|ms-[a-z]+|view-source";
// Inside an address: anything but white space, brackets, backticks and the full-width punctuation that follows one in Chinese or Japanese.
const rest = "[^\\s<>`\\u3000-\\u303F\\uFF01-\\uFF0D\\uFF1A-\\uFF1F]";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}_-]*[\\p{L}\\p{N}])?";
// Everything that Slack, a browser or a phone might turn into something to click: schemes, www., mail addresses, bare domains, addresses by number.
const address = new RegExp(
  [
    `(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\\/\\/${rest}+`,
    `\\b(?:${schemes}):${rest}+`,
    `\\bwww\\.${rest}+`,
    `(?<![a-z0-9])\\/\\/[\\p{L}\\p{N}]${rest}*\\.${rest}+`,
    `(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]+@(?:${label}[.\uFF0E])+\\p{L}[\\p{L}\\p{N}-]+`,
    `(?<![\\p{L}\\p{N}_@])(?:${label}[.\uFF0E])+(?:xn--[a-z0-9-]+|\\p{L}{2,24})(?![\\p{L}\\p{N}])(?::\\d{1,5})?(?:[/?#]${rest}*)?`,
    `(?<![\\p{L}\\p{N}.])\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5}|(?=\\/))(?:[/?#]${rest}*)?`,
  ].join("|"),
  "giu",
);
// A sentence's own punctuation behind an address is not part of it.
const trailing = /(?:[.,;:!?'"*_~\])}\u201D\u2019\u3002\uFF0C\u3001])+$/u;

/** Text of a model or a document as runs in which no address is live: allowed ones are links, all others inline code in full length. */
export function textRuns(text: string, style: Style, allowed: AllowedAddresses): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = allowed.has(match[0]) ? match[0] : trimmed(match[0]);
    if (!found) continue;
    if (match.index > end) runs.push({ ...style, text: text.slice(end, match.index) });
    runs.push(addressRun(found, style, allowed));
    end = match.index + found.length;
  }
  if (end < text.length) runs.push({ ...style, text: text.slice(end) });
  return runs;
}

/** One address: a link to itself when allowed, else inline code. */
export const addressRun = (url: string, style: Style, allowed: AllowedAddresses): Run =>
  isAllowed(url, allowed) ? { ...style, text: url, link: url } : { ...style, text: url, code: true };

/** Only addresses of the web, and only those that trusted code listed. */
export const isAllowed = (url: string, allowed: AllowedAddresses): boolean => /^https?:\/\//i.test(url) && allowed.has(url);

/** Web addresses in a text that a person wrote, so that an answer may link them again. */
export const webAddressesIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(address), (match) => trimmed(match[0])).filter((found) => /^https?:\/\//i.test(found)));

/** Whether a text holds anything that could become something to click. */
export const holdsAddress = (text: string): boolean => text.search(address) >= 0;

function trimmed(found: string): string {
  let rest = found.replace(trailing, "");
  // A closing bracket that was opened inside the address belongs to it.
  if (found[rest.length] === ")" && count(rest, "(") > count(rest, ")")) rest += ")";
  return rest;
}

const count = (text: string, char: string): number => text.split(char).length - 1;
