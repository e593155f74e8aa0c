import type { PassageHit } from "../library.ts";

/** A hit with its place in its document. */
export interface PlacedHit extends PassageHit {
  /** 0-based, in reading order. */
  readonly ordinal: number;
}

/** Passages that become one at most: whoever cites the whole should still be pointing at something. */
const MOST_MERGED = 3;
/** A passage may begin with the last sentence of the one before; what is shorter than this is a coincidence. */
const [SHORTEST_OVERLAP, LONGEST_OVERLAP] = [20, 1_000];

/**
 * Hits that follow each other in one section of a document, on one page, as one hit: a thought that was cut in two is read whole, and what both repeat
 * once. It stands where the better one stood, under its id.
 * @param hits best first
 */
export function mergeNeighbours(hits: readonly PlacedHit[]): PassageHit[] {
  const groups: PlacedHit[][] = [];
  for (const hit of hits) {
    const group = groups.find((each) => each.length < MOST_MERGED && each.some((other) => areNeighbours(other, hit)));
    if (group) group.push(hit);
    else groups.push([hit]);
  }
  return groups.flatMap(merged);
}

const areNeighbours = (a: PlacedHit, b: PlacedHit): boolean =>
  a.documentId === b.documentId && Math.abs(a.ordinal - b.ordinal) === 1 && a.heading === b.heading && a.page === b.page;

function merged(group: readonly PlacedHit[]): PassageHit[] {
  const [best] = group;
  if (!best) return [];
  const ordered = [...group].sort((a, b) => a.ordinal - b.ordinal);
  const text = ordered.reduce((whole, each) => (whole === "" ? each.text : `${whole}${continuation(whole, each.text)}`), "");
  const pageEnd = ordered.at(-1)?.pageEnd;
  const { ordinal: _, ...hit } = best;
  return [{ ...hit, text, ...(pageEnd !== undefined && { pageEnd }) }];
}

/** What a passage adds to the text before it. */
function continuation(before: string, text: string): string {
  for (let length = Math.min(text.length, before.length, LONGEST_OVERLAP); length >= SHORTEST_OVERLAP; length--)
    if (before.endsWith(text.slice(0, length))) return text.slice(length);
  return `\n\n${text}`;
}
