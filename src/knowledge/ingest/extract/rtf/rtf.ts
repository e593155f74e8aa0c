import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { Outline } from "../outline.ts";
import { tableMarkdown } from "../table-text.ts";
import { titleFromName } from "../title.ts";
import { decodePage, pageOfCharset } from "./rtf-encoding.ts";
import { rtfTokens } from "./rtf-tokens.ts";

/** A document as rich text (RTF): paragraphs, headings and tables. Hidden and deleted text is left out. */
export async function extractRtf({ bytes, name }: ExtractInput): Promise<ExtractedDocument> {
  const { blocks, title } = rtfBlocks(bytes);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It holds no text.");
  return { title: title ?? titleFromName(name), format: "rtf", blocks, notes: [] };
}

/** The blocks of rich text, and its first heading of the first level. */
export function rtfBlocks(bytes: Uint8Array): { readonly blocks: readonly Block[]; readonly title: string | undefined } {
  const reader = new RtfReader();
  for (const token of rtfTokens(bytes)) {
    if (token.type === "open") reader.open();
    else if (token.type === "close") reader.close();
    else if (token.type === "byte") reader.byte(token.byte);
    else reader.word(token.word, token.value);
  }
  return reader.end();
}

/** Groups whose text is about the document and not of it. */
const NOT_TEXT: ReadonlySet<string> = new Set(
  `colortbl info pict object themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator filetbl revtbl
   header headerl headerr headerf footer footerl footerr footerf xmlnstbl fldinst bkmkstart bkmkend pntext pntxta pntxtb nonshppict mmathPr
   shpinst sp sn sv xe tc`.split(/\s+/),
);
/** Of the groups that a reader may pass over if it does not know them, those with text. */
const KNOWN_EXTRA: ReadonlySet<string> = new Set(["shptxt", "shppict", "footnote", "annotation"]);

const SIGNS: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  emdash: "\u2014",
  endash: "\u2013",
  bullet: "\u2022",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201C",
  rdblquote: "\u201D",
  emspace: " ",
  enspace: " ",
  "~": "\u00A0",
  _: "-",
  "\\": "\\",
  "{": "{",
  "}": "}",
  zwj: "\u200D",
  zwnj: "\u200C",
};

interface State {
  readonly destination: "text" | "fonts" | "styles" | "none";
  readonly hidden: boolean;
  readonly tiny: boolean;
  readonly font: number;
  /** Bytes that stand for a Unicode character to older programs. */
  readonly skip: number;
  readonly outline: number | undefined;
  readonly inTable: boolean;
}

class RtfReader {
  readonly #outline = new Outline();
  #title: string | undefined;
  #state: State = { destination: "text", hidden: false, tiny: false, font: -1, skip: 1, outline: undefined, inTable: false };
  readonly #stack: State[] = [];
  #groups = 0;
  #starred = false;
  #toSkip = 0;
  #bytes: number[] = [];
  #page: number | undefined;
  readonly #fonts = new Map<number, number>();
  /** Levels of headings by the number of their style. */
  readonly #headings = new Map<number, number>();
  #style = 0;
  #styleName = "";
  #line = "";
  #cells: string[] = [];
  #rows: string[][] = [];

