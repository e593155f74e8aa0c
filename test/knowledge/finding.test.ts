import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { documentId, newId, passageId, personId, type TenantId } from "../../src/core/ids.ts";
import { everyone, personPrincipal } from "../../src/core/principal.ts";
import type { DocumentFilter, TenantLibrary } from "../../src/knowledge/library.ts";
import { testDatabases } from "../fakes/test-database.ts";
import { type KnowledgeFixture, openKnowledge } from "./knowledge-fixture.ts";

const { signal } = new AbortController();

describe.each(testDatabases)("finding by words (%s)", (kind) => {
  let knowledge: KnowledgeFixture;
  let tenant: TenantId;
  let other: TenantId;
  let library: TenantLibrary;
  const alice = personPrincipal(personId("UALICE"));

  beforeAll(async () => {
    knowledge = await openKnowledge(kind);
    tenant = await knowledge.test.addTenant();
    other = await knowledge.test.addTenant();
    library = knowledge.library.forTenant(tenant);
    await knowledge.add(tenant, "leave.md", "---\nauthor: Ada Lovelace\n---\n# Leave\n\nParental leave is eighteen weeks for each parent.");
    await knowledge.add(
      tenant,
      "urlaub.md",
      "# Urlaub\n\nDie Beschäftigten haben Anspruch auf Urlaub und müssen den Antrag bei ihrer Leitung stellen.",
    );
    await knowledge.add(tenant, "thai.md", "# ลา\n\nพนักงานมีสิทธิลาพักร้อนสิบวันต่อปี");
    await knowledge.add(tenant, "secret.md", "# Secret\n\nThe quokka project begins in May.", [alice]);
    await knowledge.add(other, "zebra.md", "# Zebra\n\nThe marker is ZEBRA-42 and parental leave is unlimited.");
  });
  afterAll(() => knowledge.test.close());

  const found = async (query: string, filter?: DocumentFilter, principals = [everyone]) =>
    (await library.fullText(query, { principals, limit: 10, signal, ...(filter && { filter }) })).hits.map(({ title }) => title);

  test.each([
    ["a mistyped word", "parrental laeve", "Leave"],
    ["another ending in German", "Ansprüche der Beschäftigte", "Urlaub"],
    ["two words written as one", "Urlaubsantrag", "Urlaub"],
    ["Thai, which has no spaces", "ลาพักร้อน", "ลา"],
  ])("%s is found", async (_what, query, title) => expect((await found(query))[0]).toBe(title));

  test("respelling tells nothing of what may not be seen", async () => {
    expect(await found("qoukka", undefined, [everyone, alice])).toEqual(["Secret"]);
    expect(await found("qoukka")).toEqual([]);
  });

  test.each<[string, DocumentFilter, string[]]>([
    ["its source", { source: "LEAVE.md" }, ["Leave"]],
    ["another source", { source: "urlaub" }, []],
    ["its format", { formats: ["markdown"] }, ["Leave"]],
    ["another format", { formats: ["pdf", "docx"] }, []],
    ["days with it", { from: new Date("2020-01-01"), before: new Date("2100-01-01") }, ["Leave"]],
    ["days before it", { before: new Date("2020-01-01") }, []],
    ["a person of whom nothing is known", { person: "alice" }, []],
    ["whoever wrote it, as it says itself", { person: "lovelace" }, ["Leave"]],
  ])("narrowed to %s", async (_what, filter, expected) => {
    for (const search of ["fullText", "hybrid"] as const) {
      const { hits } = await library[search]("parental leave weeks", { principals: [everyone], limit: 10, signal, filter });
      expect(hits.map(({ title }) => title)).toEqual(expected);
    }
  });

  test("a filter never widens what may be seen", async () => {
    expect(await found("quokka", { source: "secret" })).toEqual([]);
    expect(await found("quokka", { source: "secret" }, [alice])).toEqual(["Secret"]);
  });

  test("H5-PRM-03: no way to ask gives another workspace's text; no ids and foreign ids find nothing", async () => {
    const foreign = await knowledge.library.forTenant(other).fullText("zebra", { principals: [everyone], limit: 10, signal });
    const [hit] = foreign.hits;
    if (!hit) throw new Error("the other workspace should find its own");
    for (const principals of [[everyone], [everyone, alice], []]) {
      for (const search of ["semantic", "fullText", "hybrid"] as const)
        expect(JSON.stringify(await library[search]("marker ZEBRA-42", { principals, limit: 50, signal }))).not.toContain("ZEBRA-42 and");
      for (const id of [hit.passageId, passageId(newId())])
        expect(await library.context({ passage: id, before: 5, after: 5 }, { principals })).toBeUndefined();
      for (const id of [hit.documentId, documentId(newId())])
        expect(await library.context({ document: id, fromPage: 1, toPage: 9 }, { principals })).toBeUndefined();
    }
    const { passages } = knowledge.storage.forTenant(tenant);
    expect(await passages.read([], [everyone])).toEqual([]);
    expect(await passages.read([hit.passageId], [everyone])).toEqual([]);
    expect(await passages.byTerms([], [everyone], 10)).toEqual({ candidates: [], words: [] });
  });
});
