import type { PersonId } from "../../core/ids.ts";

/**
 * What stands between a question and the message that it is about, in Slack's own form. Whatever follows it is read as that other
 * person's words, so whoever writes it themselves only makes their own words count less.
 */
const opening = "\n\n(About this message of <@";
const closing = ">:)\n";

/** A question about somebody's message, as it is stored: both in Slack's own form. */
export const aboutMessage = (question: string, author: PersonId, message: string): string =>
  `${question}${opening}${author}${closing}&gt; ${message.replaceAll("\n", "\n&gt; ")}`;

/** The question's own words, and the message that it is about. */
export function splitQuoted(raw: string): { readonly own: string; readonly quoted?: { readonly author: string; readonly text: string } } {
  const from = raw.indexOf(opening);
  if (from < 0) return { own: raw };
  const rest = raw.slice(from + opening.length);
  const end = rest.indexOf(closing);
  const [author, text] = end < 0 ? ["", rest] : [rest.slice(0, end), rest.slice(end + closing.length)];
  return { own: raw.slice(0, from), quoted: { author, text: text.replace(/^&gt; /gm, "") } };
}
