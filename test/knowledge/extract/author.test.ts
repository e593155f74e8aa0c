import { describe, expect, test } from "@jest/globals";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { extract } from "../../../src/knowledge/ingest/extract/extract.ts";
import { makeDocx, makeZip, paragraph } from "./make-docx.ts";

const read = async (name: string, bytes: Uint8Array | string) =>
  (await extract({ name, bytes: Buffer.from(bytes as string), onProgress: () => {} })).author;

const core = (creator: string, last = "") =>
  `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:creator>${creator}</dc:creator><cp:lastModifiedBy>${last}</cp:lastModifiedBy></cp:coreProperties>`;
const docx = (creator: string, last?: string) =>
  makeDocx({ body: paragraph("Text."), more: [{ name: "docProps/core.xml", content: core(creator, last) }] });
async function pdf(author: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText("Text.", { font: await document.embedFont(StandardFonts.Helvetica) });
  document.setAuthor(author);
  return document.save();
}
const odt = (meta: string) =>
  makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
    { name: "META-INF/manifest.xml", content: "<manifest/>" },
    {
      name: "content.xml",
      content:
        '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>Text.</text:p></office:text></office:body></office:document-content>',
    },
    {
      name: "meta.xml",
      content: `<office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><office:meta>${meta}</office:meta></office:document-meta>`,
    },
  ]);

describe("who wrote a document, as it says itself", () => {
  test.each<[string, string, () => Uint8Array | string | Promise<Uint8Array>]>([
    ["Ada Lovelace", "front.md", () => "---\ntitle: Notes\nauthor: 'Ada Lovelace'\n---\n\nText."],
    [
      "Ada Lovelace",
      "page.html",
      () => '<html><head><meta name="Author" content=" Ada  Lovelace "></head><body><p>Text.</p></body></html>',
    ],
    ["Ada Lovelace <ada@example.com>", "a.eml", () => "From: Ada Lovelace <ada@example.com>\nTo: b@example.com\nSubject: Hi\n\nText."],
    ["Ada Lovelace", "a.docx", () => docx("Ada Lovelace", "Bob")],
    ["Bob", "automatic.docx", () => docx("python-docx", "Bob")],
    ["Ada Lovelace", "a.pdf", () => pdf("Ada Lovelace")],
    ["Ada Lovelace", "a.odt", () => odt("<meta:initial-creator>Ada Lovelace</meta:initial-creator><dc:creator>Bob</dc:creator>")],
  ])("%s: %s", async (author, name, make) => expect(await read(name, await make())).toBe(author));

  test.each<[string, () => Uint8Array | string | Promise<Uint8Array>]>([
    ["plain.md", () => "# Notes\n\nauthor: nobody said"],
    ["a.docx", () => docx("Administrator", "Microsoft Office User")],
    ["a.pdf", () => pdf("  ")],
  ])("nobody, where none is named or a program wrote the name: %s", async (name, make) =>
    expect(await read(name, await make())).toBeUndefined(),
  );
});
