import { type MrkdwnOptions, toMrkdwn } from "../../../src/bot/out/mrkdwn.ts";
import { liveThings, unescaped } from "./reading-slack.ts";

const example = "https://example.com";
const handbook = "https://example.com/a/b";
const options: MrkdwnOptions = {
  allowed: new Set([example, handbook]),
  citations: new Map([
    [1, "https://docs.test/1"],
    [2, "https://docs.test/2"],
    [5, undefined],
  ]),
};
/** The whole answer as one text; separators of no width, which readers don't see, left out. */
const shown = (markdown: string) => written(markdown).replaceAll("\u200B", "");
const written = (markdown: string) => toMrkdwn(markdown, options).flat().join("\n\n");

describe("what a reader of Slack sees of Markdown", () => {
  test("H5-TXT-02: apostrophes and quotation marks stay as they are; only & < > become entities", () => {
    expect(shown(`We've set "x" to 5 \u2014 it's done & dusted`)).toBe(`We've set "x" to 5 \u2014 it's done &amp; dusted`);
  });

  test("H5-TXT-05: links that the model writes in Slack's own form work", () => {
    expect(shown("Read <https://example.com/a/b|our handbook>, or <https://example.com>!")).toBe(
      "Read <https://example.com/a/b|our handbook>, or <https://example.com>!",
    );
  });

  test("H5-TXT-06: bold that closes right before a letter is bold, and powers and code are left alone", () => {
    expect(shown("**Result:**fine\n- **Host:**db-1\nplain 2**10 and `a**b` stay")).toBe(
      "*Result:*fine\n\n\u2022 *Host:*db-1\n  plain 2**10 and `a**b` stay",
    );
  });

  test("Slack is told where bold ends when a letter follows at once", () => {
    expect(written("**Result:**fine")).toBe("*Result:*\u200Bfine");
    expect(written("**Result:** fine")).toBe("*Result:* fine");
  });

  test("bold in Chinese, where no spaces part the words", () => {
    expect(shown("\u8FD9\u662F**\u91CD\u70B9\uFF1A**\u5185\u5BB9")).toBe("\u8FD9\u662F*\u91CD\u70B9\uFF1A*\u5185\u5BB9");
  });

  test("H5-TXT-08: two tables are both aligned and the texts around them keep their order", () => {
    const text = shown("North:\n\n| Part | Stock |\n|---|---:|\n| P7 | 1 |\n\nSouth:\n\n| Part | Stock |\n|---|---:|\n| P9 | 30 |\n\nEnd.");
    expect(text).toBe(
      "North:\n\n```\nPart | Stock\n-----+------\nP7   |     1\n```\n\nSouth:\n\n```\nPart | Stock\n-----+------\nP9   |    30\n```\n\nEnd.",
    );
    expect(text).not.toMatch(/^\|/m);
  });

  test("Chinese cells take two columns, so that the columns still line up", () => {
    expect(shown("| A | B |\n|---|---|\n| \u5317\u4EAC | x |\n| ab | y |")).toBe(
      "```\nA    | B\n-----+----\n\u5317\u4EAC | x\nab   | y\n```",
    );
  });

  test("a table too wide for a window becomes a list with a heading for each cell", () => {
    const long = "a sentence that takes some room in its cell, and then some more words yet";
    expect(shown(`| City | Note |\n|---|---|\n| Bonn | ${long} |\n| Ulm | ${long} |`)).toBe(
      `\u2022 *City:* Bonn\n   *Note:* ${long}\n\u2022 *City:* Ulm\n   *Note:* ${long}`,
    );
  });

  test("H5-TXT-11: a heading that holds bold text is bold once", () => {
    expect(shown("### **Phase two**: Roll out\n\n## **Summary**")).toBe("*Phase two: Roll out*\n\n*Summary*");
  });

  test("H5-TXT-12: code shows exactly the characters the model wrote", () => {
    const text = shown("A less-than sign `<` is typed `&lt;`; to show that, type `&amp;lt;`; an ampersand is `&`.");
    expect(text).toBe("A less-than sign `&lt;` is typed `&amp;lt;`; to show that, type `&amp;amp;lt;`; an ampersand is `&amp;`.");
    expect(unescaped(text)).toBe("A less-than sign `<` is typed `&lt;`; to show that, type `&amp;lt;`; an ampersand is `&`.");
  });

  test("entities in prose are what Markdown says they are: the character, escaped once", () => {
    expect(shown("Tom &amp; Jerry &lt;3 &copy;")).toBe("Tom &amp; Jerry &lt;3 \u00A9");
  });

  test("H5-TXT-15: nested lists are indented, numbers go on after an inner list, and blank lines in code stay", () => {
    const text = shown("1. First\n   - inner **x**\n     - deeper\n2. Second\n   ```sh\n   a\n\n\n   b\n   ```\n3. Third");
    expect(text).toBe("1. First\n    \u25E6 inner *x*\n        \u25AA deeper\n2. Second\n```\na\n\n\nb\n```\n3. Third");
  });

  test("a list that begins at 7 begins at 7", () => {
    expect(shown("7. seven\n8. eight")).toBe("7. seven\n8. eight");
  });

  test("H5-TXT-16: the three special characters are escaped everywhere, and reading back gives what was written", () => {
    const text = shown("Use `while (i < n && m > i)` and the type Box<U123, string>. Raw: <@U0AAAAAAA> #<C12345>");
    expect(text).toBe(
      "Use `while (i &lt; n &amp;&amp; m &gt; i)` and the type Box&lt;U123, string&gt;. Raw: &lt;@U0AAAAAAA&gt; #&lt;C12345&gt;",
    );
    expect(unescaped(text)).toBe("Use `while (i < n && m > i)` and the type Box<U123, string>. Raw: <@U0AAAAAAA> #<C12345>");
  });

  test("task lists, quotes, rules, strike-through, italics and footnotes", () => {
    expect(shown("- [ ] open\n- [x] done")).toBe("\u2022 \u2610 open\n\u2022 \u2611 done");
    expect(shown("> one\n> two\n>\n> - three")).toBe("> one\n> two\n> \n> \u2022 three");
    expect(shown("a\n\n---\n\nb")).toBe("a\n\n\u2014\u2014\u2014\n\nb");
    expect(shown("~~no~~ and *yes* and ***both***, ~5 to ~6")).toBe("~no~ and _yes_ and *_both_*, ~5 to ~6");
    expect(shown("See[^x].\n\n[^x]: A note.")).toBe("See[note x].\n\nNote x: A note.");
  });

  test("code in a quote keeps its lines", () => {
    expect(shown("> ```\n> a\n> b\n> ```")).toBe("> `a`\n> `b`");
  });

  test("HTML and pictures are words, not things", () => {
    expect(shown("<b>bold</b><br>next")).toBe("&lt;b&gt;bold&lt;/b&gt;\nnext");
    expect(shown("![a chart](https://evil.example/x.png)")).toBe("a chart (`https://evil.example/x.png`)");
  });

  test("stars that are multiplication stay stars", () => {
    expect(shown("4 * 5 * 6 and 4*5*6")).toBe("4 * 5 * 6 and 4*5*6");
  });
});

