import { visibleText } from "../../../../core/visible-text.ts";
import { attribute, child, descendants, elements, isElement, textOf, type XmlElement, type XmlNode } from "../containers/xml.ts";
import type { Block } from "../document.ts";
import { Outline } from "../outline.ts";
import { tableMarkdown } from "../table-text.ts";

/** Names of the styles whose text is not shown. */
export function hiddenStyles(content: XmlElement): ReadonlySet<string> {
  const styles = [...descendants(content, "style")];
  return new Set(
    styles.flatMap((style) => {
      const shows = (name: string, ...properties: string[]) => properties.some((each) => attribute(child(style, each), "display") === name);
      const hidden = shows("none", "text-properties") || shows("false", "table-properties");
      return hidden ? [attribute(style, "name") ?? ""] : [];
    }),
  );
}

/** Elements that say something about the text, or are shown elsewhere. */
const SKIPPED: ReadonlySet<string> = new Set(
  "tracked-changes sequence-decls forms annotation-end hidden-text hidden-paragraph note-citation shapes variable-decls user-field-decls table-of-content-source scripts event-listeners notes".split(
    " ",
  ),
);

/** Reads OpenDocument's paragraphs, headings, lists and tables into blocks. */
export class OdfText {
  /** The first paragraph in the style "Title". */
  title: string | undefined;
  readonly #outline = new Outline();
  readonly #hidden: ReadonlySet<string>;
  /** Notes of the paragraph at hand, to be read below it. */
  #notes: string[] = [];

  constructor(hidden: ReadonlySet<string>) {
    this.#hidden = hidden;
  }

  walk(element: XmlElement | undefined): void {
    for (const each of elements(element)) this.#block(each);
  }

  end(): readonly Block[] {
    return this.#outline.end();
  }

  #block(element: XmlElement): void {
    if (SKIPPED.has(element.name) || this.#isHidden(element)) return;
    switch (element.name) {
      case "h": {
        const text = this.#line(element);
        if (text !== "") this.#outline.heading(Number(attribute(element, "outline-level") ?? 1) || 1, text.replace(/\s+/g, " "));
        break;
      }
      case "p": {
        const text = this.#line(element);
        if (/^title$/i.test(attribute(element, "style-name") ?? "")) this.title ??= text || undefined;
        this.#outline.add("prose", text);
        break;
      }
      case "list":
        for (const item of this.#items(element, 0)) this.#outline.add("list", item);
        break;
      case "table": {
        // A table with a table in a cell is read piece by piece.
        const nested = [...descendants(element, "table")].length > 0;
        const text = nested ? undefined : tableMarkdown(this.#rows(element));
        if (text === undefined) this.walk(element);
        else this.#outline.add("table", visibleText(text));
        break;
      }
      default:
        this.walk(element);
    }
    for (const note of this.#notes.splice(0)) this.#outline.add("prose", note);
  }

  #isHidden(element: XmlElement): boolean {
    return this.#hidden.has(attribute(element, "style-name") ?? "") || attribute(element, "display") === "none";
  }

  #line = (element: XmlElement): string => visibleText(element.children.map((node) => this.#inline(node)).join("")).trim();

  #inline(node: XmlNode): string {
    if (!isElement(node)) return node.replace(/\s+/g, " ");
    if (SKIPPED.has(node.name) || this.#isHidden(node)) return "";
    switch (node.name) {
      case "s":
        return " ".repeat(Math.min(100, Number(attribute(node, "c") ?? 1) || 1));
      case "tab":
        return "\t";
      case "line-break":
        return "\n";
      case "note": {
        const mark = textOf(child(node, "note-citation"));
        this.#notes.push(`[${mark}] ${elements(child(node, "note-body")).map(this.#line).join(" ")}`);
        return `[${mark}]`;
      }
      case "annotation": {
        const author = textOf(child(node, "creator"));
        this.#notes.push(`Comment${author ? ` by ${author}` : ""}: ${elements(node, "p").map(this.#line).join("\n")}`);
        return "";
      }
      // A picture's title and description are not on the page; a text box in the line is.
      case "title":
      case "desc":
        return "";
      case "text-box":
        return `\n${elements(node).map(this.#line).filter(Boolean).join("\n")}\n`;
      default:
        return node.children.map((each) => this.#inline(each)).join("");
    }
  }

  #items(list: XmlElement, depth: number): string[] {
    return elements(list).flatMap((item) => {
      if (item.name !== "list-item" && item.name !== "list-header") return [];
      const own = elements(item)
        .filter((each) => each.name !== "list")
        .map(this.#line)
        .filter(Boolean)
        .join("\n");
      const nested = elements(item, "list").flatMap((each) => this.#items(each, depth + 1));
      return own === "" ? nested : [[`${"  ".repeat(depth)}- ${own}`, ...nested].join("\n")];
    });
  }

  #rows(table: XmlElement): string[][] {
    const rows: string[][] = [];
    for (const row of descendants(table, "table-row")) {
      const above = rows.at(-1);
      rows.push(
        elements(row).flatMap((cell, column) => {
          // Covered by a cell to the left it stays empty, by one above it repeats that one's text.
          if (cell.name === "covered-table-cell") return [this.#covers(above, column, row) ? (above?.[column] ?? "") : ""];
          const text = elements(cell).map((each) => (each.name === "list" ? this.#items(each, 0).join(" ") : this.#line(each)));
          return [text.filter(Boolean).join(" ")];
        }),
      );
    }
    return rows;
  }

  #covers(above: readonly string[] | undefined, column: number, row: XmlElement): boolean {
    const left = elements(row)[column - 1];
    return above !== undefined && Number(attribute(left, "number-columns-spanned") ?? 1) <= 1;
  }
}
