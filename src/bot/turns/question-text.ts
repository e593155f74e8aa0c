/** Names for the ids in a message; undefined keeps the id. */
export interface Names {
  person(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** Slack's spelling of ids, links and dates: <@U1>, <#C1|general>, <!here>, <https://a.example|label>. */
const entity = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g;

/**
 * A message in Slack's form as the Markdown its author meant. Mentions of the bot at its beginning or end are an address and go;
 * elsewhere they are part of the sentence. Escapes are undone exactly once; asterisks and code are left as written.
 */
export function questionText(raw: string, botUserId: string, names: Names): string {
  return unescaped(
    withoutAddress(raw, botUserId).replace(entity, (whole, sigil: string, body: string, label?: string) => {
      switch (sigil) {
        case "@":
          return `@${names.person(body) ?? (label || body)}`;
        case "#":
          return `#${label || (names.channel(body) ?? body)}`;
        case "!":
          return special(body, label);
        default:
          return link(body, label) ?? whole;
      }
    }),
  );
}

/** The people named in a message, in order, as ids. */
export const peopleIn = (raw: string): readonly string[] =>
  [...raw.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? "");

/** The channels named in a message, as ids. */
export const channelsIn = (raw: string): readonly string[] =>
  [...raw.matchAll(/<#([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? "");

/** Whether a message begins by addressing somebody, and it is not the bot. */
export function addressesSomebodyElse(raw: string, botUserId: string): boolean {
  const first = /^\s*<@([A-Z0-9]+)(?:\|[^<>]*)?>/.exec(raw)?.[1];
  return first !== undefined && first !== botUserId && !mentions(raw, botUserId);
}

/** Whether a message names the bot. */
export const mentions = (raw: string, botUserId: string): boolean => peopleIn(raw).includes(botUserId);

function withoutAddress(raw: string, botUserId: string): string {
  const isBot = (piece: string) => piece === `<@${botUserId}>` || (piece.startsWith(`<@${botUserId}|`) && piece.endsWith(">"));
  return withoutLast(withoutFirst(raw.trim(), isBot), isBot).trim();
}

// Piece by piece instead of by one expression: an expression that repeats both mentions and what may stand between them takes a time that
// grows without bounds with their number, and whoever may write a message could stop the program.

function withoutFirst(text: string, isBot: (piece: string) => boolean): string {
  let from = 0;
  while (text[from] === "<") {
    const end = text.indexOf(">", from) + 1;
    if (end === 0 || !isBot(text.slice(from, end))) break;
    from = end;
    while (from < text.length && /[\s,:]/.test(text[from] as string)) from++;
  }
  return text.slice(from);
}

function withoutLast(text: string, isBot: (piece: string) => boolean): string {
  let to = text.length;
  while (text[to - 1] === ">") {
    const begin = text.lastIndexOf("<", to - 1);
    if (begin < 0 || !isBot(text.slice(begin, to))) break;
    to = begin;
    while (to > 0 && /[\s,]/.test(text[to - 1] as string)) to--;
  }
  return text.slice(0, to);
}

/** <!here>, <!subteam^S1|@team>, <!date^1^{date}|yesterday>: what a reader would see. */
function special(body: string, label: string | undefined): string {
  if (label) return label;
  return body.startsWith("subteam^") ? "@group" : `@${body.split("^")[0]}`;
}

/** Undefined when the angle brackets hold no address: then a person's own brackets are meant. */
function link(address: string, label: string | undefined): string | undefined {
  if (!/^(?:[a-z][a-z0-9+.-]*:)/i.test(address)) return undefined;
  const plain = address.replace(/^(?:mailto|tel):/, "");
  if (!label || label === address || label === plain) return plain;
  // Slack makes links of bare domains: the label is what the person typed.
  if (address === `http://${label}` || address === `https://${label}`) return address;
  return `[${label.replace(/[[\]]/g, "\\$&")}](${address})`;
}

/** One pass, so that a typed "&amp;lt;" stays "&lt;". */
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (_, name: "amp" | "lt" | "gt") => ({ amp: "&", lt: "<", gt: ">" })[name]);