describe("citations", () => {
  test("markers in prose lead to their sources; brackets in code are code, also in an open fence", () => {
    const text = shown("Use `grid[k][1]` [1]:\n```py\nshow(row[0], row[7])\ny = [1]\n```\nand footnote [2].\n\n```\nopen[1]");
    expect(text).toBe(
      "Use `grid[k][1]` <https://docs.test/1|[1]>:\n\n```\nshow(row[0], row[7])\ny = [1]\n```\n\nand footnote <https://docs.test/2|[2]>.\n\n```\nopen[1]\n```",
    );
  });

  test("a number without a source, or a source without an address, is never linked", () => {
    expect(shown("A [1]. B [5]. C [7]. D [0].")).toBe("A <https://docs.test/1|[1]>. B [5]. C [7]. D [0].");
  });

  test("neighbouring markers are links of their own", () => {
    expect(shown("Both [1][2].")).toBe("Both <https://docs.test/1|[1]><https://docs.test/2|[2]>.");
  });

  test("a definition that the model adds cannot move a citation to another address", () => {
    const text = shown("Fact [1].\n\n[1]: https://evil.example/steal?d=secret");
    expect(text).toBe("Fact <https://docs.test/1|[1]>.");
    expect(liveThings(text)).toEqual(["https://docs.test/1|[1]"]);
  });
});
