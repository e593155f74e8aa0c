import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { tenantId } from "../../src/core/ids.ts";
import { ManualClock } from "../bot/out/quick-clock.ts";
import { OutsideWorld } from "../fakes/outside-world.ts";

let world: OutsideWorld;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await OutsideWorld.start({ clock });
});
afterEach(() => world.stop());

const page = { "content-type": "text/html" };
const MIB = 1024 * 1024;
const tooMuch = { code: "FETCH_LIMIT" };
const read = async (url = "http://example.org/") => (await world.fetch(url, { types: ["text/html", "application/pdf"] })).arrayBuffer();

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe("T46: a page that would take everything is given up", () => {
  test("one that never begins, and one that drips, after 15 seconds in all", async () => {
    world.handle = () => undefined;
    const silent = read();
    silent.catch(() => undefined);
    await until(() => world.visits.length === 1);
    await clock.pass(14_999);
    await expect(Promise.race([silent, Promise.resolve("still waiting")])).resolves.toBe("still waiting");
    await clock.pass(1);
    await expect(silent).rejects.toMatchObject(tooMuch);

    world.handle = (_, response) => void response.writeHead(200, page).write("x");
    const drip = await world.fetch("http://example.org/");
    const text = drip.text();
    text.catch(() => undefined);
    await clock.pass(15_000);
    await expect(text).rejects.toMatchObject(tooMuch);
  });

  test("one that cannot be connected to, after 5 seconds", async () => {
    world.silent.add("93.184.216.34");
    const call = read();
    call.catch(() => undefined);
    await clock.pass(5_000);
    await expect(call).rejects.toMatchObject(tooMuch);
  });

  test("one whose name does not resolve, after 15 seconds", async () => {
    world.resolving = new Promise(() => undefined);
    const call = read();
    call.catch(() => undefined);
    await clock.pass(15_000);
    await expect(call).rejects.toMatchObject(tooMuch);
  });

  test("one without end, after 2 MiB", async () => {
    let sent = 0;
    world.handle = (_, response) => {
      response.writeHead(200, page);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) sent += 65_536;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    await expect(read()).rejects.toMatchObject(tooMuch);
    expect(sent).toBeLessThan(64 * MIB);
  });

  test("one of 3 MiB that does not say so before", async () => {
    world.handle = (_, response) => {
      response.writeHead(200, page).write("x".repeat(MIB));
      response.end("x".repeat(2 * MIB));
    };
    await expect(read()).rejects.toMatchObject(tooMuch);
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(200 * MIB))],
    ["br", brotliCompressSync(Buffer.alloc(200 * MIB))],
  ])("a %s bomb ends before 8 MiB of what it holds", async (encoding, bomb) => {
    world.handle = (_, response) => void response.writeHead(200, { ...page, "content-encoding": encoding }).end(bomb);
    const response = await world.fetch("http://example.org/");
    let unpacked = 0;
    const reading = (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) unpacked += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject(tooMuch);
    expect(unpacked).toBeLessThanOrEqual(8 * MIB);
  });

  test("one that unpacks to more than a hundred times its size, though it is not large", async () => {
    world.handle = (_, response) => void response.writeHead(200, { ...page, "content-encoding": "gzip" }).end(gzipSync("x".repeat(MIB)));
    await expect(read()).rejects.toMatchObject(tooMuch);
  });

  test("more than 8 MiB of text, however well it was packed before", async () => {
    // Packed it is within every other limit: under 2 MiB, and less than a hundred times smaller.
    const words = Buffer.from(Array.from({ length: 25_000 }, (_, n) => `${(n * 7_919) % 104_729} of many words\n`.repeat(20)).join(""));
    const packed = gzipSync(words);
    expect(words.length).toBeGreaterThan(8 * MIB);
    expect(packed.length).toBeLessThan(2 * MIB);
    expect(words.length / packed.length).toBeLessThan(90);
    world.handle = (_, response) => void response.writeHead(200, { ...page, "content-encoding": "gzip" }).end(packed);
    await expect(read()).rejects.toMatchObject(tooMuch);
  });

  test("one that announces too much is not read at all; one that announces too little is no larger for it", async () => {
    world.handle = (_, response) => void response.writeHead(200, { ...page, "content-length": String(3 * MIB) }).write("x");
    await expect(read()).rejects.toMatchObject(tooMuch);
    world.handle = (_, response) => {
      const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
      response.socket?.end(`${head} 5\r\n\r\nHello${head} 7\r\n\r\nSmuggle`);
    };
    expect(Buffer.from(await read()).toString()).toBe("Hello");
  });

  test("a header of a megabyte", async () => {
    world.handle = (_, response) => void response.writeHead(200, { ...page, "x-filler": "x".repeat(MIB) }).end("Hello.");
    await expect(read()).rejects.toMatchObject(tooMuch);
  });

  test.each([
    ["a program called a page", "text/html", Buffer.from("MZ\u0090\0\u0003\0\0\0")],
    ["a page called a PDF", "application/pdf", Buffer.from("<html>Hello.</html>")],
    ["a PDF called a page", "text/html", Buffer.from("%PDF-1.7 ...")],
    ["a picture", "image/png", Buffer.from("\u0089PNG")],
    ["what has no type", "", Buffer.from("<html>Hello.</html>")],
    ["a type with another one behind it", "image/png; text/html", Buffer.from("<html>Hello.</html>")],
  ])("%s is not read", async (_, type, bytes) => {
    world.handle = (_, response) => void response.writeHead(200, type ? { "content-type": type } : {}).end(bytes);
    await expect(read()).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  });

  test("content packed in a way that was not asked for, twice packed or damaged is not read", async () => {
    for (const [encoding, code] of [
      ["zstd", "FETCH_REFUSED"],
      ["gzip, gzip", "FETCH_REFUSED"],
      ["__proto__", "FETCH_REFUSED"],
      ["gzip", "FETCH_FAILED"],
    ] as const) {
      world.handle = (_, response) => void response.writeHead(200, { ...page, "content-encoding": encoding }).end("not packed");
      await expect(read()).rejects.toMatchObject({ code });
    }
  });

  test("a connection that is cut is a failure, not half a page", async () => {
    world.handle = (_, response) => {
      response.writeHead(200, { ...page, "content-length": "100" }).write("Hello.");
      setImmediate(() => response.destroy());
    };
    await expect(read()).rejects.toMatchObject({ code: "FETCH_FAILED" });
  });

  test.each([
    ["as it is", (text: string) => Buffer.from(text), undefined],
    ["gzip", (text: string) => gzipSync(text), "gzip"],
    ["br", (text: string) => brotliCompressSync(text), "br"],
  ])("an ordinary page arrives whole: %s", async (_, pack, encoding) => {
    const text = `<html>${Array.from({ length: 25_000 }, (_, n) => `All is well at ${((n * 2654435761) % 4294967296).toString(36)}. `).join("")}</html>`;
    const headers = { ...page, ...(encoding && { "content-encoding": encoding }) };
    world.handle = (_, response) => void response.writeHead(200, headers).end(pack(text));
    expect(Buffer.from(await read()).toString()).toBe(text);
  });

  test("one workspace has four requests at once; the fifth waits, another workspace's does not", async () => {
    const [acme, globex] = [tenantId("acme"), tenantId("globex")];
    world.handle = (_, response) => void response.writeHead(200, page).write("x");
    const open = await Promise.all([1, 2, 3, 4].map(() => world.fetch("http://example.org/", { tenant: acme })));
    let fifth = false;
    const waiting = world.fetch("http://example.org/", { tenant: acme }).then((response) => {
      fifth = true;
      return response;
    });
    const other = await world.fetch("http://example.org/", { tenant: globex });
    expect(fifth).toBe(false);
    await open[0]?.body?.cancel();
    const next = await waiting;
    for (const response of [...open.slice(1), other, next]) await response.body?.cancel();
    expect(world.visits).toHaveLength(6);
  });

  test("whoever waits can leave, and leaves no gap", async () => {
    const acme = tenantId("acme");
    world.handle = (_, response) => void response.writeHead(200, page).write("x");
    const open = await Promise.all([1, 2, 3, 4].map(() => world.fetch("http://example.org/", { tenant: acme })));
    const stop = new AbortController();
    const left = world.fetch("http://example.org/", { tenant: acme, signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(left).rejects.toThrow("stopped");
    for (const response of open) await response.body?.cancel();
    world.handle = (_, response) => void response.writeHead(200, page).end("Hello.");
    for (let n = 0; n < 5; n++) expect(await (await world.fetch("http://example.org/", { tenant: acme })).text()).toBe("Hello.");
  });

  test("a caller who leaves at once is not kept waiting", async () => {
    world.handle = () => undefined;
    const stop = new AbortController();
    const call = world.fetch("http://example.org/", { signal: stop.signal, tenant: tenantId("acme") });
    stop.abort(new Error("stopped"));
    await expect(call).rejects.toThrow("stopped");
  });

  test("a caller's signal ends the reading with its own reason", async () => {
    world.handle = (_, response) => void response.writeHead(200, page).write("x");
    const stop = new AbortController();
    const response = await world.fetch("http://example.org/", { signal: stop.signal });
    const text = response.text();
    stop.abort(new Error("stopped"));
    await expect(text).rejects.toThrow("stopped");
  });
});
