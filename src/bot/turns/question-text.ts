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
  const bot = `<@${botUserId}(?:\\|[^<>]*)?>`;
  return raw
    .replace(new RegExp(`^(?:\\s*${bot}[\\s,:]*)+`), "")
    .replace(new RegExp(`(?:[\\s,]*${bot}\\s*)+$`), "")
    .trim();
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
