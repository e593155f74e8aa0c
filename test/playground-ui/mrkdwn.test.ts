import { parseInline } from "../../playground/ui/mrkdwn/inline.ts";
import type { Inline, MrkdwnBlock } from "../../playground/ui/mrkdwn/nodes.ts";
import { parseMrkdwn } from "../../playground/ui/mrkdwn/parse.ts";

/** A short form of the tree, so that a case fits on a line. */
function show(node: Inline): string {
  switch (node.type) {
    case "text":
      return node.text;
    case "bold":
    case "italic":
    case "strike":
      return `{${node.type} ${node.children.map(show).join("")}}`;
    case "code":
      return `{code ${node.text}}`;
    case "link":
      return `{link ${node.href} ${node.label}}`;
    case "user":
    case "channel":
      return `{${node.type} ${node.id}${node.label ? ` ${node.label}` : ""}}`;
    case "broadcast":
      return `{broadcast ${node.label}}`;
    case "emoji":
      return node.character;
    default:
      return node satisfies never;
  }
}
const line = (source: string): string => parseInline(source).map(show).join("");
const blockLines = (block: MrkdwnBlock | undefined): string[] =>
  block && block.type !== "fence"
    ? block.lines.map((found) => `${found.depth}${found.bullet ?? ""}|${found.children.map(show).join("")}`)
    : [];

describe("one line of mrkdwn", () => {
  test.each([
    ["bold, italic and strike", "*a* _b_ ~c~", "{bold a} {italic b} {strike c}"],
    ["marks inside marks", "*a _b ~c~_*", "{bold a {italic b {strike c}}}"],
    ["no mark in the middle of a word", "snake_case_name and 2*3*4", "snake_case_name and 2*3*4"],
    ["no mark beside a space", "2 * 3 * 4", "2 * 3 * 4"],
    ["a mark that is never closed", "*open", "*open"],
    ["a mark before punctuation", "(*a*), *b*.", "({bold a}), {bold b}."],
    ["no marks in code", "`*a* _b_`", "{code *a* _b_}"],
    ["a bold link", "*<https://a.example/x|x>*", "{bold {link https://a.example/x x}}"],
    ["marks in an address are left alone", "_<https://a.example/b_c_|d>_", "{italic {link https://a.example/b_c_ d}}"],
    ["a link without a label", "<https://a.example/?a=1&amp;b=2>", "{link https://a.example/?a=1&b=2 https://a.example/?a=1&b=2}"],
    ["a mail address", "<mailto:a@b.example|write>", "{link mailto:a@b.example write}"],
    ["people and channels", "<@U12AB> in <#C9|general>", "{user U12AB} in {channel C9 general}"],
    ["broadcasts", "<!here> <!channel> <!subteam^S1|@team>", "{broadcast @here} {broadcast @channel} {broadcast @team}"],
    ["a date's fallback", "<!date^1|today>", "today"],
    ["known emoji", ":tada: :+1:", "🎉 👍"],
    ["unknown emoji and times stay as written", ":no_such: 10:30:15", ":no_such: 10:30:15"],
    ["names of built-in properties are no emoji", ":constructor: :toString:", ":constructor: :toString:"],
  ])("%s", (_name, source, expected) => expect(line(source)).toBe(expected));

  test.each([
    ["the three escapes are undone", "a &lt;b&gt; &amp; c", "a <b> & c"],
    ["but only once", "&amp;lt;b&amp;gt; &amp;amp;", "&lt;b&gt; &amp;"],
    ["and no other entity is", "&quot; &#39; &nbsp;", "&quot; &#39; &nbsp;"],
    ["also in code and labels", "`&lt;b&gt;` <https://a.example|&lt;b&gt;>", "{code <b>} {link https://a.example <b>}"],
    ["an escaped mention is no mention", "&lt;@U1&gt; &lt;!channel&gt;", "<@U1> <!channel>"],
  ])("%s", (_name, source, expected) => expect(line(source)).toBe(expected));

  test.each([
    ["HTML is text", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["a script is text", "&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"],
    ["javascript: is not clickable", "<javascript:alert(1)|click>", "click (javascript:alert(1))"],
    ["nor in capitals", "<JavaScript:alert(1)|click>", "click (JavaScript:alert(1))"],
    ["nor with a tab in it", "<java\tscript:alert(1)|click>", "<java\tscript:alert(1)|click>"],
    ["nor data:", "<data:text/html,x|click>", "click (data:text/html,x)"],
    ["nor a relative address", "</admin|click>", "</admin|click>"],
  ])("%s", (_name, source, expected) => {
    expect(line(source)).toBe(expected);
    expect(parseInline(source).some(({ type }) => type === "link")).toBe(false);
  });

  test("a web link stays clickable", () => expect(parseInline("<https://a.example|b>")[0]?.type).toBe("link"));

  // Quadratic reading would take minutes here.
  test.each(["*a ", "<a ", "`a ", "_*~", ":a", "*a _b "])("forty thousand characters of %j are read at once, and none is lost", (piece) => {
    const source = piece.repeat(Math.ceil(40_000 / piece.length));
    const letters = (text: string) => text.replace(/\{(?:bold|italic|strike|code) |[^ab]/g, "").length;
    const started = process.hrtime.bigint();
    expect(letters(line(source))).toBe(letters(source));
    expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(60_000);
  });
});

describe("a whole message", () => {
  test("paragraphs keep their line breaks and blank lines", () =>
    expect(blockLines(parseMrkdwn("a\n\n*b*")[0])).toEqual(["0|a", "0|", "0|{bold b}"]));

  test("list items keep their bullets, numbers and depth", () =>
    expect(blockLines(parseMrkdwn("• a\n    ◦ b\n12. c\n- d")[0])).toEqual(["0•|a", "1◦|b", "012.|c", "0-|d"]));

  test("a quote is written with > or &gt;", () => {
    const blocks = parseMrkdwn("before\n&gt; one\n>two\nafter");
    expect(blocks.map(({ type }) => type)).toEqual(["lines", "quote", "lines"]);
    expect(blockLines(blocks[1])).toEqual(["0|one", "0|two"]);
  });

  test("in a fence nothing is markup and escapes are undone once", () =>
    expect(parseMrkdwn("```\n*a* &lt;b&gt; &amp;amp;\n```")).toEqual([{ type: "fence", text: "*a* <b> &amp;" }]));

  test("text beside a fence on one line is kept", () =>
    expect(parseMrkdwn("see ```x``` there").map((block) => (block.type === "fence" ? block.text : blockLines(block)))).toEqual([
      ["0|see "],
      "x",
      ["0| there"],
    ]));

  test("a fence that is still being written is a fence already", () =>
    expect(parseMrkdwn("```\nlet a")).toEqual([{ type: "fence", text: "let a" }]));
});
