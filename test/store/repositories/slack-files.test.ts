import { channelId, documentId, newId, personId, type TenantId } from "../../../src/core/ids.ts";
import { everyone, type Principal, personPrincipal } from "../../../src/core/principal.ts";
import { SlackFileRepository } from "../../../src/store/repositories/slack-files.ts";
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
});
