import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import { tenantId } from "../../../src/core/ids.ts";
import { createExtractor, type Extractor, type ExtractorOptions } from "../../../src/knowledge/ingest/reader/extractor.ts";

const { signal } = new AbortController();
/** However busy the machine; how long is too long has tests of its own. */
const patient = { noProgressMs: 1e9 };
const acme = tenantId("00000000-0000-8000-8000-00000000000a");
const globex = tenantId("00000000-0000-8000-8000-00000000000b");
const file = (name: string, content: string | Uint8Array = "Eighteen weeks.", tenant = acme) => ({
  tenant,
  name,
  bytes: typeof content === "string" ? Buffer.from(content) : content,
});

/**
 * Stands for a reader that a file has taken over: does what the file's name says, and otherwise answers with its process id as title.
 * Two kinds of answers are not replies at all.
 */
const taken = `
  import fs from "node:fs";
  const answer = (title) => process.stdout.write(JSON.stringify({ type: "done", document: { title: String(title), format: "text", blocks: [], notes: [] } }) + "\\n");
  const attempt = (action) => { try { answer("did it: " + action()); } catch (error) { answer(error.code ?? error.message); } };
  const hoard = [];
  let all = "";
  process.stdin.on("data", (data) => {
    all += data;
    const [, name, length] = /^{"name":"([^"]*)","length":(\\d+)[^\\n]*\\n/.exec(all) ?? [];
    if (name === undefined || all.length < all.indexOf("\\n") + 1 + Number(length)) return;
    all = "";
    switch (name) {
      case "die": return process.exit(3);
      case "hang": for (;;);
      case "heap": for (;;) hoard.push(new Array(5e6).fill(hoard.length));
      case "buffers": return setInterval(() => hoard.push(Buffer.alloc(16e6, 1)), 5);
      case "chatter": return setInterval(() => process.stdout.write('{"type":"progress"}\\n'), 20);
      case "flood": { const piece = "x".repeat(1e6); const more = () => process.stdout.write(piece, more); return more(); }
      case "nonsense": return process.stdout.write('{"type":"done","document":{"title":7}}\\n');
      case "environment": return answer(JSON.stringify(process.env));
      case "passwords": return attempt(() => fs.readFileSync("/etc/passwd", "utf8").length);
      case "own code": return attempt(() => fs.readFileSync(process.argv[1], "utf8").length > 0);
      case "write": return attempt(() => fs.writeFileSync("/tmp/footnote-canary", "x"));
      case "process": return import("node:child_process").then(({ spawnSync }) => attempt(() => { const { error } = spawnSync("true"); if (error) throw error; return "ran"; }));
      case "thread": return import("node:worker_threads").then(({ Worker }) => attempt(() => new Worker("1", { eval: true })));
      case "eval": return attempt(() => new Function("return 1")());
      default: answer(process.pid);
    }
  });`;

