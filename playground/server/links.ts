import { type Mention, mentionsIn } from "./mrkdwn.ts";
import type { Json, Revision } from "./state.ts";

/** How an address came to be a link. */
export type LinkKind = "bracketed" | "address" | "bare-domain" | "markdown" | "button" | "image" | "rich-text";

/** A link that some revision of a message showed. */
export interface Link {
  readonly url: string;
  readonly kind: LinkKind;
}

/** Top-level domains that make a bare word a link: the common generic ones and every country's two letters. */
const bareDomain =
  /(?<![\w@./:-])((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:com|org|net|edu|gov|info|biz|dev|app|cloud|tech|page|link|site|online|xyz|example|[a-z]{2}))(?![\w-])(?:[:/?#][^\s<>`|]*)?/giu;
const address = /(?<![<\w])(?:https?|ftp|slack|javascript|data):[^\s<>`|]+|(?<![<\w])mailto:[^\s<>`|]+/gi;

/** Every link in a text in Slack's markup. Slack links nothing in code except what stands in angle brackets. */
export function linksInMrkdwn(text: string): readonly Link[] {
  const found: Link[] = [];
  const rest = text.replace(/<([^<>|!@#][^<>|]*)(\|[^<>]*)?>/g, (_whole, url: string) => {
    found.push({ url: unescapeText(url), kind: "bracketed" });
    return " ";
  });
  const prose = rest.replace(/<[^<>]*>/g, " ").replace(/```[\s\S]*?```|`[^`\n]+`/g, " ");
  return [...found, ...looseLinks(prose)];
}

/** Every link in Markdown, as markdown blocks and streamed text hold it. */
export function linksInMarkdown(text: string): readonly Link[] {
  const found: Link[] = [];
  let prose = text.replace(/```[\s\S]*?(```|$)|`[^`\n]+`/g, " ");
  prose = prose.replace(/!?\[[^\]]*\]\(\s*<?([^)\s>]+)[^)]*\)/g, (whole, url: string) => {
    found.push({ url, kind: whole.startsWith("!") ? "image" : "markdown" });
    return " ";
  });
  prose = prose.replace(/^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm, (_whole, url: string) => {
    found.push({ url, kind: "markdown" });
    return " ";
  });
  prose = prose.replace(/<([a-z][a-z0-9+.-]*:[^<>\s|]+)(\|[^<>]*)?>/gi, (_whole, url: string) => {
    found.push({ url, kind: "bracketed" });
    return " ";
  });
  return [...found, ...looseLinks(prose)];
}

function looseLinks(prose: string): Link[] {
  const found: Link[] = [];
  const rest = prose.replace(address, (url) => {
    found.push({ url: unescapeText(url.replace(/[.,;:!?)\]]+$/, "")), kind: "address" });
    return " ";
  });
  for (const [whole] of rest.matchAll(bareDomain)) found.push({ url: whole.replace(/[.,;:!?)]+$/, ""), kind: "bare-domain" });
  return found;
}

const unescapeText = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What readers of one state of a message could follow, and whom it pinged. */
export interface Inside {
  readonly links: readonly Link[];
  readonly mentions: readonly Mention[];
}

/** Looks through one state of a message. Blocks are what Slack shows, the text what it notifies with: both count. */
export function insideRevision({ text, blocks, attachments }: Pick<Revision, "text" | "blocks" | "attachments">): Inside {
  const links: Link[] = [];
  const mentions: Mention[] = [];
  const read = (words: string, markdown: boolean) => {
    links.push(...(markdown ? linksInMarkdown(words) : linksInMrkdwn(words)));
    mentions.push(...mentionsIn(words));
  };
  read(
    text,
    blocks.some((block) => block.type === "markdown"),
  );
  for (const object of objectsIn(blocks)) {
    if (typeof object.text === "string" && (object.type === "mrkdwn" || object.type === "markdown"))
      read(object.text, object.type === "markdown");
    links.push(...addressesOf(object));
    mentions.push(...richMentions(object));
  }
  for (const object of objectsIn(attachments)) {
    for (const name of ["text", "pretext"]) if (typeof object[name] === "string") read(object[name], false);
    links.push(...addressesOf(object));
  }
  return { links, mentions };
}

/** Every object inside a value, itself included. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const addressFields: Readonly<Record<string, LinkKind>> = {
  url: "rich-text",
  image_url: "image",
  thumb_url: "image",
  thumbnail_url: "image",
  title_link: "rich-text",
};

function addressesOf(object: Json): readonly Link[] {
  return Object.entries(addressFields)
    .filter(([name]) => typeof object[name] === "string")
    .map(([name, kind]) => ({ url: String(object[name]), kind: object.type === "button" ? "button" : kind }));
}

function richMentions(object: Json): readonly Mention[] {
  if (object.type === "user") return [{ kind: "user", target: String(object.user_id) }];
  if (object.type === "channel") return [{ kind: "channel", target: String(object.channel_id) }];
  if (object.type === "usergroup") return [{ kind: "usergroup", target: String(object.usergroup_id) }];
  return object.type === "broadcast" ? [{ kind: "broadcast", target: String(object.range) }] : [];
}
