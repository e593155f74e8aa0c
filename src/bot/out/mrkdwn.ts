import type { Definition, Root } from "mdast";
import type { AllowedAddresses } from "./mrkdwn/addresses.ts";
import { textRuns } from "./mrkdwn/addresses.ts";
import { blockParts, toLines } from "./mrkdwn/blocks.ts";
import { clean } from "./mrkdwn/clean.ts";
import { parseMarkdown } from "./mrkdwn/parse.ts";
import { plainParts } from "./mrkdwn/plain-text.ts";
import type { Part } from "./mrkdwn/run.ts";
import { paginate, sectionText, type TextLimits } from "./mrkdwn/split.ts";
import { writeRuns } from "./mrkdwn/write.ts";

/** What text of a model may turn into. Everything not named here is shown and does nothing. */
export interface MrkdwnOptions {
  /** Addresses that may be links, compared letter by letter: those of cited sources, those the asker wrote. */
  readonly allowed?: AllowedAddresses;
  /** Numbers of the sources, with the address that opens each (none for a source without one). */
  readonly citations?: ReadonlyMap<number, string | undefined>;
}

/** Markdown as Slack messages: for each message its section texts in mrkdwn, escaped exactly once, within the limits. */
export const toMrkdwn = (markdown: string, options: MrkdwnOptions = {}, limits?: TextLimits): string[][] =>
  paginate(toParts(markdown, options), limits).map((sections) => sections.map(sectionText));

/** Markdown as parts still to be laid out over messages. */
export function toParts(markdown: string, { allowed = new Set(), citations = new Map() }: MrkdwnOptions): Part[] {
  const text = clean(markdown);
  if (text.trim() === "") return [];
  const plain = plainParts(text, { allowed, citations, definitions: new Map(), source: text });
  if (plain) return plain;
  try {
    const { tree, source } = parseMarkdown(text);
    return blockParts(tree, { allowed, citations, definitions: definitionsOf(tree), source });
  } catch (error) {
    // Thousands of quotes or lists within each other are more than a stack holds; the text is still shown, without its form.
    if (!(error instanceof RangeError)) throw error;
    return [{ kind: "text", gap: false, lines: toLines(textRuns(text, {}, allowed)) }];
  }
}

/** One line of plain text (a title, a query) as inert mrkdwn: no marks, no links, no mentions. */
export const plainMrkdwn = (text: string): string => writeRuns(textRuns(clean(text).replace(/\s+/g, " ").trim(), {}, new Set()));

function definitionsOf(tree: Root): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const visit = (node: { type: string; children?: readonly { type: string }[] }) => {
    if (node.type === "definition") found.set((node as Definition).identifier, node as Definition);
    for (const child of node.children ?? []) visit(child);
  };
  visit(tree);
  return found;
}
