import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { german } from "../../../../src/bot/documents/reasons/words.ts";
import { documentId, newId, type PersonId } from "../../../../src/core/ids.ts";
import { channelPrincipal, everyone } from "../../../../src/core/principal.ts";
import { SourceRepository } from "../../../../src/store/repositories/sources.ts";
import { admin, Bench, cellar, hall, identities, member, owner, wordsOf } from "../../surfaces/surface-bench.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open("embedded");
});
afterAll(() => bench.db.close());
beforeEach(() => bench.reset());

const rows = () => new SourceRepository(bench.db.database.forTenant(bench.tenant), bench.tenant);
const sources = async () =>
  (await rows().list()).map(({ name, kind, address, grants, everyMinutes }) => [name, kind, address, ...grants, everyMinutes]);
const send = (who: { readonly id: PersonId }, channel: string) =>
  bench.submit(who, "source_follow", {
    entered: new Map([
      ["channel", channel],
      ["every", "60"],
    ]),
    view: { id: "V1", hash: "h", kind: "modal", metadata: "" },
  });
const home = async (who: { readonly id: PersonId }) => {
  bench.surface.homeOpened(bench.tenant, who.id);
  await bench.surface.drained();
  return wordsOf(bench.shown.at(-1)?.view);
};

describe("who has a channel's files followed", () => {
  test.each(identities.map((who, index) => [who.name, "ynnnnn"[index] === "y" || who === admin, who] as const))(
    "the %s: %s",
    async (_, may, who) => {
      await send(who, hall);
      expect(await sources()).toEqual(may ? [["hall", "slack", hall, channelPrincipal(hall), 60]] : []);
      expect(bench.sourcesRead).toHaveLength(may ? 1 : 0);
    },
  );

  test("nobody for a channel that they do not read, whatever their role; that is noted", async () => {
    expect(await send(admin, cellar)).toContain("This is not yours to change.");
    expect([await sources(), await bench.audit()]).toEqual([[], [`${admin.id} source-add ${cellar} ${cellar} refused`]]);
  });

  test("a channel is followed once, and offered no longer", async () => {
    expect(await bench.click(admin, "source_new", {})).toContain("#hall");
    await send(admin, hall);
    expect(await send(owner, hall)).toContain("followed already");
    expect(await sources()).toHaveLength(1);
    expect(await bench.click(admin, "source_new", {})).not.toContain("#hall");
  });

  test("a form without a channel stays open and says so", async () => {
    expect(await send(admin, "")).toEqual({ channel: "Choose a channel" });
  });
});

describe("sources in App Home", () => {
  const failure = "plan.pdf: The document cannot be read. It is protected by a password. Save it without one and add it again.";
  const add = async (name: string, address: string) => {
    const source = await rows().add({ name, kind: "slack", address, grants: [`channel:${address}`], everyMinutes: 360 });
    await rows().keep(source.id, { uri: "F01", document: documentId(newId()) });
    await rows().keep(source.id, { uri: "F02", failure });
    return source;
  };

  test("are shown to who may decide about documents and reads them: counts, the last run, what is not read and why, in their language", async () => {
    const { id } = await add("hall", hall);
    await add("cellar", cellar);
    await rows().finish(id, {
      ...{ startedAt: "2026-11-30T09:30:00Z", ms: 5, status: "partial", notes: [] },
      ...{ added: 1, changed: 0, moved: 0, removed: 0, unchanged: 0, failed: 1 },
    });
    const seen = await home(admin);
    expect(seen).toMatch(/Sources that are kept current\* \(1\)/);
    expect(seen).toMatch(/<#C_HALL>\n1 document · 1 not read · read .* · every 6 h/);
    expect(seen).not.toContain("C_CELLAR");
    expect(await home(member)).not.toContain("Sources that are kept current");
    const opened = await bench.click(admin, "source_open", { value: id });
    expect(opened).toContain("1 new, 1 not read");
    expect(opened).toContain("`plan.pdf`: The document cannot be read. It is protected by a password.");
  });

  test("are read and ended by these alone; a source that one does not read behaves like none; the operator's own are not ended here", async () => {
    const [mine, hidden] = [await add("hall", hall), await add("cellar", cellar)];
    const folder = await rows().add({ name: "handbook", kind: "folder", address: "/srv/secret-path", grants: [everyone] });
    expect(await bench.click(admin, "source_open", { value: folder.id })).not.toContain("secret-path");
    for (const [who, id] of [
      [member, mine.id],
      [admin, hidden.id],
      [admin, newId()],
      [admin, "x"],
    ] as const) {
      for (const action of ["source_open", "source_read", "source_remove"])
        await bench.click(who, action, { value: id, view: { id: "V1", hash: "h", kind: "modal", metadata: "" } });
    }
    await bench.click(admin, "source_remove", { value: folder.id, view: bench.top });
    expect([bench.sourcesRead, (await sources()).length]).toEqual([[], 3]);
    await bench.click(admin, "source_open", { value: mine.id });
    await bench.click(admin, "source_read", { value: mine.id, view: bench.top });
    expect(bench.sourcesRead).toEqual([mine.id]);
    expect(await bench.click(admin, "source_remove", { value: mine.id, view: bench.top })).toContain("3 documents were taken out");
    expect((await sources()).map(([name]) => name)).toEqual(["cellar", "handbook"]);
  });
});

test("what is told of a file is German for German readers, sentence by sentence, behind the file's name too", () => {
  expect(german.of("plan.pdf: The document cannot be read. It is protected by a password. Save it without one and add it again.")).toBe(
    "plan.pdf: Das Dokument lässt sich nicht lesen. Sie ist durch ein Passwort geschützt. Speichere sie ohne und füge sie wieder hinzu.",
  );
  expect(german.of("It is 30 MiB large, the limit is 25 MiB: split it.")).toBe(
    "Sie ist 30 MiB groß, die Grenze liegt bei 25 MiB: Teile sie auf.",
  );
  expect(german.of("Something else: nobody knows it.")).toBe("Something else: nobody knows it.");
});
