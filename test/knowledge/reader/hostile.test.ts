import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { compiledEntry } from "../../../src/core/compiled-entry.ts";
import { tenantId } from "../../../src/core/ids.ts";
import { createExtractor, type Extractor } from "../../../src/knowledge/ingest/reader/extractor.ts";
import { makeDocx, makeZip, paragraph } from "../extract/make-docx.ts";

const tenant = tenantId("00000000-0000-8000-8000-000000000001");
const sound = paragraph("Eighteen weeks.");
const image = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:link="${id}" r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const link = (id: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${target}" TargetMode="External"/>`;
const nested = (tag: string, depth: number) => `${`<${tag}>`.repeat(depth)}Eighteen weeks.${`</${tag}>`.repeat(depth)}`;
const page = (body: string) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`;

/** How long a hostile file may make no progress here: less than in the program, since the suite should end. */
const PATIENCE_MS = 3_000;

describe("files made to do harm, read as the program reads them", () => {
  let extractor: Extractor;
  /** Whether time passes: only while a file is read that may never end, since a busy machine makes slow what is sound. */
  let impatient = false;
  let passed = 0;
  let looked = 0;
  const monotonic = () => {
    const now = systemClock.monotonic();
    if (impatient) passed += now - looked;
    looked = now;
    return passed;
  };
  beforeAll(() => {
    extractor = createExtractor({ ...systemClock, monotonic }, { noProgressMs: PATIENCE_MS });
  });
  afterAll(() => extractor.close());
  /** Reads a file that may never end, until patience does. */
  const readImpatiently = (name: string, content: string | Uint8Array): Promise<string> => {
    monotonic();
    impatient = true;
    return read(name, content).finally(() => {
      monotonic();
      impatient = false;
    });
  };
  const read = async (name: string, content: string | Uint8Array): Promise<string> => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const { blocks } = await extractor.extract({ tenant, name, bytes }, new AbortController().signal);
    return blocks.map((block) => block.text).join("\n");
  };

  test.each([
    ["a picture that is a file of this machine", { body: image("x") + sound, relationships: link("x", "file:///etc/passwd") }],
    ["a picture somewhere in the network", { body: image("x") + sound, relationships: link("x", "http://127.0.0.1:9/x.png") }],
    [
      "style names that would change every object, and a picture that is a file",
      {
        body: image("x") + paragraph("Eighteen weeks.", "__proto__"),
        relationships: link("x", "file:///etc/passwd") + link("__proto__", "file:///etc/passwd"),
        styles: `<w:style w:type="paragraph" w:styleId="__proto__"><w:name w:val="__proto__"/><w:basedOn w:val="constructor"/></w:style><w:style w:type="externalFileAccess" w:styleId="true"><w:name w:val="x"/></w:style>`,
      },
    ],
    ["a style map of its own", { body: sound, more: [{ name: "mammoth/style-map", content: "p => script > style:fresh" }] }],
  ])("Word: %s gives the text and nothing else", async (_what, parts) => {
    expect(await read("a.docx", makeDocx(parts))).toBe("Eighteen weeks.");
  });

  test.each([
    ["a file of this machine", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', "&e;"],
    [
      "itself a million times",
      `<!DOCTYPE x [<!ENTITY a "lollollollol">${[..."bcdefgh"].map((name, n) => `<!ENTITY ${name} "${`&${"abcdefg"[n]};`.repeat(10)}">`).join("")}]>`,
      "&h;",
    ],
  ])("Word: an entity that stands for %s is not put in", async (_what, prolog, entity) => {
    const outcome = await read("a.docx", makeDocx({ prolog, body: paragraph(`Eighteen weeks.${entity}`) })).catch(
      (error: Error) => error.message,
    );
    expect(outcome).not.toMatch(/root:|lollol/);
    expect(outcome.length).toBeLessThan(200);
    expect(await read("a.docx", makeDocx({ prolog: "<!DOCTYPE x>", body: paragraph("Eighteen &amp; more.") }))).toBe("Eighteen & more.");
  });

  test.each([
    ["unpacks to 200 MB", () => makeDocx({ body: " ".repeat(201e6) }), "far more than its size"],
    ["says that it is small", () => makeDocx({ body: " ".repeat(30e6), statedSize: 512 }), "far more than its size"],
    ["has thousands of parts", () => makeZip(Array.from({ length: 5_000 }, (_, n) => ({ name: `${n}`, content: "" }))), "1000 parts"],
    ["is cut in half", () => makeDocx({ body: sound }).subarray(0, 600), "damaged or incomplete"],
    ["nests a hundred thousand elements", () => makeDocx({ body: nested("w:ins", 100_000) }), "."],
  ])("Word: one that %s is refused, and the next is read", async (_what, make, reason) => {
    const bytes = make();
    await expect((reason === "." ? readImpatiently : read)("a.docx", bytes)).rejects.toMatchObject({
      code: expect.stringMatching(/DOCUMENT_UNREADABLE|READER_GAVE_UP/),
      message: expect.stringContaining(reason),
    });
    expect(await read("b.docx", makeDocx({ body: nested("w:ins", 20).replace("Eighteen weeks.", sound) }))).toBe("Eighteen weeks.");
  });

  test("a page of a hundred thousand nested elements is refused, one of a hundred is read", async () => {
    for (const tag of ["div", "b", "x-y", "table"]) {
      await expect(read("a.html", page(nested(tag, 100_000)))).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    }
    expect(await read("b.html", page(nested("div", 100)))).toBe("Eighteen weeks.");
  });

  const n = 50_000;
  test.each([
    ["comments that never end", "a.html", page("<!--".repeat(n))],
    ["tags that never end", "a.html", page("<p style='".repeat(n))],
    ["styles that never end", "a.html", page(`<style>${"/*".repeat(n)}${"a{".repeat(n)}</style><p>Hi</p>`)],
    ["blanks in a style", "a.html", page(`<p style="color:${" ".repeat(n)}x;${"height:0;".repeat(n / 10)}">Hi</p>`)],
    ["a heading of blanks", "a.html", page(`<h1>${" [edit".repeat(n)}</h1><p>Hi</p>`)],
    ["unclosed links", "a.md", "[".repeat(n)],
    ["nested quotes", "a.md", ">".repeat(n)],
    ["nested lists", "a.md", Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n")],
    ["stars", "a.md", "*a_".repeat(n)],
    ["tables without rows", "a.md", `${"|".repeat(n)}\n${"-|".repeat(n)}`],
    ["front matter that never ends", "a.md", `---\n${"title: ".repeat(n)}`],
    ["blanks and line ends", "a.txt", `${" \n".repeat(n)}x`],
    [
      "a field that never ends",
      "a.docx",
      makeDocx({
        body: `<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "'.repeat(5_000)}${"</w:instrText></w:r>".repeat(5_000)}</w:p>`,
      }),
    ],
    ["runs of hidden runs", "a.docx", makeDocx({ body: `<w:p>${"<w:r><w:rPr><w:sz ".repeat(n)}</w:p>` })],
  ])("%s end in time, one way or the other, and the next file is read", async (_what, name, content) => {
    const outcome = await readImpatiently(name, content).then(
      () => "read",
      (error: { code?: string }) => error.code,
    );
    expect(["read", "DOCUMENT_EMPTY", "DOCUMENT_UNREADABLE", "READER_GAVE_UP"]).toContain(outcome);
    expect(await read("next.txt", "Eighteen weeks.")).toBe("Eighteen weeks.");
  });

  test("cut files of every kind give a reason or what is left, whole ones everything", async () => {
    const markdown = "# Leave\n\n| Grade | Days |\n| --- | --- |\n| Junior | 25 |\n";
    const html = page("<table><tr><td>Junior</td><td>25</td></tr></table>");
    const docx = makeDocx({ body: sound });
    for (const [name, bytes] of [
      ["a.md", Buffer.from(markdown)],
      ["a.html", Buffer.from(html)],
      ["a.docx", docx],
    ] as const) {
      for (let length = 1; length < bytes.length; length += Math.ceil(bytes.length / 12)) {
        const outcome = await read(name, bytes.subarray(0, length)).then(
          () => "read",
          (error: { code?: string }) => error.code,
        );
        expect(["read", "DOCUMENT_EMPTY", "DOCUMENT_UNREADABLE", "FORMAT_UNSUPPORTED"]).toContain(outcome);
      }
      expect((await read(name, bytes)).length).toBeGreaterThan(10);
    }
  });
});

