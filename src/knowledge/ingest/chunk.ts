import { countTokens } from "../../core/tokens.ts";
import type { Block } from "./extract/document.ts";
import { type Measure, sentences, split } from "./split.ts";

/** A piece of a document that is found and cited as one. */
export interface Chunk {
  readonly text: string;
  /** 1-based page on which it begins, and on which it ends. */
  readonly page?: number;
  readonly pageEnd?: number;
  /** What the document calls the page where it begins, if that is not "page" and its position. */
  readonly pageName?: string;
  /** Headings joined by " > ", outermost first. */
  readonly heading?: string;
  readonly tokens: number;
}

/** Tokens of a passage: enough for a thought with its conditions, little enough that one vector can stand for it. */
const TARGET = 256;

/** For models that do not say how they count: as language models do. */
const USUAL: Measure = { count: countTokens, passage: TARGET };

/** A last piece smaller than this share of the target is joined to the one before, which may then exceed the target by as much. */
const SMALLEST = 1 / 4;
/** Prose that had to be cut repeats its last sentence, if not longer than this share of the target, so that "it" still has its noun. */
const OVERLAP = 3 / 16;

/**
 * Packs blocks into passages. A passage has one heading path, and one page except where its last sentence runs over the page's end:
 * that sentence is kept whole, on the page where it begins. Headings are not text of a passage but its `heading`; only those with nothing
 * below them become text.
 */
export function chunk(blocks: readonly Block[], measure: Measure = USUAL): Chunk[] {
  return sections(joinTornSentences(blocks, measure)).flatMap((section) => fill(section, measure));
}

interface Part extends Block {
  readonly pageEnd?: number;
}

interface Section {
  readonly page: number | undefined;
  readonly pageName: string | undefined;
  readonly path: readonly string[];
  readonly parts: Part[];
}

/** Moves the rest of a sentence that a page break tore apart to the page where it began. */
function joinTornSentences(blocks: readonly Block[], measure: Measure): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const above = parts.at(-1);
    const rest = above && tornRest(above, block, measure);
    if (!above || !rest) {
      parts.push(block);
      continue;
    }
    parts[parts.length - 1] = {
      ...above,
      text: `${above.text} ${rest.trim()}`,
      ...(block.page === undefined ? {} : { pageEnd: block.page }),
    };
    const below = block.text.slice(rest.length).trim();
    if (below !== "") parts.push({ ...block, text: below });
  }
  return parts;
}

function tornRest(above: Part, block: Block, { count, passage }: Measure): string | undefined {
  const pageTurned = above.page !== undefined && block.page === above.page + 1;
  const samePlace = above.kind === "prose" && block.kind === "prose" && above.headingPath.join() === block.headingPath.join();
  if (!pageTurned || !samePlace || /[.!?:;。！？…]["'”’)\]]*\s*$/.test(above.text) || !/^\p{Ll}/u.test(block.text)) return undefined;
  const rest = sentences(block.text)[0];
  return rest && count(rest) <= passage / 2 ? rest : undefined;
}

/** Groups neighbours of one page and one heading path. A heading with nothing below it joins what follows on its page. */
function sections(parts: readonly Part[]): Section[] {
  const found: Section[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    const same = last && last.page === part.page && last.path.join("\n") === part.headingPath.join("\n");
    if (last && same) {
      last.parts.push(part);
    } else if (last && last.page === part.page && last.parts.every((each) => each.kind === "heading")) {
      const carried = last.parts.filter((each) => !part.headingPath.includes(each.text));
      found[found.length - 1] = { page: part.page, pageName: part.pageName, path: part.headingPath, parts: [...carried, part] };
    } else {
      found.push({ page: part.page, pageName: part.pageName, path: part.headingPath, parts: [part] });
    }
  }
  return found.map((section) => ({ ...section, parts: withoutOwnHeading(section) }));
}

function withoutOwnHeading({ parts, path }: Section): Part[] {
  const rest = parts.filter((part) => !(part.kind === "heading" && path.includes(part.text)));
  return rest.length > 0 ? rest : parts;
}

interface Piece {
  text: string;
  tokens: number;
  pageEnd: number | undefined;
}

function fill({ page, pageName, path, parts }: Section, measure: Measure): Chunk[] {
  const { count, passage } = measure;
  const pieces: Piece[] = [];
  let piece: Piece | undefined;
  for (const part of parts) {
    const texts = split(part.text, part.kind, passage, count);
    texts.forEach((text, index) => {
      const tokens = count(text);
      if (!piece || piece.tokens + tokens > passage) {
        const overlap = index > 0 && part.kind === "prose" ? lastSentence(texts[index - 1] ?? "", measure) : "";
        piece = { text: overlap + text, tokens: tokens + (overlap ? count(overlap) : 0), pageEnd: page };
        pieces.push(piece);
      } else {
        piece.text += `${part.kind === "list" ? "\n" : "\n\n"}${text}`;
        piece.tokens += tokens;
      }
      if (index === texts.length - 1 && part.pageEnd !== undefined) piece.pageEnd = part.pageEnd;
    });
  }
  return joinSmallRest(pieces, measure).map((each) => ({
    text: each.text,
    tokens: count(each.text),
    ...(page === undefined ? {} : { page }),
    ...(each.pageEnd === undefined ? {} : { pageEnd: each.pageEnd }),
    ...(pageName === undefined ? {} : { pageName }),
    ...(path.length === 0 ? {} : { heading: path.join(" > ") }),
  }));
}

function lastSentence(text: string, { count, passage }: Measure): string {
  const last = sentences(text).at(-1)?.trim() ?? "";
  return last !== "" && last !== text.trim() && count(last) <= passage * OVERLAP ? `${last} ` : "";
}

function joinSmallRest(pieces: readonly Piece[], measure: Measure): readonly Piece[] {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (!last || !before || last.tokens >= measure.passage * SMALLEST || before.tokens > measure.passage) return pieces;
  const repeated = lastSentence(before.text, measure);
  const text = repeated !== "" && last.text.startsWith(repeated) ? last.text.slice(repeated.length) : last.text;
  return [...pieces.slice(0, -2), { text: `${before.text}\n\n${text}`, tokens: before.tokens + last.tokens, pageEnd: last.pageEnd }];
}
