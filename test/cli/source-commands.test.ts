import { expect, test } from "@jest/globals";
import { commandLine } from "../../src/cli/program.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

async function run(...argv: string[]) {
  const operations = new CannedOperations();
  const printed = { out: "", side: "" };
  const never = () => Promise.reject(new Error("not asked for"));
  const program = commandLine({
    ...{ config: { callerFolder: "/home/ann" }, signal: new AbortController().signal },
    ...{ start: never, migrate: never, doctor: never, manifest: never },
    connect: async () => ({ operations, close: async () => {} }),
    out: { write: (text) => (printed.out += text) },
    side: { write: (text) => (printed.side += text) },
  });
  return { code: await program.run(["source", ...argv]), operations, ...printed };
}

test("a folder is meant from where the command was called, a web address stays as it is", async () => {
  const folder = await run("add", "docs", "--workspace", "acme", "--name", "handbook", "--channel", "people-ops", "--every", "6h");
  expect(folder.operations.addedSources).toEqual([
    { workspace: "acme", name: "handbook", kind: "folder", address: "/home/ann/docs", channel: "people-ops", everyMinutes: 360 },
  ]);
  expect(folder.out).toContain("footnote source sync handbook --workspace acme");
  const site = await run("add", "https://docs.example/guide/", "--workspace", "acme", "--name", "site");
  expect(site.operations.addedSources).toMatchObject([{ kind: "website", address: "https://docs.example/guide/" }]);
});

test.each(["1m", "soon", "6 weeks"])("%s is no time between two runs", async (every) => {
  const { code, side, operations } = await run("add", "docs", "--workspace", "acme", "--name", "x", "--every", every);
  expect(code).toBe(2);
  expect(side).toMatch(/30m, 6h or 1d|shortest time/);
  expect(operations.addedSources).toEqual([]);
});

test("the list says what the last run did, and what could not be read with its reason", async () => {
  const { out } = await run("list", "--workspace", "acme");
  expect(out).toBe(
    [
      "handbook  folder  /srv/handbook  10 documents  every 6h",
      "  2026-11-30 09:30 UTC: 2 added, 1 moved, 7 unchanged, 1 failed (1.2 s)",
      "  not read: scan.pdf: No text was found in it.",
      "",
    ].join("\n"),
  );
});

test("a run says what it did; of an unknown source it says that there is none", async () => {
  expect(await run("sync", "handbook", "--workspace", "acme")).toMatchObject({ code: 0, out: expect.stringContaining("2 added") });
  expect(JSON.parse((await run("sync", "handbook", "--workspace", "acme", "--json")).out)).toMatchObject({ added: 2, status: "partial" });
  expect(await run("sync", "other", "--workspace", "acme")).toMatchObject({
    code: 1,
    side: "There is no such source in this workspace.\n",
  });
});

test("removing says how many documents went with it", async () => {
  expect((await run("remove", "handbook", "--workspace", "acme")).out).toBe("Removed handbook and 3 documents.\n");
});
