import { describe, expect, test } from "@jest/globals";
import { DocumentDesk, type FileToAdd } from "../../../src/bot/documents/document-desk.ts";
import type { AddedFile, TenantFiles } from "../../../src/bot/documents/file-store.ts";
import type { SlackFile } from "../../../src/bot/documents/slack-file.ts";
import type { BodySource } from "../../../src/bot/out/slack-writer.ts";
import { AppError } from "../../../src/core/errors.ts";
import { documentId, messageTs, type TenantId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { everyone, personPrincipal } from "../../../src/core/principal.ts";
import type { FileReport, IngestInputs } from "../../../src/knowledge/ingest/pipeline.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { channel, person, place } from "../../fakes/people.ts";

const tenant = tenantId("t1");
const [alice, bob] = [person("alice"), person("bob")];
const [hall, cellar] = [channel("hall"), channel("cellar")];
const file: FileToAdd = { id: "F01", name: "plan.pdf", person: alice.id, channel: cellar, grants: [personPrincipal(alice.id)] };
const document = documentId("6f9619ff-8b86-4d01-b42d-00cf4fc964ff");

const keyOf = ({ id, person: by }: Pick<AddedFile, "id" | "person">) => `${id} ${by}`;

/** A desk whose files are shared in the cellar, and a list as the database keeps it. */
class DeskBench {
  readonly rows = new Map<string, AddedFile>([[keyOf(file), { ...file }]]);
  readonly documents = new Set<string>();
  readonly said: string[] = [];
  readonly forgotten: string[] = [];
  readonly ingested: string[] = [];
  /** What happens while the file is being read; between it and the look whether it is still listed. */
  meanwhile: () => Promise<unknown> = async () => undefined;
  /** What happens right after somebody has looked up the file in the list. */
  afterFind: () => Promise<unknown> = async () => undefined;
  report: Partial<FileReport> = { status: "added", documentId: document };
  fetched: Partial<SlackFile> = {};
  /** Who is in the cellar. */
  readers = [alice.id];

  /** How people stand at this moment. */
  now: readonly Person[] = [alice, bob];

  readonly files: TenantFiles = {
    list: async () => [...this.rows.values()],
    all: async (id) => [...this.rows.values()].filter((row) => row.id === id),
    find: async (id, by) => {
      const found = this.rows.get(keyOf({ id, person: by }));
      await this.afterFind();
      return found;
    },
    begin: async () => true,
    finish: async (id, by, outcome) => {
      const before = this.rows.get(keyOf({ id, person: by }));
      if (before) this.rows.set(keyOf(before), { ...before, ...outcome });
    },
    remove: async (id, by) => {
      const before = this.rows.get(keyOf({ id, person: by }));
      this.rows.delete(keyOf({ id, person: by }));
      return before;
    },
  };
  readonly desk = new DocumentDesk({
    filesOf: () => this.files,
    personNow: async (_tenant, id) => this.now.find((each) => each.id === id),
    slackOf: async () => ({
      files: {
        find: async (id) => ({
          id,
          name: "plan.pdf",
          bytes: 3,
          kind: "pdf",
          owner: alice.id,
          channels: [cellar],
          version: "1",
          ...this.fetched,
        }),
        download: async () => {
          if (this.fetched.bytes !== undefined) throw new AppError("DOCUMENT_UNREADABLE", "It is larger than 25 MB.");
          return new Uint8Array(3);
        },
      },
      writer: {
        post: async (_channel, _thread, body: BodySource) => {
          this.said.push(body()?.text ?? "");
          return messageTs("1.000001");
        },
        update: async (_channel, _ts, body: BodySource) => {
          this.said.push(body()?.text ?? "");
          return true;
        },
      },
      directory: new MemoryDirectory(
        [alice, bob],
        [place("hall", "public"), place("cellar", "private")],
        new Map([[cellar, this.readers]]),
      ),
    }),
    ingestion: {
      ingest: async (inputs: IngestInputs) => {
        this.ingested.push(...("files" in inputs ? inputs.files.map(({ sourceUri }) => sourceUri) : []));
        if (this.report.documentId) this.documents.add(this.report.documentId);
        await this.meanwhile();
        return [{ path: "plan.pdf", status: "added", passages: 1, ...this.report }];
      },
      remove: async (_tenant, id) => this.documents.delete(id),
      release: async (_tenant, id) => {
        this.documents.delete(id);
        return "gone";
      },
    },
    documentOf: async () => (this.documents.has(document) ? document : undefined),
    forgetQuotes: async (_tenant, id) => void this.forgotten.push(id),
    sourcesLook: async () => undefined,
    log: silentLogger,
  });

  /** Reads the file to its end, whatever that is. */
  async read(added: FileToAdd = file): Promise<void> {
    if (!this.rows.has(keyOf(added))) this.rows.set(keyOf(added), added);
    this.desk.read(tenant, [added]);
    await this.desk.drained();
  }
}

describe("a file that somebody adds", () => {
  test("is read and told about, with who may see it", async () => {
    const bench = new DeskBench();
    await bench.read();
    expect(bench.ingested).toEqual(["slack:F01"]);
    expect(bench.said).toEqual([expect.stringContaining("Reading"), expect.stringContaining("can be found now")]);
    expect(bench.rows.get(keyOf(file))?.document).toEqual({ id: document, passages: 1 });
  });

  test.each<[string, Partial<FileToAdd>, (bench: DeskBench) => void]>([
    ["from a place that its adder does not read", { person: bob.id }, () => undefined],
    ["from a place that its adder has left", {}, (bench) => void bench.readers.splice(0)],
    ["from a place that does not exist", { channel: channel("nowhere") }, () => undefined],
    ["by somebody who does not exist", { person: person("nobody").id }, () => undefined],
    ["too large", {}, (bench) => Object.assign(bench.fetched, { bytes: 1e9 })],
    ["that cannot be understood", {}, (bench) => Object.assign(bench.report, { documentId: undefined, reason: "It is *encrypted*." })],
  ])("%s is not read, and the reason is told", async (_, changes, prepare) => {
    const bench = new DeskBench();
    prepare(bench);
    await bench.read({ ...file, ...changes });
    expect([...bench.documents]).toEqual([]);
    expect(bench.said.at(-1)).toContain("was not added");
    expect([...bench.rows.values()].at(-1)?.failure).toBeDefined();
  });

  test("from a public channel is read for every full member", async () => {
    const bench = new DeskBench();
    await bench.read({ ...file, person: bob.id, channel: hall });
    expect([...bench.documents]).toEqual([document]);
  });

  test("a hostile name does nothing where it is told", async () => {
    const bench = new DeskBench();
    await bench.read({ ...file, name: "<!channel> <@U1> *x* https://evil.example/a.pdf" });
    expect(bench.said.join()).not.toMatch(/<!|<@U1>|(?<!`)https/);
  });
});

describe("a file that is read again", () => {
  const editor: Person = { ...alice, granted: [{ role: "knowledge-editor", until: new Date("2100-01-01") }] };
  const forAll = { ...file, grants: [everyone] };
  test.each<[string, boolean, Person, Partial<FileToAdd>]>([
    ["for the whole workspace by a knowledge editor", true, editor, forAll],
    ["for the whole workspace by an admin", true, { ...alice, role: "admin" }, forAll],
    ["for the whole workspace by who was one of these", false, alice, forAll],
    ["for the whole workspace by an admin, after its adder was one", true, { ...bob, role: "admin" }, { ...forAll, by: bob.id }],
    ["for the whole workspace by another member", false, bob, { ...forAll, by: bob.id }],
    ["for its adder", true, alice, {}],
    ["for its adder, who is a guest now", false, { ...alice, role: "guest" }, {}],
    ["for its adder, whose account was closed", false, { ...alice, deactivated: true }, {}],
  ])("%s: %s", async (_, may, actor, changes) => {
    const bench = new DeskBench();
    bench.now = [actor];
    await bench.read({ ...file, ...changes });
    expect(bench.ingested).toEqual(may ? ["slack:F01"] : []);
    expect(bench.rows.get(keyOf(file))?.failure !== undefined).toBe(!may);
  });

  test("counts as being read until it is, in its own workspace and for its adder alone", async () => {
    const bench = new DeskBench();
    const seen: boolean[] = [];
    const reading = (whose: TenantId, by = alice.id) => bench.desk.isReading(whose, "F01", by);
    bench.meanwhile = async () => void seen.push(reading(tenant), reading(tenantId("t2")), reading(tenant, bob.id));
    await bench.read();
    expect([...seen, reading(tenant)]).toEqual([true, false, false, false]);
  });
});

describe("a file that is deleted in Slack", () => {
  test("takes its document along, and a second delivery finds nothing to do", async () => {
    const bench = new DeskBench();
    await bench.read();
    await bench.desk.deleted(tenant, "F01");
    await bench.desk.deleted(tenant, "F01");
    expect([[...bench.documents], [...bench.rows], bench.forgotten]).toEqual([[], [], ["F01", "F01"]]);
  });

  test("while it is being read leaves nothing behind, and that is told", async () => {
    const bench = new DeskBench();
    bench.meanwhile = () => bench.desk.deleted(tenant, "F01");
    await bench.read();
    expect([[...bench.documents], [...bench.rows]]).toEqual([[], []]);
    expect(bench.said.at(-1)).toContain("is removed");
  });

  test("at the moment in which it has been read leaves nothing behind", async () => {
    const bench = new DeskBench();
    let reading: Promise<void> | undefined;
    bench.afterFind = () => {
      // Once: between the look and the removal it is read to its end.
      bench.afterFind = async () => undefined;
      reading = bench.read();
      return reading;
    };
    await bench.desk.deleted(tenant, "F01");
    await reading;
    expect([[...bench.documents], [...bench.rows]]).toEqual([[], []]);
  });
});