  open(): void {
    this.#flush();
    // A hostile file opens groups without end: beyond what anybody nests they are counted and not kept.
    if (++this.#groups <= 2_000) this.#stack.push(this.#state);
  }

  close(): void {
    this.#flush();
    if (this.#state.destination === "styles") this.#endStyle();
    if (this.#groups-- <= 2_000) this.#state = this.#stack.pop() ?? this.#state;
    if (this.#groups < 0) this.#groups = 0;
    this.#toSkip = 0;
  }

  byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip--;
    else if (this.#shows || this.#state.destination === "styles") this.#bytes.push(byte);
  }

  word(word: string, value: number | undefined): void {
    if (word === "*") {
      this.#starred = true;
      return;
    }
    const starred = this.#starred;
    this.#starred = false;
    if (word !== "u") this.#flush();
    if (NOT_TEXT.has(word) || (starred && !KNOWN_EXTRA.has(word))) this.#set({ destination: "none" });
    else if (this.#state.destination !== "none") this.#obey(word, value);
  }

  end(): { blocks: readonly Block[]; title: string | undefined } {
    this.#flush();
    this.#paragraph();
    this.#endTable();
    return { blocks: this.#outline.end(), title: this.#title };
  }

  #obey(word: string, value: number | undefined): void {
    const sign = SIGNS[word];
    if (sign !== undefined) {
      this.#add(sign);
      return;
    }
    switch (word) {
      case "u":
        this.#flush();
        this.#add(String.fromCharCode((value ?? 0) & 0xffff));
        this.#toSkip = this.#state.skip;
        return;
      case "uc":
        this.#set({ skip: Math.min(Math.max(value ?? 1, 0), 8) });
        return;
      case "ansicpg":
        this.#page = value;
        return;
      case "fonttbl":
        this.#set({ destination: "fonts" });
        return;
      case "stylesheet":
        this.#set({ destination: "styles" });
        return;
      case "f":
        this.#set({ font: value ?? 0 });
        return;
      case "fcharset": {
        const page = pageOfCharset(value ?? 0);
        if (this.#state.destination === "fonts" && page !== undefined) this.#fonts.set(this.#state.font, page);
        return;
      }
      case "s":
        if (this.#state.destination === "styles") this.#style = value ?? 0;
        else this.#set({ outline: this.#headings.get(value ?? 0) });
        return;
      case "outlinelevel":
        if (this.#state.destination === "text") this.#set({ outline: (value ?? 9) < 9 ? (value ?? 0) + 1 : undefined });
        return;
      case "v":
      case "deleted":
        this.#set({ hidden: value !== 0 });
        return;
      case "fs":
        this.#set({ tiny: (value ?? 24) <= 2 });
        return;
      case "plain":
        this.#set({ hidden: false, tiny: false });
        return;
      case "pard":
        this.#set({ outline: undefined, inTable: false });
        return;
      case "intbl":
        this.#set({ inTable: true });
        return;
      case "par":
      case "sect":
      case "page":
        if (this.#state.inTable) this.#add(" ");
        else this.#paragraph();
        return;
      case "cell":
      case "nestcell":
        this.#cells.push(this.#taken());
        return;
      case "row":
      case "nestrow":
        this.#rows.push(this.#cells);
        this.#cells = [];
    }
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }

  get #shows(): boolean {
    return this.#state.destination === "text" && !this.#state.hidden && !this.#state.tiny;
  }

  #add(text: string): void {
    if (this.#shows) this.#line += text;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const text = decodePage(this.#bytes, this.#fonts.get(this.#state.font) ?? this.#page);
    this.#bytes = [];
    if (this.#state.destination === "styles") this.#styleName += text;
    else this.#add(text);
  }

  #endStyle(): void {
    const level = /^\s*(?:heading|\u00FCberschrift|titre|t\u00EDtulo|titolo) ?([1-9])\b/i.exec(this.#styleName)?.[1];
    if (level !== undefined) this.#headings.set(this.#style, Number(level));
    this.#styleName = "";
    this.#style = 0;
  }

  #taken(): string {
    const text = visibleText(this.#line).trim();
    this.#line = "";
    return text;
  }

  #paragraph(): void {
    const text = this.#taken();
    if (text === "") return;
    if (this.#cells.length === 0) this.#endTable();
    const level = this.#state.outline;
    if (level === undefined) this.#outline.add(/^(?:[\u2022\u00B7\u25AA-]|\(?\d{1,3}[.)])\s/.test(text) ? "list" : "prose", text);
    else {
      if (level === 1) this.#title ??= text.slice(0, 200);
      this.#outline.heading(level, text.replace(/\s+/g, " "));
    }
  }

  #endTable(): void {
    const text = tableMarkdown(this.#rows);
    this.#rows = [];
    if (text !== undefined) this.#outline.add("table", text);
  }
}
