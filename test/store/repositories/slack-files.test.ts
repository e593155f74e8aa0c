import type { TraceRecord } from "../../../src/agent/trace.ts";
import { channelId, documentId, newId, personId, type TenantId, traceId } from "../../../src/core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../../src/core/principal.ts";
import { DocumentRepository } from "../../../src/store/repositories/documents.ts";
import { SlackFileRepository } from "../../../src/store/repositories/slack-files.ts";
import { TraceRepository } from "../../../src/store/repositories/traces.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const adder = personId("U1");
const [own, other, hall] = [personPrincipal(adder), "person:U2", "channel:C1"] as const;
const file = { id: "F01", name: "plan.pdf", person: adder, channel: channelId("C1"), grants: [own] as readonly Principal[] };

describe.each(testDatabases)("files from Slack on the %s database", (kind) => {
  let test: TestDatabase;
  let tenant: TenantId;
  let files: SlackFileRepository;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    tenant = await test.addTenant();
    files = new SlackFileRepository(tenant, test.database.forTenant(tenant));
  });

  /** A document that was read from the file, of which the list knows nothing yet. */
  async function stored(grants: readonly string[] = [], whose: TenantId = tenant): Promise<string> {
    const id = newId();
    await test.asOwner(
      `INSERT INTO documents (tenant_id, id, title, source_uri, content_hash, recipe, format, passage_count, term_count, token_count, ingested_at)
       VALUES ('${whose}', '${id}', 'Plan', 'slack:F01', 'h', '5', 'pdf', 7, 1, 1, now())`,
    );
    await test.asOwner(
      `INSERT INTO document_holders (tenant_id, document_id, holder, grants) VALUES ('${whose}', '${id}', '${own}', '{${grants.join(",")}}')`,
    );
    for (const grant of grants)
      await test.asOwner(`INSERT INTO document_grants (tenant_id, document_id, principal) VALUES ('${whose}', '${id}', '${grant}')`);
    return id;
  }
  const begin = (grants: readonly Principal[]) => files.begin({ key: newId(), attempts: [] }, { ...file, grants });
  const removal = { actor: "slack", action: "document-remove", subject: "F01" } as const;

  it.each<[string, readonly string[], readonly Principal[], readonly string[]]>([
    ["fewer people", [own, other, hall], [own], [own]],
    ["its adder instead of everybody", [everyone], [own], [own]],
    ["a channel, in which guests may be, instead of everybody", [everyone], [hall, own], [own]],
    ["others", [own, other], [own, hall], [own]],
    ["nobody of before", [other], [own], []],
    ["more people", [own], [own, hall], [own]],
    ["everybody", [own], [everyone, own], [own]],
    ["the same", [everyone], [everyone], [everyone]],
  ])("that are added again for %s lose readers at once, and win none before they are read", async (_, before, asked, after) => {
    const id = await stored(before);
    await begin(asked);
    const rows = await test.asOwner<{ principal: string }>(`SELECT principal FROM document_grants WHERE document_id = '${id}'`);
    expect(rows.map(({ principal }) => principal).sort()).toEqual([...after].sort());
  });

  it("that are added again for fewer while they are read for more are not left to the more", async () => {
    await begin([own]);
    const id = await stored([own, hall]);
    await files.finish("F01", adder, { document: { id: documentId(id), passages: 7 } });
    const rows = await test.asOwner<{ principal: string }>(`SELECT principal FROM document_grants WHERE document_id = '${id}'`);
    expect(rows.map(({ principal }) => principal)).toEqual([own]);
  });

  it("know their document although the program stopped before that was noted, also when they are removed", async () => {
    await begin([own]);
    expect((await files.find("F01", adder))?.document).toBeUndefined();
    const others = await test.addTenant();
    await stored([own], others);
    expect((await files.find("F01", adder))?.document).toBeUndefined();
    const document = { id: await stored([own]), passages: 7 };
    expect([(await files.find("F01", adder))?.document, (await files.list())[0]?.document]).toEqual([document, document]);
    expect((await files.remove("F01", adder, removal))?.document).toEqual(document);
  });

  it("that several have added: each decides for their own readers alone, and what one takes out stays for the others'", async () => {
    const id = await stored([own, hall]);
    const bob = personId("U2");
    const documents = new DocumentRepository(test.database.forTenant(tenant), tenant);
    const readers = async () =>
      (await test.asOwner<{ principal: string }>(`SELECT principal FROM document_grants WHERE document_id = '${id}' ORDER BY 1`)).map(
        ({ principal }) => principal,
      );
    await begin([own, hall]);
    await files.begin({ key: newId(), attempts: [] }, { ...file, person: bob, grants: [other, hall] });
    expect(await readers()).toEqual([hall, own]);
    await documents.setGrants(documentId(id), [other, hall], personPrincipal(bob));
    expect(await readers()).toEqual([hall, own, other]);
    await begin([own]);
    expect(await readers()).toEqual([hall, own, other]);
    expect([(await files.list(adder)).length, (await files.all("F01")).length]).toEqual([1, 2]);
    expect(await documents.release(documentId(id), personPrincipal(bob))).toBe("held");
    expect(await readers()).toEqual([own]);
    expect(await documents.release(documentId(id), personPrincipal(adder))).toBe("gone");
    expect(await documents.findBySource("slack:F01")).toBeUndefined();
  });

  it("that were deleted in Slack are not quoted by stored traces any more; other quotes stay", async () => {
    const traces = new TraceRepository(test.database.forTenant(tenant), tenant);
    const quote = (n: number, of: string) => ({ n, id: of, relevance: 1, title: "plan.pdf", passage: "The word is marigold." });
    const trace: TraceRecord = {
      ...{ id: traceId(newId()), person: adder, channel: file.channel, startedAt: new Date(0), ms: 1, status: "answered" },
      ...{
        inputTokens: 1,
        outputTokens: 1,
        entries: [],
        cited: [quote(1, "F01 0"), quote(2, "F01 12"), quote(3, "F012 0"), quote(4, "web")],
      },
    };
    await traces.save(trace);
    await traces.forgetFile("F01");
    expect((await traces.find(trace.id))?.cited?.map(({ n }) => n)).toEqual([3, 4]);
    await traces.forgetFile("F012");
    expect((await traces.find(trace.id))?.cited?.map(({ n }) => n)).toEqual([4]);
  });
});
