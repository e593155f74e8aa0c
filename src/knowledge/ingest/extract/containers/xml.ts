import { Parser } from "htmlparser2";
import { AppError } from "../../../../core/errors.ts";
import { decodeText } from "../encoding.ts";

/** An element of a document's markup. Names are without their namespace's prefix, attributes as they are written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** What a reader of a long part is told, in the part's order. */
export interface XmlEvents {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Deeper markup is not a document that a person wrote, and whoever walks it runs out of stack. */
const DEEPEST = 400;
/** Elements of one part that is kept as a tree; a book of 1,000 pages has some 300,000. */
const MOST_ELEMENTS = 1_000_000;
/** Characters parsed at once, between which a reader may say that it is still alive. */
const SLICE = 256 * 1024;

const refused = (detail: string): AppError => new AppError("DOCUMENT_UNREADABLE", detail);

/**
 * Reads markup piece by piece. Entities that a document defines itself are not put in, and nothing that it refers to is loaded. Damaged
 * markup is read as far as it goes. Throws AppError DOCUMENT_UNREADABLE when it is nested too deeply.
 */
export function readXml(bytes: Uint8Array, events: XmlEvents, onProgress: () => void = () => {}): void {
  const source = decodeText(bytes, declaredEncoding(bytes));
  let depth = 0;
  let attributes = new Map<string, string>();
  const parser = new Parser(
    {
      onopentagname() {
        attributes = new Map();
      },
      onattribute(name, value) {
        attributes.set(name, value);
      },
      onopentag(name) {
        if (++depth > DEEPEST) throw refused("It is nested too deeply. Save or export it anew.");
        events.open(localName(name), attributes);
      },
      onclosetag(name) {
        depth--;
        events.close(localName(name));
      },
      ontext: (text) => events.text(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < source.length; at += SLICE) {
    parser.write(source.slice(at, at + SLICE));
    onProgress();
  }
  parser.end();
}

/** A part as a tree: its first element. Throws AppError DOCUMENT_UNREADABLE when there is none, or too many. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const root: Growing = { name: "", attributes: new Map(), children: [] };
  const open: Growing[] = [root];
  let count = 0;
  readXml(bytes, {
    open(name, attributes) {
      if (++count > MOST_ELEMENTS) throw refused("It has too many parts to be read. Split it.");
      const element: Growing = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    close() {
      if (open.length > 1) open.pop();
    },
    text(text) {
      open.at(-1)?.children.push(text);
    },
  });
  const first = root.children.find(isElement);
  if (!first) throw refused("A part of it is damaged. Save or export it anew.");
  return first;
}

interface Growing extends XmlElement {
  readonly children: XmlNode[];
}

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== "string";

/** The child elements, of one name if one is given. */
export const elements = (parent: XmlElement | undefined, name?: string): readonly XmlElement[] =>
  parent?.children.filter((node): node is XmlElement => isElement(node) && (name === undefined || node.name === name)) ?? [];

/** The first child of a child and so on, by names. */
export function child(parent: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  let found = parent;
  for (const name of names) found = elements(found, name)[0];
  return found;
}

/** Every element below, of one of these names, in order. */
export function* descendants(parent: XmlElement | undefined, ...names: readonly string[]): Generator<XmlElement> {
  for (const element of elements(parent)) {
    if (names.includes(element.name)) yield element;
    yield* descendants(element, ...names);
  }
}

/** All text below an element. */
export const textOf = (node: XmlNode | undefined): string =>
  node === undefined ? "" : isElement(node) ? node.children.map(textOf).join("") : node;

/** An attribute whatever prefix it is written with. */
export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  const exact = element?.attributes.get(name);
  if (exact !== undefined || !element) return exact;
  for (const [written, value] of element.attributes) if (localName(written) === name) return value;
  return undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const declaredEncoding = (bytes: Uint8Array): string | undefined =>
  /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.-]+)/i.exec(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))?.[1];
