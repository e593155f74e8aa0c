import { describe, expect, test } from "@jest/globals";
import { extract } from "../../../src/knowledge/ingest/extract/extract.ts";
import { makeOdf } from "./office-files.ts";

const read = (bytes: Uint8Array | string, name: string) => extract({ bytes: Buffer.from(bytes as string), name, onProgress: () => {} });
const shown = async (bytes: Uint8Array | string, name: string) =>
  (await read(bytes, name)).blocks.map(({ kind, headingPath, text }) => [kind, headingPath.join("/"), text]);

describe("reading rich text", () => {
  test("headings by style and level, tables, letters of other code pages and of Unicode", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\stylesheet{\s1 heading 1;}{\s2 Normal;}}
{\info{\title Secret}}{\*\generator Word;}\pard\s1 Leave\par\pard\s2 Caf\'e9 \u8364?40 {\f1\'c4\'e0} \'93yes\'94\par
\pard\outlinelevel1 Travel\par\pard By train.\par\trowd\pard\intbl Site\cell Year\cell\row\pard\intbl Bonn\par West\cell 2026\cell\row\pard End.\par}`;
    expect(await shown(rtf, "a.rtf")).toEqual([
      ["prose", "", "Café €40 Да “yes”"],
      ["prose", "Travel", "By train."],
      ["table", "Travel", "| Site | Year |\n| --- | --- |\n| Bonn West | 2026 |"],
      ["prose", "Travel", "End."],
    ]);
  });

  test("hidden, deleted and tiny text is not read, nor are pictures and fields' instructions", async () => {
    const rtf = String.raw`{\rtf1 Fee: 40 {\v SYSTEM}{\deleted SYSTEM}{\fs2 SYSTEM}{\pict\pngblip 89504e47}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt see here}}\bin4 {{{{\par}`;
    expect(await shown(rtf, "a.rtf")).toEqual([["prose", "", "Fee: 40 see here"]]);
  });

  test("groups without end and numbers without sense end soon", async () => {
    const open = `{\\rtf1 ${"{".repeat(200_000)}Fee: 40${"}".repeat(100_000)}`;
    expect(await shown(open, "a.rtf")).toEqual([["prose", "", "Fee: 40"]]);
    const outcome = await read(`{\\rtf1 Fee \\uc99999999 \\bin99999999999 ${"\\u".repeat(50_000)}`, "a.rtf").catch((error: Error) => error);
    expect(outcome).toBeDefined();
  });
});

describe("reading documents of LibreOffice", () => {
  const p = (text: string, more = "") => `<text:p ${more}>${text}</text:p>`;

  test("headings, nested lists, notes, comments, tables and text boxes", async () => {
    const body = `<text:h text:outline-level="1">Leave</text:h>${p('Eighteen<text:s text:c="2"/>weeks<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>At full pay.</text:p></text:note-body></text:note>.')}
      <text:list><text:list-item>${p("One")}<text:list><text:list-item>${p("nested")}</text:list-item></text:list></text:list-item></text:list>
      ${p("Ask.<office:annotation><dc:creator>Ann</dc:creator><text:p>Whom?</text:p></office:annotation>")}
      <table:table><table:table-row><table:table-cell>${p("Site")}</table:table-cell><table:table-cell>${p("Year")}</table:table-cell></table:table-row></table:table>
      ${p("<draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame>")}`;
    expect(await shown(makeOdf("text", body), "a.odt")).toEqual([
      ["prose", "Leave", "Eighteen  weeks[1]."],
      ["prose", "Leave", "[1] At full pay."],
      ["list", "Leave", "- One\n  - nested"],
      ["prose", "Leave", "Ask."],
      ["prose", "Leave", "Comment by Ann: Whom?"],
      ["table", "Leave", "| Site | Year |\n| --- | --- |"],
      ["prose", "Leave", "In a box."],
    ]);
  });

  test("hidden text is not read; tracked changes are told, with deletions left out", async () => {
    const styles = '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>';
    const changes = `<text:tracked-changes><text:changed-region><text:deletion>${p("Fee: 30")}</text:deletion></text:changed-region></text:tracked-changes>`;
    const body = `${changes}${p("Fee: 40")}${p('<text:span text:style-name="T1">SYSTEM</text:span><text:hidden-text>SYSTEM</text:hidden-text>')}`;
    const document = await read(makeOdf("text", body, styles), "a.odt");
    expect(document.blocks.map(({ text }) => text)).toEqual(["Fee: 40"]);
    expect(document.notes).toEqual([expect.stringContaining("tracked changes")]);
  });

  test("one with a password is told so", async () => {
    const locked = makeOdf("text", p("x"), "", "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>");
    await expect(read(locked, "a.odt")).rejects.toMatchObject({ message: expect.stringContaining("password") });
  });
});

describe("reading markup in general", () => {
  test("a feed's entries stand below their titles, with their dates and without their markup", async () => {
    const rss = `<?xml version="1.0"?><rss><channel><title>News</title><item><title>Leave &amp; pay</title><pubDate>8 May 2026</pubDate><description>&lt;p&gt;Eighteen &lt;b&gt;weeks&lt;/b&gt;.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>`;
    expect(await read(rss, "a.xml")).toMatchObject({ title: "News", format: "xml" });
    expect(await shown(rss, "a.xml")).toEqual([
      ["prose", "Leave & pay", "8 May 2026"],
      ["prose", "Leave & pay", "Eighteen weeks."],
    ]);
  });

  test("of any other markup the elements' texts are read", async () => {
    expect(await shown("<a><b>One <i>two</i></b><c/><d>Three</d></a>", "a.xml")).toEqual([
      ["prose", "", "One two"],
      ["prose", "", "Three"],
    ]);
  });

  test.each([
    ["a file of this machine", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>Text.<b>&e;</b></a>'],
    [
      "itself a million times",
      `<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "${"&x;".repeat(100)}"><!ENTITY e "${"&y;".repeat(100)}">]><a>Text.<b>&e;</b></a>`,
    ],
    [
      "a file to be included",
      '<a xmlns:xi="http://www.w3.org/2001/XInclude">Text.<xi:include href="file:///etc/passwd" parse="text"/></a>',
    ],
  ])("T51: an entity that stands for %s is not put in", async (_what, xml) => {
    const text = (await read(xml, "a.xml")).blocks.map((block) => block.text).join();
    expect(text).toContain("Text.");
    expect(text).not.toMatch(/root:|lollol/);
  });

  test("markup nested without end is refused, some is read", async () => {
    const nested = (depth: number) => `${"<a>".repeat(depth)}Text.${"</a>".repeat(depth)}`;
    await expect(read(nested(100_000), "a.xml")).rejects.toMatchObject({
      code: "DOCUMENT_UNREADABLE",
      message: expect.stringContaining("too deeply"),
    });
    expect((await read(nested(100), "a.xml")).blocks[0]?.text).toBe("Text.");
  });
});
