import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { EntityManager } from "typeorm";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { personId, type TenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { everyone, type Principal, personPrincipal } from "../../src/core/principal.ts";
import { MAX_FILE_BYTES } from "../../src/knowledge/ingest/files.ts";
import { createIngestion, type IngestInputs } from "../../src/knowledge/ingest/pipeline.ts";
import { DocumentRepository } from "../../src/store/repositories/documents.ts";
import { testDatabases } from "../fakes/test-database.ts";
import { directExtractor, type KnowledgeFixture, openKnowledge } from "./knowledge-fixture.ts";

const { signal } = new AbortController();
const bob = personPrincipal(personId("UBOB"));

describe.each(testDatabases)("adding documents (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  let tenant: TenantId;
  let folder: string;

  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
  });
  afterAll(() => knowledge.test.close());
  beforeEach(async () => {
    tenant = await knowledge.test.addTenant();
    knowledge.embedder.embedded.length = 0;
    knowledge.embedder.failure = undefined;
    folder = join(await mkdtemp(join(tmpdir(), "footnote-ingest-")), "handbook");
    await mkdir(join(folder, "leave"), { recursive: true });
    await writeFile(join(folder, "leave", "parental.md"), "# Parental leave\n\nThe limit is five weeks.");
    await writeFile(join(folder, "travel.txt"), "Trains are booked in Wayfare.");
  });

  const ingest = (inputs: IngestInputs, grants: readonly Principal[] = [everyone]) =>
    knowledge.ingestion.ingest(inputs, { tenant, grants, signal });
  const find = async (query: string, principals: readonly Principal[] = [everyone]) =>
    (await knowledge.library.forTenant(tenant).fullText(query, { principals, limit: 10, signal })).hits.map((hit) => hit.text);
  const statuses = async (inputs: IngestInputs, grants?: readonly Principal[]) =>
    (await ingest(inputs, grants)).map((report) => report.status);

  test("a folder is read whole, with progress", async () => {
    const progress: string[] = [];
    const reports = await knowledge.ingestion.ingest(
      { paths: [folder] },
      { tenant, grants: [everyone], signal, onProgress: ({ done, total, part }) => part || progress.push(`${done}/${total}`) },
    );
    expect(reports).toMatchObject([
      { path: join(folder, "leave/parental.md"), status: "added", passages: 1 },
      { path: join(folder, "travel.txt"), status: "added", passages: 1 },
    ]);
    expect(progress).toEqual(["1/2", "2/2"]);
    expect(await find("limit")).toEqual(["The limit is five weeks."]);
  });

  test("the same content again costs nothing, also when the folder was moved", async () => {
    await ingest({ paths: [folder] });
    knowledge.embedder.embedded.length = 0;
    expect(await statuses({ paths: [folder] })).toEqual(["unchanged", "unchanged"]);
    const elsewhere = join(await mkdtemp(join(tmpdir(), "footnote-ingest-")), "handbook");
    await mkdir(join(elsewhere, "leave"), { recursive: true });
    await writeFile(join(elsewhere, "leave", "parental.md"), "# Parental leave\n\nThe limit is five weeks.");
    expect(await statuses({ paths: [elsewhere] })).toEqual(["unchanged"]);
    expect(knowledge.embedder.embedded).toEqual([]);
    expect((await knowledge.library.forTenant(tenant).list({ principals: [everyone], limit: 10, offset: 0 })).total).toBe(2);
  });

  test("a file added alone is the same document as in its folder", async () => {
    await ingest({ paths: [folder] });
    expect(await statuses({ paths: [join(folder, "travel.txt")] })).toEqual(["unchanged"]);
  });

  test("other grants change who sees it, without new embeddings", async () => {
    await ingest({ paths: [folder] });
    knowledge.embedder.embedded.length = 0;
    expect(await statuses({ paths: [folder] }, [bob])).toEqual(["replaced", "replaced"]);
    expect(knowledge.embedder.embedded).toEqual([]);
    expect(await find("limit")).toEqual([]);
    expect(await find("limit", [bob])).toEqual(["The limit is five weeks."]);
  });

  test("H5-SRC-08: a changed file replaces its passages; a failed change leaves the old ones; a removed one is gone", async () => {
    const file = join(folder, "leave", "parental.md");
    const [first] = await ingest({ paths: [file] });
    await writeFile(file, "# Parental leave\n\nThe limit is seven weeks.");
    const [second] = await ingest({ paths: [file] });
    expect(second).toMatchObject({ status: "replaced", documentId: first?.documentId });
    expect(await find("limit")).toEqual(["The limit is seven weeks."]);

    await writeFile(file, "# Parental leave\n\nThe limit is nine weeks.");
    knowledge.embedder.failure = new Error("model gone");
    expect(await ingest({ paths: [file] })).toMatchObject([{ status: "failed", reason: "Something went wrong on our side." }]);
    expect(await find("limit")).toEqual(["The limit is seven weeks."]);

    if (!first?.documentId) throw new Error("no document");
    expect(await knowledge.ingestion.remove(tenant, first.documentId)).toBe(true);
    expect(await knowledge.ingestion.remove(tenant, first.documentId)).toBe(false);
    expect(await find("limit")).toEqual([]);
    for (const table of ["passages", "postings", "embeddings", "document_grants"]) {
      expect(await knowledge.test.asOwner(`SELECT 1 FROM ${table} WHERE tenant_id = '${tenant}'`)).toEqual([]);
    }
  });

  test("a passage that did not change keeps its id in a new version", async () => {
    const file = join(folder, "rules.md");
    await writeFile(file, "# One\n\nThe first rule stays.\n\n# Two\n\nThe second rule is old.");
    await ingest({ paths: [file] });
    const idOf = async (query: string) =>
      (await knowledge.library.forTenant(tenant).fullText(query, { principals: [everyone], limit: 1, signal })).hits[0]?.passageId;
    const before = await idOf("first");
    await writeFile(file, "# Two\n\nThe second rule is new.\n\n# One\n\nThe first rule stays.");
    await ingest({ paths: [file] });
    expect(before).toBeDefined();
    expect(await idOf("first")).toBe(before);
  });

  test("bad files get a reason and the rest goes on", async () => {
    await writeFile(join(folder, "empty.txt"), "");
    await writeFile(join(folder, "blank.md"), " \n\n \n");
    await writeFile(join(folder, "broken.pdf"), "%PDF-1.7 nothing more");
    await writeFile(join(folder, "fake.pdf"), "just text");
    await writeFile(join(folder, "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
    await writeFile(join(folder, "large.txt"), Buffer.alloc(MAX_FILE_BYTES + 1, 97));
    execFileSync("mkfifo", [join(folder, "pipe.txt")]);
    const reports = await ingest({ paths: [folder, join(folder, "missing.txt"), join(folder, "pipe.txt")] });
    const reasons = Object.fromEntries(reports.map((report) => [report.path.split("/").at(-1), report.reason ?? report.status]));
    expect(reasons).toEqual({
      "blank.md": expect.stringContaining("holds no text"),
      "broken.pdf": expect.stringContaining("not a complete PDF"),
      "empty.txt": expect.stringContaining("0 bytes"),
      "fake.pdf": expect.stringContaining("no PDF"),
      "large.txt": expect.stringContaining("limit is 25 MiB"),
      "missing.txt": expect.stringContaining("no such file"),
      "pipe.txt": expect.stringContaining("not a regular file"),
      "picture.png": expect.stringContaining("picture"),
      "parental.md": "added",
      "travel.txt": "added",
    });
  });

  test("hidden files and links out of the folder are not read; links inside are", async () => {
    const outside = join(folder, "..", "outside.txt");
    await writeFile(outside, "The password is swordfish.");
    await writeFile(join(folder, ".hidden.txt"), "hidden");
    await symlink(outside, join(folder, "leak.txt"));
    await symlink(join(folder, ".."), join(folder, "up"));
    await symlink(join(folder, "travel.txt"), join(folder, "alias.txt"));
    const names = (await ingest({ paths: [folder] })).map((report) => report.path.slice(folder.length + 1));
    expect(names).toEqual(["alias.txt", "leave/parental.md", "travel.txt"]);
    expect(await find("swordfish")).toEqual([]);
  });

  test("every word of a long document is found, from the first passage to the last", async () => {
    const sections = Array.from({ length: 260 }, (_, n) => `# Section ${n}\n\nRule uniqueword${n}x applies to everyone here.`);
    expect(await knowledge.add(tenant, "long.md", sections.join("\n\n"))).toMatchObject({ status: "added", passages: 260 });
    for (const n of [0, 130, 259]) expect(await find(`uniqueword${n}x`)).toEqual([`Rule uniqueword${n}x applies to everyone here.`]);
  });

  test("H5-ING-11: a document that is written in batches is found from the first to the last, and a batch that fails leaves the former version whole", async () => {
    const sections = (word: string) =>
      Array.from(
        { length: 501 },
        (_, n) => `# Section ${n}\n\nRule ${[0, 249, 500].includes(n) ? `${word}mark${n}` : `number ${n}`} applies.`,
      );
    expect(await knowledge.add(tenant, "large.md", sections("old").join("\n\n"))).toMatchObject({ passages: 501 });
    for (const n of [0, 249, 500]) expect(await find(`oldmark${n}`)).toEqual([`Rule oldmark${n} applies.`]);

    let batches = 0;
    const failing = new DocumentRepository((work) => {
      const run = (manager: EntityManager) => {
        const query = manager.query.bind(manager);
        const cut = async (sql: string, values?: unknown[]) => {
          if (sql.includes("INSERT INTO passages") && ++batches === 3) throw new Error("the third batch fails");
          return query(sql, values);
        };
        return work(new Proxy(manager, { get: (of, name) => (name === "query" ? cut : Reflect.get(of, name)) }));
      };
      return knowledge.test.database.forTenant(tenant)(run);
    }, tenant);
    const ingestion = createIngestion({
      storage: { forTenant: (id) => ({ ...knowledge.storage.forTenant(id), documents: failing }) },
      embedder: () => knowledge.embedder,
      extractor: directExtractor,
      clock: systemClock,
      log: silentLogger,
    });
    const files = [{ name: "large.md", bytes: Buffer.from(sections("new").join("\n\n")), sourceUri: "test:large.md" }];
    const [report] = await ingestion.ingest({ files }, { tenant, grants: [everyone], signal });
    expect([report?.status, batches]).toEqual(["failed", 3]);
    for (const n of [0, 249, 500]) expect(await find(`oldmark${n}`)).toEqual([`Rule oldmark${n} applies.`]);
    expect(await find("newmark0")).toEqual([]);
  });

  describe("a file that breaks whatever reads it", () => {
    const give = (content: string) => ({ files: [{ name: "poison.md", bytes: Buffer.from(content), sourceUri: "test:poison" }] });
    let attempts: string[];
    const ingestion = () =>
      createIngestion({
        storage: knowledge.storage,
        embedder: () => knowledge.embedder,
        clock: systemClock,
        log: silentLogger,
        extractor: {
          extract: async (file, stop) => {
            attempts.push(file.name);
            if (Buffer.from(file.bytes).includes("poison")) throw new AppError("READER_GAVE_UP", "Reading it took too long.");
            if (Buffer.from(file.bytes).includes("damaged")) throw new AppError("DOCUMENT_UNREADABLE", "It is damaged.");
            return await directExtractor.extract(file, stop);
          },
          close: async () => {},
        },
      });
    const add = async (inputs: IngestInputs, where = tenant) =>
      (await ingestion().ingest(inputs, { tenant: where, grants: [everyone], signal }))[0];
    beforeEach(() => {
      attempts = [];
    });

    test("is tried three times, then left alone until it changes; others go on", async () => {
      for (let time = 1; time <= 3; time++) expect((await add(give("poison")))?.reason).toContain("took too long");
      expect(await add(give("poison"))).toMatchObject({ status: "failed", reason: expect.stringContaining("failed 3 times") });
      expect(attempts).toHaveLength(3);
      expect(await add({ files: [{ name: "other.md", bytes: Buffer.from("Sound."), sourceUri: "test:other" }] })).toMatchObject({
        status: "added",
      });
      expect(await add(give("Mended."))).toMatchObject({ status: "added" });
    });

    test("is tried anew in another workspace: what one gave does not count for the other", async () => {
      for (let time = 1; time <= 4; time++) await add(give("poison"));
      const other = await knowledge.test.addTenant();
      expect((await add(give("poison"), other))?.reason).toContain("took too long");
    });

    test("is not one that is merely damaged: that is said every time", async () => {
      for (let time = 1; time <= 5; time++) expect((await add(give("damaged")))?.reason).toContain("It is damaged.");
    });
  });

  test("a stopped ingestion stops", async () => {
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(knowledge.ingestion.ingest({ paths: [folder] }, { tenant, grants: [everyone], signal: stop.signal })).rejects.toThrow(
      "stopped",
    );
    expect(await find("limit")).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
