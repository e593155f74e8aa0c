import type { Json } from "./state.ts";

/** Names that a typed text may mention, with the ids they stand for. */
export interface Names {
  user(handle: string): string | undefined;
  channel(name: string): string | undefined;
}

const broadcasts = new Set(["here", "channel", "everyone"]);

/** Pieces of a typed message: a web address, @name or #name, or anything else. */
const typedTokens = /(https?:\/\/[^\s<>]+)|@([a-z0-9][a-z0-9._-]*)|#([a-z0-9][a-z0-9_-]*)/gi;

/**
 * What Slack makes of a text that a person types: escaped, with names and addresses in angle brackets, and the rich text
 * block that Slack's own editor sends beside it.
 */
export function fromTyped(typed: string, names: Names): { readonly text: string; readonly blocks: readonly Json[] } {
  const elements: Json[] = [];
  let text = "";
  let end = 0;
  const plain = (piece: string) => {
    if (!piece) return;
    text += escapeText(piece);
    elements.push({ type: "text", text: piece });
  };
  for (const match of typed.matchAll(typedTokens)) {
    const special = specialForm(match, names);
    if (!special) continue;
    plain(typed.slice(end, match.index));
    text += special.text + special.rest;
    elements.push(special.element);
    if (special.rest) elements.push({ type: "text", text: special.rest });
    end = match.index + match[0].length;
  }
  plain(typed.slice(end));
  return { text, blocks: [{ type: "rich_text", block_id: blockId(text), elements: [{ type: "rich_text_section", elements }] }] };
}

function specialForm(match: RegExpMatchArray, names: Names): { text: string; rest: string; element: Json } | undefined {
  const [, address, handle, channelName] = match;
  if (address) {
    const url = address.replace(/[.,;:!?)]+$/, "");
    return { text: `<${escapeText(url)}>`, rest: address.slice(url.length), element: { type: "link", url } };
  }
  if (handle) {
    const name = handle.replace(/[._-]+$/, "");
    const rest = handle.slice(name.length);
    if (broadcasts.has(name)) return { text: `<!${name}>`, rest, element: { type: "broadcast", range: name } };
    const id = names.user(name);
    return id ? { text: `<@${id}>`, rest, element: { type: "user", user_id: id } } : undefined;
  }
  const id = names.channel(channelName as string);
  return id ? { text: `<#${id}|${channelName}>`, rest: "", element: { type: "channel", channel_id: id } } : undefined;
}

/** Slack's three escapes. */
const escapeText = (raw: string): string => raw.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** A short id for a block without one: the same text gives the same id, so that tests can compare. */
export function blockId(from: string): string {
  let hash = 5381;
  for (let i = 0; i < from.length; i++) hash = (hash * 33 + from.charCodeAt(i)) >>> 0;
  return hash.toString(36).slice(0, 5).padStart(5, "0");
}

export interface Mention {
  readonly kind: "user" | "channel" | "usergroup" | "broadcast";
  /** The id, or here, channel, everyone. */
  readonly target: string;
}

/** Everybody and everything a text in Slack's markup pings or points to. Code spans do not protect: Slack resolves these forms there too. */
export function mentionsIn(text: string): readonly Mention[] {
  const found: Mention[] = [];
  for (const [, sigil, target] of text.matchAll(/<(@|#|!subteam\^|!)([^>|^]+)[^>]*>/g)) {
    if (!target) continue;
    if (sigil === "@") found.push({ kind: "user", target });
    else if (sigil === "#") found.push({ kind: "channel", target });
    else if (sigil === "!subteam^") found.push({ kind: "usergroup", target });
    else if (broadcasts.has(target)) found.push({ kind: "broadcast", target });
  }
  return found;
}
