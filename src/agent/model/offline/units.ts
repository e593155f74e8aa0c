/** The smallest piece of a passage that can be quoted and still be understood. */
export interface Unit {
  /** As it is quoted: one sentence, one list with its introduction, or one row of a table with its column names. */
  readonly text: string;
  readonly kind: "sentence" | "list" | "row";
}

const LONGEST_LIST = 700;
const item = /^\s*(?:[-*+•▪‣]|\d{1,2}[.)])\s+/;
const row = /^\s*\|.*\|\s*$/;
const ruler = /^[\s|:-]+$/;
const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|approx|incl|excl|max|min|no|nr|vs|dr|mr|mrs|ms|prof|st|ext|fig|sec|art|z\.B|d\.h|bzw|ca)\.\s*$/i;
const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Cuts a passage into its units, in reading order. Lines broken inside a sentence, as PDFs have them, are joined. */
export function units(passage: string): readonly Unit[] {
  return passage.split(/\n\s*\n/).flatMap(block);
}

function block(text: string): readonly Unit[] {
  const found: Unit[] = [];
  let prose: string[] = [];
  let items: string[] = [];
  let rows: string[] = [];
  const flush = () => {
    if (items.length > 0) {
      const sentencesBefore = sentences(prose.join(" "));
      const last = sentencesBefore.at(-1);
      const lead = last?.endsWith(":") ? last : undefined;
      found.push(...(lead ? sentencesBefore.slice(0, -1) : sentencesBefore).map(sentence), ...lists(lead, items));
    } else {
      found.push(...sentences(prose.join(" ")).map(sentence), ...tableRows(rows));
    }
    prose = [];
    items = [];
    rows = [];
  };
  for (const line of text.split("\n")) {
    if (row.test(line)) {
      if (rows.length === 0) flush();
      rows.push(line);
    } else if (item.test(line)) {
      if (rows.length > 0) flush();
      items.push(line.replace(item, "").trim());
    } else if (items.length > 0 && /^\s{2,}\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else {
      if (items.length > 0 || rows.length > 0) flush();
      if (/^#{1,6}\s/.test(line)) flush();
      else prose.push(line.trim());
    }
  }
  flush();
  return found;
}

const sentence = (text: string): Unit => ({ text, kind: "sentence" });

/** A short list is one unit; of a long one each item is, under the same introduction. */
function lists(lead: string | undefined, items: readonly string[]): readonly Unit[] {
  const whole = [...(lead ? [lead] : []), ...items.map((text) => `- ${text}`)].join("\n");
  if (lead && whole.length <= LONGEST_LIST) return [{ text: whole, kind: "list" }];
  return items.map((text) => ({ text: lead ? `${lead} ${text}` : text, kind: "sentence" }));
}

function tableRows(rows: readonly string[]): readonly Unit[] {
  const [head, ...body] = rows.filter((line) => !ruler.test(line)).map(cells);
  if (!head) return [];
  if (body.length === 0) return [sentence(head.join(", "))];
  return body.map((values) => ({
    text: values.map((value, at) => (head[at] ? `${head[at]}: ${value}` : value)).join("; "),
    kind: "row",
  }));
}

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** Sentences of running text, page numbers left out. A point after an abbreviation ends none. */
function sentences(text: string): string[] {
  const found: string[] = [];
  for (const { segment } of sentenceSegmenter.segment(text.replace(/\s+/g, " ").trim())) {
    const last = found.at(-1);
    if (last !== undefined && abbreviation.test(last)) found[found.length - 1] = last + segment;
    else found.push(segment);
  }
  return found.map((one) => one.trim()).filter((one) => /\p{L}{2}/u.test(one));
}
