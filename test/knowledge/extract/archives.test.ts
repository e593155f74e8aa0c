import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { extract } from "../../../src/knowledge/ingest/extract/extract.ts";
import { safeName } from "../../../src/knowledge/ingest/extract/inside.ts";
import { makeDocx, makeZip, paragraph, prose } from "./make-docx.ts";
import { makeEpub, makePptx, shape } from "./office-files.ts";

const read = (bytes: Uint8Array, name = "papers.zip") => extract({ bytes, name, onProgress: () => {} });
const shown = async (bytes: Uint8Array) => (await read(bytes)).blocks.map(({ headingPath, text }) => [headingPath.join(" > "), text]);
const docx = makeDocx({ body: paragraph("Eighteen weeks.") });

describe("reading archives", () => {
  test("every file is read below its name, its pages and slides as headings, and the rest is named", async () => {
    const bytes = makeZip([
      { name: "b/leave.docx", content: docx },
      { name: "a/notes.md", content: "# Notes\n\nBy train." },
      { name: "plan.pptx", content: makePptx([{ shapes: shape("Plan", "title") + shape("We grow.") }]) },
      { name: "photo.png", content: Buffer.from("\u0089PNG\r\n", "latin1") },
      { name: "__MACOSX/a/._notes.md", content: "rubbish" },
      { name: ".DS_Store", content: "rubbish" },
    ]);
    expect(await shown(bytes)).toEqual([
      ["a/notes.md > Notes", "By train."],
      ["b/leave.docx", "Eighteen weeks."],
      ["plan.pptx > slide 1 > Plan", "Plan"],
      ["plan.pptx > slide 1 > Plan", "We grow."],
    ]);
    const document = await read(bytes);
    expect(document).toMatchObject({ title: "Papers", format: "zip" });
    expect(document.pages).toBeUndefined();
    expect(document.blocks.some(({ page }) => page !== undefined)).toBe(false);
    expect(document.notes).toEqual([expect.stringMatching(/^Not read: photo\.png \(.*a picture/)]);
  });

  test("names are for people and never paths: steps upwards, drives and unseen characters are gone", () => {
    expect(safeName("../../etc/passwd")).toBe("etc/passwd");
    expect(safeName("C:\\Users\\x\\..\\plan.docx")).toBe("Users/x/plan.docx");
    expect(safeName("/a\u202Efdp.exe\u0000")).toBe("afdp.exe");
    expect(safeName("../..")).toBe("unnamed");
    expect(safeName(`${"x".repeat(400)}.txt`)).toHaveLength(150);
  });

  test("an archive of nothing that can be read says why", async () => {
    await expect(read(makeZip([{ name: "a.png", content: Buffer.from("\u0089PNG", "latin1") }]))).rejects.toMatchObject({
      code: "DOCUMENT_EMPTY",
      message: expect.stringContaining("a.png"),
    });
  });

  test("T52: an archive in an archive is not opened, a Word document in it is", async () => {
    const inner = makeZip([{ name: "a.txt", content: "inner" }]);
    expect(
      await shown(
        makeZip([
          { name: "inner.zip", content: inner },
          { name: "leave.docx", content: docx },
        ]),
      ),
    ).toEqual([["leave.docx", "Eighteen weeks."]]);
  });

  test("T52: all files of an archive unpack from one budget, however small each is", async () => {
    const packed = deflateRawSync(prose(50e6), { level: 1 });
    const pictures = makeZip(Array.from({ length: 5 }, (_, n) => ({ name: `${n}.png`, content: "", packed })));
    await expect(read(pictures)).rejects.toMatchObject({ message: expect.stringMatching(/4\.png \([^)]*far more than its size/) });
  });

  test("T52: an archive of more than 200 files is refused, one of 200 is read", async () => {
    const files = (count: number) => makeZip(Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, content: `Text ${n}.` })));
    expect((await read(files(200))).blocks).toHaveLength(200);
    await expect(read(files(201))).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE", message: expect.stringContaining("200 files") });
  });
});

describe("reading books", () => {
  test("chapters come in reading order under their headings, with authors and without the table of contents", async () => {
    const bytes = makeEpub(["<h1>One</h1><p>First<br/>line.</p>", "<h1>Two</h1><p hidden='hidden'>SYSTEM</p><p>Second.</p>"], {
      metadata:
        "<dc:title>Field notes</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:description>On ducks.</dc:description>",
    });
    const document = await read(bytes, "x.epub");
    expect(document).toMatchObject({ title: "Field notes", format: "epub" });
    expect(document.blocks.map(({ headingPath, text }) => [headingPath.join("/"), text])).toEqual([
      ["", "Authors: Ann, Bob"],
      ["", "On ducks."],
      ["One", "First\nline."],
      ["Two", "Second."],
    ]);
  });

  test("a book whose chapters are locked is told so, one with scrambled fonts is read", async () => {
    const locked = (part: string) => ({
      more: [
        {
          name: "META-INF/encryption.xml",
          content: `<encryption><EncryptedData><CipherData><CipherReference URI="${part}"/></CipherData></EncryptedData></encryption>`,
        },
      ],
    });
    await expect(read(makeEpub(["<p>x</p>"], locked("OEBPS/text/c0.xhtml")), "x.epub")).rejects.toMatchObject({
      message: expect.stringContaining("protected"),
    });
    expect((await read(makeEpub(["<p>Text.</p>"], locked("fonts/a.otf")), "x.epub")).blocks).toHaveLength(1);
  });
});
