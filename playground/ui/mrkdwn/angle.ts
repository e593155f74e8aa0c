import { unescapeText } from "./escapes.ts";
import type { Inline } from "./nodes.ts";

const linkSchemes = new Set(["http:", "https:", "mailto:"]);

/**
 * An address that may be clicked, or undefined: javascript:, data: and the like are shown as text only.
 * @param raw address as Slack escapes it
 */
function safeHref(raw: string): string | undefined {
  const href = unescapeText(raw).trim();
  return URL.canParse(href) && linkSchemes.has(new URL(href).protocol) ? href : undefined;
}

/** What stands for `<...>`: a link, a mention, or the label of something that must not be a link. */
export function parseAngle(content: string): Inline | undefined {
  const bar = content.indexOf("|");
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? "" : unescapeText(content.slice(bar + 1));
  if (/^@[UW][A-Z0-9]+$/.test(target)) return { type: "user", id: target.slice(1), ...(label && { label }) };
  if (/^#[CGD][A-Z0-9]+$/.test(target)) return { type: "channel", id: target.slice(1), ...(label && { label }) };
  if (target.startsWith("!")) return special(target.slice(1), label);
  const href = safeHref(target);
  if (href) return { type: "link", href, label: label || href.replace(/^mailto:/, "") };
  return /^[a-z][a-z0-9+.-]*:/i.test(target)
    ? { type: "text", text: label ? `${label} (${unescapeText(target)})` : unescapeText(target) }
    : undefined;
}

function special(command: string, label: string): Inline | undefined {
  if (command === "here" || command === "channel" || command === "everyone") return { type: "broadcast", label: `@${command}` };
  if (command.startsWith("subteam^")) return { type: "broadcast", label: label || "@group" };
  if (command.startsWith("date^")) return { type: "text", text: localDate(command) ?? label };
  return undefined;
}

/** A moment in the reader's own time zone; Slack knows more forms than this one. */
function localDate(command: string): string | undefined {
  const [, seconds] = /^date\^(\d{1,11})\^.*\{time\}/.exec(command) ?? [];
  if (!seconds) return undefined;
  return new Date(Number(seconds) * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** The words of an angle form where no link may be, as in code. */
export const angleAsText = (content: string): string => unescapeText(content.slice(content.indexOf("|") + 1));
