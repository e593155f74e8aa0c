import { attribute, child, elements, parseXml, type XmlElement } from "../containers/xml.ts";

/**
 * Word's markup with the numbers of its headings written out ("2.1.1"): Word computes them and people cite by them, but they are not in the text.
 * @param read a part of the document by its name: "styles.xml", "numbering.xml"
 */
export function withHeadingNumbers(xml: string, read: (part: string) => string | undefined): string {
  const [styles, numbering] = [read("styles.xml"), read("numbering.xml")];
  if (styles === undefined || numbering === undefined) return xml;
  const lists = listsOf(parseXml(Buffer.from(numbering)));
  const style = stylesOf(parseXml(Buffer.from(styles)));
  const counters = new Map<string, number[]>();
  let written = "";
  let at = 0;
  for (const { from, to } of paragraphProperties(xml)) {
    const properties = parseXml(Buffer.from(xml.slice(from, to)));
    const named = style.get(attribute(child(properties, "pStyle"), "val") ?? "");
    const own = child(properties, "numPr");
    const list = lists.get(stated(own, "numId") ?? named?.list ?? "");
    if (!list) continue;
    const depth = Number(stated(own, "ilvl") ?? named?.depth ?? list.findIndex((level) => level?.style === named?.id) ?? 0);
    const level = list[depth] ?? (depth < 0 ? list[0] : undefined);
    if (!level) continue;
    const number = count(counters, level.key, Math.max(0, depth), list);
    if (!named?.isHeading || number === "") continue;
    const prefix = /<(\w+:)?pPr/.exec(xml.slice(from, to))?.[1] ?? "";
    written += `${xml.slice(at, to)}<${prefix}r><${prefix}t xml:space="preserve">${withoutStop(number)} </${prefix}t></${prefix}r>`;
    at = to;
  }
  return written + xml.slice(at);
}

/** "2.1.1." is cited as 2.1.1. */
const withoutStop = (number: string): string => number.replace(/\.$/, "");

interface Level {
  /** Levels of one list count together, in whichever numbering of it they are used. */
  readonly key: string;
  readonly start: number;
  readonly format: string;
  /** "%1.%2" */
  readonly text: string;
  readonly style: string | undefined;
}

interface Style {
  readonly id: string;
  readonly isHeading: boolean;
  readonly list: string | undefined;
  readonly depth: string | undefined;
}

const stated = (element: XmlElement | undefined, name: string): string | undefined => attribute(child(element, name), "val");

function listsOf(numbering: XmlElement): ReadonlyMap<string, readonly (Level | undefined)[]> {
  const kinds = new Map(
    elements(numbering, "abstractNum").map((kind) => {
      const key = attribute(kind, "abstractNumId") ?? "";
      const levels: Level[] = [];
      for (const level of elements(kind, "lvl")) {
        levels[Number(attribute(level, "ilvl") ?? 0)] = {
          key,
          start: Number(stated(level, "start") ?? 1) || 0,
          format: stated(level, "numFmt") ?? "decimal",
          text: stated(level, "lvlText") ?? "",
          style: stated(level, "pStyle"),
        };
      }
      return [key, levels] as const;
    }),
  );
  return new Map(
    elements(numbering, "num").map((each) => [attribute(each, "numId") ?? "", kinds.get(stated(each, "abstractNumId") ?? "") ?? []]),
  );
}

/** Most styles that a style is based on, one upon the other. */
const DEEPEST_STYLE = 20;

function stylesOf(styles: XmlElement): ReadonlyMap<string, Style> {
  const byId = new Map(elements(styles, "style").map((each) => [attribute(each, "styleId") ?? "", each]));
  const inherited = (style: XmlElement | undefined, name: string, depth = 0): string | undefined =>
    style === undefined || depth > DEEPEST_STYLE
      ? undefined
      : (stated(child(style, "pPr", "numPr"), name) ?? inherited(byId.get(stated(style, "basedOn") ?? ""), name, depth + 1));
  return new Map(
    [...byId].map(([id, style]) => [
      id,
      {
        id,
        isHeading: /^heading \d/i.test(stated(style, "name") ?? ""),
        list: inherited(style, "numId"),
        depth: stated(child(style, "pPr", "numPr"), "ilvl"),
      },
    ]),
  );
}

/** Where paragraphs say how they look; what they said before a tracked change lies inside. */
function* paragraphProperties(xml: string): Generator<{ readonly from: number; readonly to: number }> {
  let open = 0;
  let from = 0;
  for (const tag of xml.matchAll(/<(\/?)(?:\w+:)?pPr(?=[\s/>])[^>]*>/g)) {
    if (tag[0].endsWith("/>")) continue;
    if (tag[1] === "") {
      if (open++ === 0) from = tag.index;
    } else if (open > 0 && --open === 0) yield { from, to: tag.index + tag[0].length };
  }
}

function count(counters: Map<string, number[]>, key: string, depth: number, list: readonly (Level | undefined)[]): string {
  const numbers = counters.get(key) ?? [];
  counters.set(key, numbers);
  numbers[depth] = (numbers[depth] ?? (list[depth]?.start ?? 1) - 1) + 1;
  numbers.length = depth + 1;
  const level = list[depth];
  if (!level || level.format === "bullet" || level.format === "none") return "";
  return level.text.replace(/%(\d)/g, (_mark, digit: string) => {
    const place = Number(digit) - 1;
    const other = list[place];
    return shown(numbers[place] ?? other?.start ?? 1, other?.format ?? "decimal");
  });
}

function shown(number: number, format: string): string {
  const letters = (): string =>
    String.fromCharCode(97 + ((Math.max(1, number) - 1) % 26)).repeat(Math.min(10, Math.ceil(Math.max(1, number) / 26)));
  switch (format) {
    case "upperRoman":
      return roman(number);
    case "lowerRoman":
      return roman(number).toLowerCase();
    case "upperLetter":
      return letters().toUpperCase();
    case "lowerLetter":
      return letters();
    case "decimalZero":
      return String(number).padStart(2, "0");
    default:
      return String(number);
  }
}

function roman(number: number): string {
  const signs: readonly (readonly [string, number])[] = [
    ["M", 1000],
    ["CM", 900],
    ["D", 500],
    ["CD", 400],
    ["C", 100],
    ["XC", 90],
    ["L", 50],
    ["XL", 40],
    ["X", 10],
    ["IX", 9],
    ["V", 5],
    ["IV", 4],
    ["I", 1],
  ];
  let left = Math.min(number, 5_000);
  let text = "";
  for (const [sign, value] of signs) for (; left >= value; left -= value) text += sign;
  return text;
}
