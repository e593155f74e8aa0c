import { passageId } from "../../core/ids.ts";
import { visibleText } from "../../core/visible-text.ts";
import type { Source, ToolResult } from "../../plugins/contract.ts";
import type { Citation } from "../events.ts";
import type { Question, SourceLinks } from "../ports.ts";
import { capped } from "../tools/tool-runner.ts";
import { CitationText } from "./citation-text.ts";

/** The numbers of one answer's sources: the same source always has the same number, whichever tool found it. */
export class Citations {
  readonly #byId = new Map<string, Citation>();
  readonly #byNumber = new Map<number, Citation>();
  readonly #cited = new Set<number>();
  readonly #links: SourceLinks;
  readonly #reader: Pick<Question, "channel" | "person">;

  constructor(links: SourceLinks, { channel, person }: Pick<Question, "channel" | "person">) {
    this.#links = links;
    this.#reader = { channel, person };
  }

  /** All sources found so far, in order of number. */
  get found(): readonly Citation[] {
    return [...this.#byNumber.values()];
  }

  /** The sources that the text cites, in order of number. */
  get cited(): readonly Citation[] {
    return this.found.filter(({ n }) => this.#cited.has(n));
  }

  /** A fresh filter for one text of the answer. What an earlier text cited is forgotten. */
  text(): CitationText {
    this.#cited.clear();
    return new CitationText((n) => {
      const known = this.#byNumber.has(n);
      if (known) this.#cited.add(n);
      return known;
    });
  }

  /**
   * A tool's result as the model reads it. Called in the order of the calls, not in the order in which they finished, so that
   * numbers are the same on every run. The form, which the offline answerer reads too:
   *
   *     5 passages found.
   *
   *     [3] Leave policy, page 2 · Parental leave
   *     passage_id: 6f…, document_id: 0b…, relevance: 0.82
   *     """Both parents have 26 weeks …"""
   *
   *     [1] Leave policy (shown above)
   *
   * Web pages have `url: …, published: 2026-11-28, retrieved: 2026-11-30` in place of the ids, as far as that is known. Sources that do not fit into `limit` characters are
   * counted, not numbered. Everything between the triple quotes is the source's own text and cannot close them, even when it is cut; what
   * the tool itself says can hold other people's words too, so nothing in it looks like a numbered source.
   */
  render(result: ToolResult, limit: number): string {
    const head = result.status === "success" ? result.content : `Error ${result.error?.code ?? ""}: ${result.content}`;
    const blocks = [unnumbered([head, ...(result.metadata.notices ?? []).map((notice) => `Note: ${notice}`)].join("\n"))];
    let length = blocks[0]?.length ?? 0;
    let left = 0;
    for (const found of result.metadata.sources ?? []) {
      const source = visible(found);
      const known = this.#byId.get(source.id);
      const n = known?.n ?? this.#byId.size + 1;
      const block = known ? `[${n}] ${oneLine(source.title, LONGEST_TITLE)} (shown above)` : describe(n, source, limit);
      if (length + block.length > limit && blocks.length > 1) {
        left += 1;
        continue;
      }
      if (!known) this.#add(n, source);
      blocks.push(block);
      length += block.length;
    }
    if (left > 0) blocks.push(`[cut here: ${left} more sources]`);
    return blocks.join("\n\n");
  }

  #add(n: number, source: Source) {
    const url = this.#urlOf(source);
    const citation = { n, source, ...(url !== undefined && { url }) };
    this.#byId.set(source.id, citation);
    this.#byNumber.set(n, citation);
  }

  /** Documents get a link for the readers of this answer; one that cannot be made must not cost the answer. */
  #urlOf(source: Source): string | undefined {
    if (source.documentId === undefined) return source.url;
    try {
      return this.#links.passage(passageId(source.id), this.#reader);
    } catch {
      return undefined;
    }
  }
}

/** The first line of a source's block: its number, title, page and heading. */
export function headline(n: number, { title, page, pageEnd = page, pageName, heading }: Source): string {
  const pages = page === undefined ? "" : pageEnd === page ? `, page ${page}` : `, pages ${page}–${pageEnd}`;
  // Tools ask for pages by their position, people cite them by their names.
  const named =
    pageName === undefined
      ? pages
      : `, ${oneLine(pageName, LONGEST_PAGE_NAME)}${pageName.endsWith(` ${page}`) ? "" : ` (number ${page} in the file)`}`;
  return `[${n}] ${oneLine(title, LONGEST_TITLE)}${named}${heading ? ` · ${oneLine(heading, LONGEST_TITLE)}` : ""}`;
}

/** A block whose text, with the note that it was cut, fits into `limit` characters as far as its first lines leave room. */
function describe(n: number, source: Source, limit: number): string {
  const url =
    source.url &&
    `url: ${oneLine(source.url, LONGEST_ADDRESS)}, ${dayOf("published", source.timestamp)}${dayOf("retrieved", source.retrievedAt)}`;
  const at = source.documentId ? `passage_id: ${source.id}, document_id: ${source.documentId}, ` : (url ?? "");
  const head = `${headline(n, source)}\n${at}relevance: ${source.relevance.toFixed(2)}`;
  const room = Math.max(LEAST_PASSAGE, limit - head.length - CUT_NOTE);
  return `${head}\n"""${capped(source.passage.replaceAll('"""', "'''"), room)}"""`;
}

/** Letters that nobody sees can carry instructions, whichever tool they come from. */
const visible = (source: Source): Source => ({
  ...source,
  title: visibleText(source.title),
  passage: visibleText(source.passage),
  ...(source.heading !== undefined && { heading: visibleText(source.heading) }),
  ...(source.pageName !== undefined && { pageName: visibleText(source.pageName) }),
});

const dayOf = (what: string, moment: string | undefined): string => (moment ? `${what}: ${moment.slice(0, 10)}, ` : "");

/** Longest title, heading and address shown, in characters: others must not push out the text. */
const LONGEST_TITLE = 200;
const LONGEST_ADDRESS = 2_000;
const LONGEST_PAGE_NAME = 40;
/** Of a passage at least this much is shown, in characters. */
const LEAST_PASSAGE = 200;
/** Room for the quotes and the note that something was cut, in characters. */
const CUT_NOTE = 60;

/** Lines that begin like a source of ours, and quotes like those around its text, in another form. */
const unnumbered = (text: string): string =>
  visibleText(text)
    .replace(/^(\s*)\[(\d+)\]/gm, "$1($2)")
    .replaceAll('"""', "'''");

const oneLine = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
};
