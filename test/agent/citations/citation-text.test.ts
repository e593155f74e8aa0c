import { CitationText } from "../../../src/agent/citations/citation-text.ts";

const known = new Set([1, 2, 3, 5, 12]);

/** Feeds the pieces; gives what came out, piece by piece, and which numbers were cited. */
function feed(pieces: readonly string[], numbers: ReadonlySet<number> = known) {
  const cited = new Set<number>();
  const filter = new CitationText((n) => numbers.has(n) && Boolean(cited.add(n)));
  const out = [...pieces.map((piece) => filter.push(piece)), filter.end()].filter((text) => text !== "");
  return { out, text: out.join(""), cited: [...cited], filter };
}

/** All ways to send a text: whole, in single characters, in twos and threes. */
const ways = (text: string) => [1, 2, 3, 7, text.length].map((n) => text.match(new RegExp(`[\\s\\S]{1,${n}}`, "g")) ?? []);

describe("markers", () => {
  test.each([
    ["A [1]. B [5].", "A [1]. B [5].", [1, 5]],
    ["A [1, 2].", "A [1][2].", [1, 2]],
    ["A [1][2].", "A [1][2].", [1, 2]],
    ["A [1,2; 5].", "A [1][2][5].", [1, 2, 5]],
    ["A [1-3].", "A [1][2][3].", [1, 2, 3]],
    ["A 【1】 and 【2†page 3】.", "A [1] and [2].", [1, 2]],
    ["A [^1] B [source 2] C [cite: 5].", "A [1] B [2] C [5].", [1, 2, 5]],
    ["A [1](https://made.up/x).", "A [1].", [1]],
    ["A. B [5]. C [7]. D [0].", "A. B [5]. C. D.", [5]],
    ["A [1, 7].", "A [1].", [1]],
    ["A [99][98] end", "A end", []],
    ["In [2024] and [1999]", "In [2024] and [1999]", []],
    ["A [link](https://x.org) and [ ] task [x]", "A [link](https://x.org) and [ ] task [x]", []],
    ["Escaped \\[1\\] stays", "Escaped \\[1\\] stays", []],
    ["A [12] B", "A [12] B", [12]],
  ])("%j becomes %j, however it is cut", (raw, right, numbers) => {
    for (const pieces of ways(raw)) {
      const { text, cited } = feed(pieces);
      expect(text).toBe(right);
      expect(cited).toEqual(numbers);
    }
  });

  test("no piece ever ends inside a marker", () => {
    for (const pieces of ways("Limit is 5 [1], then [1, 2] and 【3】 for all. More [open bracket.")) {
      let draft = "";
      for (const piece of feed(pieces).out) {
        draft += piece;
        expect(draft).not.toMatch(/\[[\d, ]*$|【[^】]*$/);
      }
    }
  });

  test("a bracket that is never closed is ordinary text, and holds nothing back for long", () => {
    const filter = new CitationText(() => true);
    expect(filter.push("end [open bracket never closed and more")).toContain("[open bracket");
    const digits = new CitationText(() => true);
    digits.push("[");
    const shown = digits.push("1, ".repeat(40));
    expect(shown.length).toBeGreaterThan(0);
  });
});

describe("code", () => {
  const answer = "Use `grid[k][1]` [1]:\n```py\nshow(row[0], row[7])\ny = [1]\n```\nand footnote [2].";

  test("brackets in spans and fences are left alone, markers in the text around are not", () => {
    for (const pieces of ways(answer)) {
      const { text, cited } = feed(pieces);
      expect(text).toBe(answer);
      expect(cited).toEqual([1, 2]);
    }
  });

  test.each([
    "Open fence:\n```\na = [9]\n",
    "~~~\nx[9]\n~~~\n",
    "1. Step:\n   ```\n   x[9]\n   ```\n",
    "````\n```\nx[9]\n```\nstill [9]\n````\n",
    "``a ` [9]``",
  ])("%j is unchanged", (code) => {
    for (const pieces of ways(code)) expect(feed(pieces).text).toBe(code);
  });

  test("three backticks on one line are a span: what follows is text again", () => {
    for (const pieces of ways("```x[9]``` is [1]\nso [2]"))
      expect(feed(pieces)).toMatchObject({ text: "```x[9]``` is [1]\nso [2]", cited: [1, 2] });
  });

  test("a lone backtick hides no marker", () => {
    for (const pieces of ways("A ` lone one [1].\n\nNext [2].")) expect(feed(pieces).cited).toEqual([1, 2]);
  });
});

describe("characters", () => {
  const text = "Née e\u0301té 👩‍👩‍👧‍👦 🇳🇴 ✊🏽 日本 ไทย नमस्ते [1] 🫐";

  test("none is cut between two pieces: each piece begins and ends at a character people see", () => {
    const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
    const starts = new Set([...segmenter.segment(text)].map(({ index }) => index));
    for (const pieces of ways(text)) {
      const { out, text: whole } = feed(pieces);
      expect(whole).toBe(text);
      let at = 0;
      for (const piece of out) {
        expect(starts.has(at)).toBe(true);
        at += piece.length;
      }
    }
  });

  test("a run of combining marks without end is passed on all the same", () => {
    const filter = new CitationText(() => false);
    expect(filter.push(`a${"\u0301".repeat(500)}`).length).toBeGreaterThan(300);
  });
});

test("random texts keep everything but their unknown markers", () => {
  const parts = ["word ", "[1]", "[9]", "`x[1]`", "\n", "\n\n", "```\n", "[", "]", "【", "é", "👩‍👧", "\\", "- ", "(a)", "`", "["];
  let seed = 7;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 30 }, () => parts[Math.floor(next() * parts.length)]).join("");
    const results = new Set(ways(text).map((pieces) => feed(pieces, new Set([1, 9])).text));
    expect([...results]).toEqual([text]);
  }
});