test("a process with its network closed reaches nothing by any of Node's ways", () => {
  const close = compiledEntry("../../../src/knowledge/ingest/reader/no-network.ts", import.meta.url).href;
  const program = `
    import net from "node:net"; import tls from "node:tls"; import http from "node:http"; import dns from "node:dns"; import dgram from "node:dgram";
    const server = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address();
    const at = { port, host: "127.0.0.1" };
    const ways = {
      net: () => new Promise((resolve, reject) => net.connect(at).once("connect", resolve).once("error", reject)),
      http: () => new Promise((resolve, reject) => http.get({ ...at, timeout: 50 }).once("socket", (socket) => socket.once("connect", resolve)).once("error", reject)),
      tls: () => new Promise((resolve, reject) => { const socket = tls.connect(at); socket.once("error", reject); setTimeout(resolve, 20); }),
      listen: () => new Promise((resolve) => { const other = net.createServer(); other.listen(0, "127.0.0.1", () => { other.close(); resolve(); }); }),
      dgram: () => dgram.createSocket("udp4").close(),
      dns: () => dns.promises.lookup("localhost"),
      fetch: () => fetch,
    };
    const reached = async () => { const names = []; for (const [name, way] of Object.entries(ways)) { try { await way(); names.push(name); } catch {} } return names; };
    const before = await reached();
    (await import(${JSON.stringify(close)})).closeNetwork();
    console.log(JSON.stringify({ before, after: await reached() }));
    process.exit(0);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8", timeout: 120_000 });
  expect(JSON.parse(printed)).toEqual({ before: ["net", "http", "tls", "listen", "dgram", "dns", "fetch"], after: [] });
});
