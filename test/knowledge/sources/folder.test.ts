import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { everyone, personPrincipal } from "../../../src/core/principal.ts";
import { folderSource } from "../../../src/knowledge/sources/folder.ts";
import type { StoredSource } from "../../../src/knowledge/sources/source-store.ts";
import { syncSource } from "../../../src/knowledge/sources/sync-source.ts";
import { person } from "../../fakes/people.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { openSources, type SourceFixture } from "./source-fixture.ts";

describe.each(testDatabases)("a folder as a source (%s)", (kind) => {
  let at: SourceFixture;
  let folder: string;
  let tenant: TenantId;
  let source: StoredSource;
  beforeAll(async () => {
    at = await openSources(kind, () => folderSource(folder));
  });
  afterAll(() => at.test.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "footnote-source-"));
    tenant = await at.test.addTenant();
    source = await at.addSource(tenant);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  const sync = (options = {}) => at.sync(tenant, source, options);

  test("what is new is added, what changed is replaced, what is gone is removed, and the rest is left alone", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    await write("people/pay.md", "# Pay\n\nOn the 25th.");
    await write("dogs.md", "# Dogs\n\nWelcome on Fridays.");
    expect(await sync()).toMatchObject({ status: "ok", added: 3, removed: 0 });
    expect(await at.titles(tenant)).toEqual(["Dogs", "Leave", "Pay"]);

    await write("leave.md", "# Leave\n\nTwenty weeks from now on.");
    await rm(join(folder, "dogs.md"));
    const embedded = at.embedder.embedded.length;
    expect(await sync()).toMatchObject({ status: "ok", added: 0, changed: 1, removed: 1, unchanged: 1 });
    expect(await at.titles(tenant)).toEqual(["Leave", "Pay"]);
    expect(at.embedder.embedded.slice(embedded).join()).not.toContain("25th");
    const [left] = await at.test.asOwner<{ count: number }>(
      `SELECT count(*)::int AS count FROM passages WHERE tenant_id = '${tenant}' AND text LIKE '%Fridays%'`,
    );
    expect(left?.count).toBe(0);
  });

  test("a second run over the same files reads and embeds nothing", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    await sync();
    const embedded = at.embedder.embedded.length;
    expect(await sync()).toMatchObject({ status: "ok", unchanged: 1, added: 0, changed: 0 });
    expect(at.embedder.embedded.length).toBe(embedded);
  });

  test("a file that was moved keeps its document, its links and its vectors", async () => {
    await write("old/leave.md", "# Leave\n\nEighteen weeks.");
    await sync();
    const before = await at.rowsOf(tenant).items(source.id);
    await mkdir(join(folder, "new"));
    await rename(join(folder, "old/leave.md"), join(folder, "new/parental.md"));
    const embedded = at.embedder.embedded.length;
    expect(await sync()).toMatchObject({ status: "ok", moved: 1, added: 0, removed: 0 });
    expect(at.embedder.embedded.length).toBe(embedded);
    const after = await at.rowsOf(tenant).items(source.id);
    expect(after).toMatchObject([{ uri: "new/parental.md", document: before[0]?.document }]);
    await write("new/parental.md", "# Leave\n\nTwenty weeks.");
    expect(await sync()).toMatchObject({ changed: 1, added: 0 });
    expect((await at.rowsOf(tenant).items(source.id))[0]?.document).toBe(before[0]?.document);
  });

  test("a file that is moved to where an unreadable one stood takes its place", async () => {
    await write("a.md", "# Leave\n\nEighteen weeks.");
    await write("b.md", "");
    expect(await sync()).toMatchObject({ added: 1, failed: 1 });
    await rename(join(folder, "a.md"), join(folder, "b.md"));
    expect(await sync()).toMatchObject({ status: "ok", moved: 1, removed: 0 });
    expect(await sync()).toMatchObject({ status: "ok", unchanged: 1 });
  });

  test("a folder that is away is not taken for an empty one", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    await sync();
    await rename(folder, `${folder}-away`);
    expect(await sync()).toMatchObject({ status: "failed", removed: 0, notes: [expect.stringContaining("Nothing was changed")] });
    expect(await at.titles(tenant)).toEqual(["Leave"]);
    await rename(`${folder}-away`, folder);
    expect(await sync()).toMatchObject({ status: "ok", unchanged: 1 });
  });

  test("when most of it is gone at once, it is kept until somebody says that it is meant", async () => {
    for (let count = 0; count < 12; count++) await write(`${count}.md`, `# Page ${count}\n\nText ${count}.`);
    await sync();
    for (let count = 0; count < 11; count++) await rm(join(folder, `${count}.md`));
    const kept = await sync();
    expect(kept).toMatchObject({ status: "partial", removed: 0, notes: [expect.stringContaining("11 of 12 documents are gone")] });
    expect(await at.titles(tenant)).toHaveLength(12);
    expect(await sync({ removeMany: true })).toMatchObject({ status: "ok", removed: 11 });
    expect(await at.titles(tenant)).toEqual(["Page 11"]);
  });

  test("a file that cannot be read or understood is told with its reason, stays as it was, and is tried again when it changes", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    await write("empty.md", "");
    expect(await sync()).toMatchObject({ status: "partial", added: 1, failed: 1 });
    expect(await at.rowsOf(tenant).items(source.id)).toMatchObject([{ uri: "empty.md", failure: expect.any(String) }, { uri: "leave.md" }]);
    await write("empty.md", "# Not empty\n\nAny more.");
    expect(await sync()).toMatchObject({ status: "ok", added: 1, failed: 0, unchanged: 1 });
    await writeFile(join(folder, "leave.md"), Buffer.alloc(26 * 1024 * 1024, "x"));
    expect(await sync()).toMatchObject({ status: "partial", failed: 1 });
    expect(await at.titles(tenant)).toEqual(["Leave", "Not empty"]);
  });

  test("its documents are for whom the source is for, and for nobody of another workspace", async () => {
    const mine = await at.addSource(tenant, [personPrincipal(person("alice").id)]);
    await write("secret.md", "# Secret\n\nFor Alice.");
    await at.sync(tenant, mine);
    expect(await at.titles(tenant, [everyone])).toEqual([]);
    expect(await at.titles(tenant, [personPrincipal(person("alice").id)])).toEqual(["Secret"]);
    const other = await at.test.addTenant();
    expect(await at.titles(other, [everyone, personPrincipal(person("alice").id)])).toEqual([]);
    expect(await at.rowsOf(other).list()).toEqual([]);
    await expect(at.sync(other, mine)).rejects.toMatchObject({ code: "SOURCE_BUSY" });
  });

  test("a source that takes longer than half an hour gives its place back: what is left is kept, and read the next time", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    await write("pay.md", "# Pay\n\nOn the 25th.");
    await sync();
    await rm(join(folder, "pay.md"));
    let hours = 0;
    const clock = { ...systemClock, monotonic: () => hours++ * 3_600_000 };
    const parts = { ingestion: at.ingestion, rows: at.rowsOf(tenant), clock, log: silentLogger };
    const report = await syncSource(parts, source, folderSource(folder), { tenant, signal: new AbortController().signal });
    expect(report).toMatchObject({ status: "partial", removed: 0, notes: [expect.stringContaining("within half an hour")] });
    expect(await at.titles(tenant)).toEqual(["Leave", "Pay"]);
    expect(await sync()).toMatchObject({ status: "ok", removed: 1 });
    expect(await at.titles(tenant)).toEqual(["Leave"]);
  });

  test("one source is read once at a time, whoever asks", async () => {
    const lease = await at.schedule.claim(tenant, source.id, 60_000);
    await expect(sync()).rejects.toMatchObject({ code: "SOURCE_BUSY" });
    if (lease) await at.schedule.release(lease, false);
    expect(await sync()).toMatchObject({ status: "ok" });
  });

  test("a source is due at once and again after its time; one without a time, and one of a suspended workspace, never", async () => {
    const hourly = await at.addSource(tenant, [everyone], 60);
    const claimed = await at.schedule.claimDue(60_000);
    expect(claimed).toMatchObject({ tenant, source: hourly.id });
    expect(await at.schedule.claimDue(60_000)).toBeUndefined();
    if (claimed) await at.schedule.release(claimed, true);
    expect(await at.schedule.claimDue(60_000)).toBeUndefined();
    await at.test.asOwner(`UPDATE source_schedule SET due_at = now() WHERE source_id = '${hourly.id}'`);
    await at.test.asOwner(`UPDATE tenants SET status = 'suspended' WHERE id = '${tenant}'`);
    expect(await at.schedule.claimDue(60_000)).toBeUndefined();
    await at.test.asOwner(`UPDATE tenants SET status = 'active' WHERE id = '${tenant}'`);
    expect(await at.schedule.claimDue(60_000)).toMatchObject({ source: hourly.id });
    await at.test.asOwner("UPDATE source_schedule SET due_at = NULL, lease_until = NULL");
  });

  test("a run that was broken off is due as before", async () => {
    const hourly = await at.addSource(tenant, [everyone], 60);
    const first = await at.schedule.claimDue(60_000);
    if (first) await at.schedule.release(first, false);
    const again = await at.schedule.claimDue(60_000);
    expect(again).toMatchObject({ source: hourly.id });
    const second = await at.addSource(tenant, [everyone], 60);
    expect(await at.schedule.claimDue(60_000)).toBeUndefined();
    if (again) await at.schedule.release(again, true);
    expect(await at.schedule.claimDue(60_000)).toMatchObject({ source: second.id });
    await at.test.asOwner("UPDATE source_schedule SET due_at = NULL, lease_until = NULL");
  });

  test("the program reads what is due by itself", async () => {
    await write("leave.md", "# Leave\n\nEighteen weeks.");
    const hourly = await at.addSource(tenant, [everyone], 60);
    at.runner.start();
    while (!(await at.rowsOf(tenant).find(hourly.id))?.lastRun) await new Promise((resolve) => setTimeout(resolve, 20));
    await at.runner.stop();
    expect((await at.rowsOf(tenant).find(hourly.id))?.lastRun).toMatchObject({ status: "ok", added: 1 });
    expect(await at.titles(tenant)).toEqual(["Leave"]);
  });
});
