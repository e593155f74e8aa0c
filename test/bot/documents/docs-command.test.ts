import { describe, expect, test } from "@jest/globals";
import type { Once } from "../../../src/bot/commands/command-store.ts";
import type { Work } from "../../../src/bot/commands/given.ts";
import { docs } from "../../../src/bot/documents/docs-command.ts";
import type { FileToAdd } from "../../../src/bot/documents/document-desk.ts";
import type { AddedFile } from "../../../src/bot/documents/file-store.ts";
import { english } from "../../../src/bot/words/catalogue.ts";
import { tenantId } from "../../../src/core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../../src/core/principal.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { channel, person } from "../../fakes/people.ts";

const alice = person("alice");
const own = personPrincipal(alice.id);
const editor: Person = { ...alice, granted: [{ role: "knowledge-editor", until: new Date("2100-01-01") }] };
const boss = person("boss", { role: "admin" });

/** The command of that person over a list of one file of alice's. What was begun, read and said. */
async function give(who: Person, verb: "list" | "reindex", grants: readonly Principal[], reading = false) {
  const file: AddedFile = { id: "F01", name: "plan.pdf", person: alice.id, channel: channel("hall"), grants };
  const begun: Once[] = [];
  const read: FileToAdd[] = [];
  const desk = {
    commands: { take: async () => true },
    sources: { list: async () => [], items: async () => [] },
    directory: { channelsOf: async () => [] },
    files: {
      list: async () => [file],
      find: async (_id: string, by: string) => (by === alice.id ? file : undefined),
      all: async () => [file],
      begin: async (once: Once) => begun.push(once) > 0,
    },
  };
  const documents = { isReading: () => reading, read: (_tenant: unknown, files: readonly FileToAdd[]) => void read.push(...files) };
  const given = { tenant: tenantId("t1"), key: "k", person: who.id };
  const work = { given, person: who, desk, parts: { documents }, words: english } as unknown as Work;
  const reply = await docs(work, { kind: "docs", verb, id: "F01" } as Parameters<typeof docs>[1]);
  return { begun: begun.length, read, said: JSON.stringify(reply) };
}

describe("reading a document again", () => {
  test.each<[string, boolean, Person, readonly Principal[]]>([
    ["one that the whole workspace sees, by a knowledge editor", true, editor, [everyone]],
    ["one that the whole workspace sees, by an admin", true, boss, [everyone]],
    ["one that the whole workspace sees, by its adder who was one of these", false, alice, [everyone]],
    ["one's own", true, alice, [own]],
    ["one's own, as a guest by now", false, { ...alice, role: "guest" }, [own]],
  ])("%s: %s", async (_, may, who, grants) => {
    const { begun, read } = await give(who, "reindex", grants);
    expect([begun, read.map(({ by }) => by)]).toEqual(may ? [1, [who.id]] : [0, []]);
  });
});

test("a file whose reading was cut off is not called one that is being read", async () => {
  expect((await give(alice, "list", [own], true)).said).toContain("is being read");
  const { said } = await give(alice, "list", [own]);
  expect(said).toContain("cut off");
  expect(said).not.toContain("is being read");
});

test("several may have added one file: each takes out their own, an admin what is not theirs, and only an admin is told who else there is", async () => {
  const [bob, carol] = [person("bob"), person("carol")];
  const of = (by: Person): AddedFile => ({ id: "F01", name: "plan.pdf", person: by.id, channel: channel("hall"), grants: [own] });
  let rows = [of(alice), of(bob)];
  const desk = {
    commands: { take: async () => true },
    files: {
      find: async (_id: string, by: string) => rows.find((each) => each.person === by),
      all: async () => rows,
    },
  };
  const documents = {
    remove: async (_tenant: unknown, _id: string, adder: string) => {
      rows = rows.filter((each) => each.person !== adder);
      return rows.length > 0 ? "held" : "gone";
    },
  };
  const remove = async (who: Person) => {
    const given = { tenant: tenantId("t1"), key: "k", person: who.id };
    const work = { given, person: who, desk, parts: { documents }, words: english } as unknown as Work;
    return JSON.stringify(await docs(work, { kind: "docs", verb: "remove", id: "F01" }));
  };
  expect(await remove(carol)).toContain("no such document");
  const [first, last] = [await remove(alice), await remove(bob)];
  expect([rows, first]).toEqual([[], last]);
  rows = [of(alice), of(bob)];
  expect(await remove(boss)).toContain("No answer draws on it any more");
  expect(rows).toEqual([]);
});
