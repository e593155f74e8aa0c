import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { compiledEntry } from "../../../src/core/compiled-entry.ts";
import { makeDocx, paragraph } from "../extract/make-docx.ts";

describe("what parsers are given and what is taken from them", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "footnote-canary-"));
    writeFileSync(join(folder, "canary.png"), "canary");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("T51: the process that reads documents has no network from its first line on", () => {
    const worker = compiledEntry("../../../src/knowledge/ingest/reader/worker.ts", import.meta.url).href;
    // The worker reads its input to the end, which comes at once; what it leaves behind is tried then.
    const program = `
      import net from "node:net"; import dns from "node:dns"; import dgram from "node:dgram";
      const server = net.createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const at = { port: server.address().port, host: "127.0.0.1" };
      const ways = {
        net: () => new Promise((resolve, reject) => net.connect(at).once("connect", resolve).once("error", reject)),
        dns: () => dns.promises.lookup("localhost"),
        dgram: () => dgram.createSocket("udp4").close(),
        fetch: () => { if (typeof fetch !== "function") throw new Error("none"); },
      };
      const reached = async () => { const names = []; for (const [name, way] of Object.entries(ways)) { try { await way(); names.push(name); } catch {} } return names; };
      const before = await reached();
      await import(${JSON.stringify(worker)});
      process.stdout.write("\\n" + JSON.stringify({ before, after: await reached() }), () => process.exit(0));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
      input: "",
      timeout: 280_000,
    });
    expect(JSON.parse(printed.trim().split("\n").at(-1) ?? "")).toEqual({ before: ["net", "dns", "dgram", "fetch"], after: [] });
  });

  test("T51: a Word document's pictures outside the file stay closed even to a converter that would read every picture", async () => {
    const real = (await import("mammoth")).default;
    const given: object[] = [];
    const pictures: string[] = [];
    /** The converter as it is, with whatever it was told, but curious: it reads every picture it comes by. */
    const curious = {
      ...real,
      convertToHtml: (input: never, options: object) => {
        given.push(options);
        const convertImage = real.images.imgElement(async (image) => {
          pictures.push(await image.readAsBase64String());
          return { src: "" };
        });
        return real.convertToHtml(input, { ...options, convertImage });
      },
    };
    jest.unstable_mockModule("mammoth", () => ({ default: curious, ...curious }));
    const { extract } = await import("../../../src/knowledge/ingest/extract/extract.ts");
    const target = pathToFileURL(join(folder, "canary.png")).href;
    const link = `<Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${target}" TargetMode="External"/>`;
    const image = `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:link="x"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    const bytes = makeDocx({ body: image + paragraph("Eighteen weeks."), relationships: link });
    const text = await extract({ bytes, name: "a.docx", onProgress: () => {} }).then(
      ({ blocks }) => blocks.map((block) => block.text).join(),
      (error: Error) => error.message,
    );
    expect(text).toMatch(/Eighteen weeks|not a complete Word document/);
    expect(pictures).toEqual([]);
    expect(given).toEqual([expect.objectContaining({ externalFileAccess: false, includeEmbeddedStyleMap: false })]);
  });
});
