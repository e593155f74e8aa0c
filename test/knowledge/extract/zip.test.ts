import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { openZip } from "../../../src/knowledge/ingest/extract/containers/zip.ts";
import { makeZip, prose } from "./make-docx.ts";

const MIB = 1024 * 1024;
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const bomb = { code: "DOCUMENT_UNREADABLE", message: expect.stringContaining("far more than its size") };
const damaged = { code: "DOCUMENT_UNREADABLE", message: expect.stringContaining("damaged or incomplete") };
const thrownBy = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("unpacking archives", () => {
  test("parts are found by their names and unpacked", async () => {
    const archive = openZip(
      makeZip([
        { name: "a.xml", content: "<a/>" },
        { name: "b/c.xml", content: prose(4 * MIB) },
      ]),
    );
    expect([...archive.names]).toEqual(["a.xml", "b/c.xml"]);
    expect(text(await archive.read("a.xml"))).toBe("<a/>");
    expect((await archive.read("b/c.xml"))?.length).toBe(4 * MIB);
    expect(await archive.read("absent")).toBeUndefined();
  });

  test("a part that unpacks to hundreds of times its size is stopped, whatever size it states", async () => {
    const packed = deflateRawSync(Buffer.alloc(16 * MIB, " "));
    for (const statedSize of [16 * MIB, 512, 0, 0xffffffff]) {
      const archive = openZip(makeZip([{ name: "document.xml", content: "", packed, statedSize }]));
      await expect(archive.read("document.xml")).rejects.toMatchObject(bomb);
    }
  });

  test("a wrong size alone does no harm, nor does a small part of blanks", async () => {
    for (const statedSize of [0, 512, 0xffffffff]) {
      expect(text(await openZip(makeZip([{ name: "a", content: "Eighteen weeks.", statedSize }])).read("a"))).toBe("Eighteen weeks.");
    }
    expect((await openZip(makeZip([{ name: "a", content: " ".repeat(500_000) }])).read("a"))?.length).toBe(500_000);
  });

  test("all parts together may not unpack to more than 200 MiB", async () => {
    const packed = deflateRawSync(prose(8 * MIB));
    const archive = openZip(makeZip(Array.from({ length: 27 }, (_, n) => ({ name: `part${n}`, content: "", packed }))));
    let read = 0;
    const failure = await (async () => {
      for (; read < 27; read++) await archive.read(`part${read}`);
    })().catch((error: unknown) => error);
    expect(read).toBe(25);
    expect(failure).toMatchObject(bomb);
  });

  test("an archive of a thousand parts is read, of more it is not", () => {
    const packed = deflateRawSync("x");
    const parts = (count: number) => makeZip(Array.from({ length: count }, (_, n) => ({ name: `${n}`, content: "x", packed })));
    expect(openZip(parts(1_000)).names.size).toBe(1_000);
    expect(thrownBy(() => openZip(parts(1_001)))).toMatchObject({
      code: "DOCUMENT_UNREADABLE",
      message: expect.stringContaining("1000 parts"),
    });
    // 70,000 is 4,464 to a field of two bytes.
    expect(thrownBy(() => openZip(parts(70_000)))).toMatchObject({ code: "DOCUMENT_UNREADABLE" });
  });

  test("damaged and cut archives are told so", async () => {
    const whole = makeZip([{ name: "a", content: prose(100_000) }]);
    for (const length of [10, 100, whole.length / 2, whole.length - 1]) {
      expect(thrownBy(() => openZip(whole.subarray(0, length)))).toMatchObject(damaged);
    }
    const noise = openZip(makeZip([{ name: "a", content: "text", packed: Buffer.from("no deflated data") }]));
    await expect(noise.read("a")).rejects.toMatchObject(damaged);
    const cut = openZip(makeZip([{ name: "a", content: "text", packed: deflateRawSync(prose(100_000)).subarray(0, 5_000) }]));
    await expect(cut.read("a")).rejects.toMatchObject(damaged);
  });

  test("names like those of JavaScript's own properties are names", async () => {
    const archive = openZip(
      makeZip([
        { name: "__proto__", content: "a" },
        { name: "constructor", content: "b" },
      ]),
    );
    expect(text(await archive.read("__proto__"))).toBe("a");
    expect(await openZip(makeZip([{ name: "a", content: "a" }])).read("constructor")).toBeUndefined();
  });
});
