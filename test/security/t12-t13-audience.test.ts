import { describe, expect, test } from "@jest/globals";
import type { Principal } from "../../src/core/principal.ts";
import type { Rights } from "../../src/permissions/audience.ts";
import type { Person, Place } from "../../src/permissions/directory.ts";
import { plugins } from "../../src/plugins/index.ts";
import { MemoryDirectory } from "../fakes/memory-directory.ts";
import { documentIdOf, MemoryLibrary, passageIdOf, type SampleDocument } from "../fakes/memory-library.ts";
import { channel, person, place } from "../fakes/people.ts";
import { servicesWith } from "../fakes/plugin-services.ts";
import { acme, globex } from "../fakes/tool-context.ts";
import { attack, type Step } from "./attacked-agent.ts";

const alice = person("alice", { role: "admin" });
const bob = person("bob");
const gina = person("gina", { role: "guest" });
const stranger = person("stranger", { role: "outsider" });

const general = place("general", "public");
const guested = place("guested", "public", { guests: "some" });
const unknown = place("unknown", "private", { guests: "unknown", outsiders: "unknown" });
const board = place("board", "private");
const connect = place("connect", "public", { outsiders: "some" });
const dm = place("dm", "direct");

const directory = new MemoryDirectory(
  [alice, bob, gina, stranger],
  [general, guested, unknown, board, connect, dm],
  new Map([
    [general.id, [alice.id, bob.id]],
    [guested.id, [alice.id, bob.id, gina.id]],
    [board.id, [alice.id]],
  ]),
);

/** One document per grant, each with a word that appears nowhere else. */
const canaries: Record<string, Principal> = {
  "canary-everyone": "everyone",
  "canary-general": `channel:${general.id}`,
  "canary-guested": `channel:${guested.id}`,
  "canary-unknown": `channel:${unknown.id}`,
  "canary-board": `channel:${board.id}`,
  "canary-connect": `channel:${connect.id}`,
  "canary-alice": `person:${alice.id}`,
  "canary-bob": `person:${bob.id}`,
};
const sample = ([word, grant]: [string, Principal]): SampleDocument => ({
  title: `About ${word}`,
  grants: [grant],
  pages: [`The secret is ${word}`, `More of ${word}`],
});
const foreign = { title: "About canary-globex", grants: ["everyone" as const], pages: ["The secret is canary-globex"] };
const library = new MemoryLibrary().add(acme, ...Object.entries(canaries).map(sample)).add(globex, foreign);

/** A model that tries every tool, with every id there is. */
const titles = [...Object.keys(canaries), "canary-globex"].map((word) => `About ${word}`);
const searches: Step = [
  { name: "query_documents", params: { query: "secret", limit: 20 } },
  { name: "document_full_text_search", params: { query: "secret", limit: 20 } },
  { name: "list_documents", params: {} },
];
const byPassage: Step = titles.map((title) => ({ name: "get_document_context", params: { passage_id: passageIdOf(title, 1) } }));
const byDocument: Step = titles.map((title) => ({ name: "get_document_context", params: { document_id: documentIdOf(title) } }));

async function seen(who: Person, where: Place, rights?: Rights) {
  const parts = { plugins: plugins(servicesWith(library)), directory, person: who, place: where, ...(rights && { rights }) };
  const outcomes = [await attack({ ...parts, steps: [searches, byPassage] }), await attack({ ...parts, steps: [byDocument] })];
  const told = outcomes.map(({ prompt, answer }) => prompt + JSON.stringify(answer)).join("");
  return [...Object.keys(canaries), "canary-globex"].filter((word) => told.includes(word));
}

describe("T12, T13: whatever the model calls, it is told only what every reader of the answer may read", () => {
  test.each<[rule: string, who: Person, where: Place, may: string[]]>([
    ["in a channel of members: the workspace's and the channel's", bob, general, ["canary-everyone", "canary-general"]],
    ["an admin's private documents stay out of a channel", alice, general, ["canary-everyone", "canary-general"]],
    ["in a private channel: its own too", alice, board, ["canary-everyone", "canary-board"]],
    ["with a guest present: the channel's only", bob, guested, ["canary-guested"]],
    ["a guest who asks: the channel's only", gina, guested, ["canary-guested"]],
    ["with readers unknown: the channel's only", bob, unknown, ["canary-unknown"]],
    ["with another organisation present: nothing", bob, connect, []],
    ["an outsider who asks: nothing", stranger, connect, []],
    ["an outsider who asks elsewhere: nothing", stranger, general, []],
    [
      "in alice's direct message: all that alice may read",
      alice,
      dm,
      ["canary-everyone", "canary-general", "canary-guested", "canary-board", "canary-alice"],
    ],
    ["in bob's direct message: all that bob may read", bob, dm, ["canary-everyone", "canary-general", "canary-guested", "canary-bob"]],
    ["in a guest's direct message: her channels only", gina, dm, ["canary-guested"]],
  ])("%s", async (_, who, where, may) => expect(await seen(who, where)).toEqual(may));

  test.each<[rule: string, who: Person, where: Place, may: string[]]>([
    ["of members: all that the asker may read", bob, general, ["canary-everyone", "canary-general", "canary-guested", "canary-bob"]],
    [
      "of members, an admin asks: all that the admin may read, and no more",
      alice,
      board,
      ["canary-everyone", "canary-general", "canary-guested", "canary-board", "canary-alice"],
    ],
    ["with a guest present: the channel's only", bob, guested, ["canary-guested"]],
    ["in which a guest asks: the channel's only", gina, general, ["canary-general"]],
    ["with readers unknown: the channel's only", bob, unknown, ["canary-unknown"]],
    ["with another organisation present: nothing", bob, connect, []],
    ["in which an outsider asks: nothing", stranger, general, []],
  ])("in a channel that an admin has set to the asker's rights, %s", async (_, who, where, may) =>
    expect(await seen(who, where, "asker")).toEqual(may),
  );

  test("an outsider's question is refused before a model is called", async () => {
    const { answer, offered } = await attack({
      plugins: plugins(servicesWith(library)),
      directory,
      person: stranger,
      place: connect,
      steps: [searches],
    });
    expect([answer.error?.code, offered]).toEqual(["PERSON_IS_OUTSIDER", []]);
  });
});

test("T16: what is hidden leaves no trace in what the model is told", async () => {
  const told = async (documents: MemoryLibrary) => {
    const steps = [searches, byPassage];
    return (await attack({ plugins: plugins(servicesWith(documents)), directory, person: bob, place: general, steps })).prompt;
  };
  const visible = Object.entries(canaries).filter(([, grant]) => ["everyone", `channel:${channel("general")}`].includes(grant));
  expect(await told(library)).toBe(await told(new MemoryLibrary().add(acme, ...visible.map(sample))));
});
