import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { newId, personId, type TenantId } from "../../../src/core/ids.ts";
import { Secret } from "../../../src/core/secret.ts";
import type { ServerEntry } from "../../../src/plugins/workspace-servers.ts";
import { ExternalToolRepository } from "../../../src/store/repositories/external-tools.ts";
import { LoginRepository } from "../../../src/store/repositories/logins.ts";
import { Sealing } from "../../../src/store/sealing.ts";
import { ownServersOf } from "../../fakes/own-servers.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const sealing = new Sealing({ active: "k1", keys: new Map([["k1", Buffer.alloc(32, 7)]]) });
const header = (secret?: string, name = "Authorization") => ({
  ...({ kind: "header", header: name } as const),
  ...(secret !== undefined && { secret: new Secret(secret) }),
});
const tracker = (more: Partial<ServerEntry> = {}): ServerEntry => ({
  ...{ name: "tracker", title: "Tracker", url: "https://tracker.example/mcp", access: { kind: "open" } },
  ...more,
});

describe.each(testDatabases)("a workspace's own external servers on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    acme = await db.addTenant();
  });

  const by = (actor = "U_ADMIN") => ({ key: newId(), actor });
  const save = (entry: ServerEntry, most = 10) => ownServersOf(db, acme).save(entry, by(), most);
  const secretOf = async (name = "tracker") => {
    const access = (await ownServersOf(db, acme).list()).find((server) => server.name === name)?.access;
    return access?.kind === "header" ? access.secret?.reveal() : undefined;
  };
  const audit = async () =>
    (
      await db.asOwner<{ line: string }>(
        `SELECT concat_ws(' ', actor, action, subject, outcome) AS line FROM audit_log WHERE tenant_id = '${acme}' ORDER BY noted_at, action, subject`,
      )
    ).map(({ line }) => line);

  test("T45: a header's secret lies sealed, is kept by a change without one, and has to be given anew for another host or header", async () => {
    expect(await save(tracker({ access: header() }))).toBe("no-secret");
    expect(await save(tracker({ access: header("canary-1") }))).toBe("added");
    expect(JSON.stringify(await db.asOwner("SELECT workspace_servers::text AS row FROM workspace_servers"))).not.toContain("canary");
    expect(await save(tracker({ title: "Issues", url: "https://tracker.example/v2", access: header() }))).toBe("changed");
    expect(await secretOf()).toBe("canary-1");
    expect(await save(tracker({ url: "https://evil.example/mcp", access: header() }))).toBe("no-secret");
    expect(await save(tracker({ access: header(undefined, "X-Key") }))).toBe("no-secret");
    expect(await secretOf()).toBe("canary-1");
    // Not even by whoever can write into the table: what was sealed for one host opens for no other.
    await db.asOwner(`UPDATE workspace_servers SET url = 'https://evil.example/mcp' WHERE tenant_id = '${acme}'`);
    expect(await secretOf()).toBeUndefined();
    expect(await audit()).toEqual([
      ...["U_ADMIN server-add tracker refused", "U_ADMIN server-add tracker done", "U_ADMIN server-change tracker done"],
      ...["U_ADMIN server-change tracker refused", "U_ADMIN server-change tracker refused"],
    ]);
  });

  test("there are as many as the operator allows, also when two are added at the same moment; changing one is not adding", async () => {
    await save(tracker(), 2);
    const both = await Promise.all(["crm", "wiki"].map((name) => save(tracker({ name }), 2)));
    expect(both.sort()).toEqual(["added", "too-many"]);
    expect(await save(tracker({ title: "Issues" }), 2)).toBe("changed");
    expect(await save(tracker({ title: "Issues" }), 2)).toBe("unchanged");
  });

  test("every change is another revision, and what Slack delivers twice is done once; nobody else's workspace has it", async () => {
    const servers = ownServersOf(db, acme);
    const once = by();
    expect([await servers.save(tracker(), once, 10), await servers.save(tracker({ title: "Other" }), once, 10)]).toEqual(["added", "seen"]);
    const [before] = await servers.list();
    await save(tracker({ title: "Issues" }));
    const [after] = await servers.list();
    expect([before?.title, after?.title, before?.revision === after?.revision]).toEqual(["Tracker", "Issues", false]);
    expect(await ownServersOf(db, await db.addTenant()).list()).toEqual([]);
  });

  const decided = async () => {
    const tools = new ExternalToolRepository(acme, db.database.forTenant(acme));
    const logins = new LoginRepository(acme, db.database.forTenant(acme), sealing);
    const definition = { name: "find", description: "Finds.", inputSchema: {} };
    await tools.offered("tracker", [{ tool: "find", name: "tracker__find", definition, fingerprint: "f".repeat(64) }]);
    await tools.offered("crm", [{ tool: "find", name: "crm__find", definition, fingerprint: "c".repeat(64) }]);
    await tools.approve(new Map([["tracker__find", "f".repeat(64)]]), "read-inside", "U_ADMIN");
    await tools.approve(new Map([["crm__find", "c".repeat(64)]]), "read-inside", "U_ADMIN");
    for (const server of ["tracker", "crm"]) await logins.save(server, personId("U_BOB"), new Secret("token"));
    const left = async () => [(await tools.list()).map(({ name }) => name), await logins.serversOf(personId("U_BOB"))];
    return { left };
  };

  test("a removal takes its approvals and everybody's log-ins there along, each with a line in the audit log; others stay", async () => {
    await save(tracker());
    const { left } = await decided();
    const before = (await audit()).length;
    expect(await ownServersOf(db, acme).remove("tracker", by())).toBe("removed");
    expect(await left()).toEqual([["crm__find"], ["crm"]]);
    expect((await audit()).slice(before)).toEqual([
      ...["U_ADMIN external-revoke tracker__find done", "U_ADMIN login-remove tracker U_BOB done", "U_ADMIN server-remove tracker done"],
    ]);
    expect(await ownServersOf(db, acme).remove("tracker", by())).toBe("unknown");
  });

  test("so does another address or authorization server: what was approved was another server's; another title does not", async () => {
    await save(tracker());
    const { left } = await decided();
    await save(tracker({ title: "Issues" }));
    expect(await left()).toEqual([
      ["crm__find", "tracker__find"],
      ["crm", "tracker"],
    ]);
    await save(tracker({ url: "https://tracker.example/other" }));
    expect(await left()).toEqual([["crm__find"], ["crm"]]);
  });
});