describe("reading in a process of its own", () => {
  let folder: string;
  let program: URL;
  let extractor: Extractor;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "footnote-reader-"));
    writeFileSync(join(folder, "taken.mjs"), taken);
    program = pathToFileURL(join(folder, "taken.mjs"));
  });
  afterEach(() => extractor.close());
  afterAll(() => rmSync(folder, { recursive: true }));
  const titleOf = async (name: string, tenant = acme) => (await extractor.extract(file(name, "x", tenant), signal)).title;

  test("reads one file after another and reports failures in their own words", async () => {
    extractor = createExtractor(systemClock, patient);
    const [one, empty, two] = await Promise.allSettled([
      extractor.extract(file("one.txt"), signal),
      extractor.extract(file("empty.txt", ""), signal),
      extractor.extract(file("two.md"), signal),
    ]);
    expect(one).toMatchObject({ value: { title: "One", blocks: [{ text: "Eighteen weeks." }] } });
    expect(empty).toMatchObject({
      reason: { code: "DOCUMENT_EMPTY", message: "The document holds no text. The file has no content (0 bytes)." },
    });
    expect(two).toMatchObject({ value: { title: "Two" } });
  });

  test("a file of many megabytes arrives and comes back whole", async () => {
    extractor = createExtractor(systemClock, { noProgressMs: 1e9 });
    const sentence = "Überstunden werden ausgeglichen. ";
    const { blocks } = await extractor.extract(file("large.txt", sentence.repeat(200_000)), signal);
    expect(blocks[0]?.text.length).toBe(sentence.length * 200_000 - 1);
  });

  test.each([
    ["makes no progress", "hang", { later: 21_000 }, "too long"],
    ["makes progress without end", "chatter", { noProgressMs: 1e9, later: 301_000 }, "too long"],
    ["ends the process", "die", {}, "damaged"],
    ["fills the memory for objects", "heap", { noProgressMs: 1e9 }, "memory"],
    ["fills memory elsewhere", "buffers", { memory: 400e6, noProgressMs: 1e9 }, "memory"],
    ["answers without end", "flood", { noProgressMs: 1e9 }, "too much text"],
    ["makes the process answer nonsense", "nonsense", {}, "damaged"],
  ])(
    "a file that %s is given up with a reason, and the next one is read by a fresh process",
    async (_what, name, { later = 0, ...options }: ExtractorOptions & { readonly later?: number }, reason) => {
      // The clock is put forward while the bad file is read: nobody waits for a limit, and a slow machine breaks none.
      let forward = 0;
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + forward };
      extractor = createExtractor(clock, { entry: program, ...options });
      const before = await titleOf("before");
      const bad = extractor.extract(file(name), signal);
      const timer = setInterval(() => {
        forward += later;
      }, 50);
      const next = bad.catch(() => clearInterval(timer)).then(() => titleOf("next"));
      await expect(bad).rejects.toMatchObject({ code: "READER_GAVE_UP", message: expect.stringContaining(reason) });
      expect(Number(await next)).toBeGreaterThan(0);
      expect(await next).not.toBe(before);
    },
  );

  test("a damaged file's process is not used again, that of a sound one is", async () => {
    extractor = createExtractor(systemClock, patient);
    const spy = createExtractor(systemClock, { ...patient, entry: program });
    expect((await spy.extract(file("a"), signal)).title).toBe((await spy.extract(file("b"), signal)).title);
    await spy.close();
    await expect(extractor.extract(file("bad.pdf", "no"), signal)).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect((await extractor.extract(file("good.txt"), signal)).title).toBe("Good");
  });

  test("files of two workspaces never meet in one process", async () => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    const first = await titleOf("a", acme);
    expect(await titleOf("b", globex)).not.toBe(first);
  });

  test.each([
    ["reads no file", "passwords", "ERR_ACCESS_DENIED"],
    ["writes no file", "write", "ERR_ACCESS_DENIED"],
    ["starts no program", "process", "ERR_ACCESS_DENIED"],
    ["starts no thread", "thread", "ERR_ACCESS_DENIED"],
    ["makes no code out of text", "eval", "Code generation from strings disallowed for this context"],
  ])("whoever has taken it over %s", async (_what, name, answer) => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    expect(await titleOf(name)).toBe(answer);
  });

  test("whoever has taken it over sees nothing of the program's environment", async () => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    const seen = Object.keys(JSON.parse(await titleOf("environment")) as object);
    expect(Object.keys(process.env)).toContain("PATH");
    expect(seen.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
  });

  test("it can read its own code, or nothing would work", async () => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    expect(await titleOf("own code")).toBe("did it: true");
  });

  test("a process that the system ended between two files is replaced", async () => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    const first = Number(await titleOf("a"));
    process.kill(first, "SIGKILL");
    const isThere = (): boolean => {
      try {
        return process.kill(first, 0);
      } catch {
        return false;
      }
    };
    while (isThere()) await systemClock.sleep(5);
    expect(Number(await titleOf("b"))).not.toBe(first);
  });

  test("a process that cannot start blames no file", async () => {
    writeFileSync(join(folder, "broken.mjs"), "process.exit(1);");
    extractor = createExtractor(systemClock, { entry: pathToFileURL(join(folder, "broken.mjs")) });
    await expect(extractor.extract(file("a"), signal)).rejects.toMatchObject({ code: "INTERNAL" });
  });

  test("stopping ends a hanging file at once", async () => {
    extractor = createExtractor(systemClock, { ...patient, entry: program });
    const stop = new AbortController();
    const hung = extractor.extract(file("hang"), stop.signal);
    stop.abort(new Error("stopped"));
    await expect(hung).rejects.toThrow("stopped");
  });
});
