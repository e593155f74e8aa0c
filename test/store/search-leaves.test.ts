import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { channelId, messageTs, personId, type TenantId } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import { SearchLeaveRepository } from "../../src/store/repositories/search-leaves.ts";
import { ToolChoiceRepository } from "../../src/store/repositories/tool-choices.ts";
import { Sealing } from "../../src/store/sealing.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const keptMs = 600_000;
const message = { channel: channelId("C1"), ts: messageTs("1.1"), person: personId("U_ALICE") };

describe.each(testDatabases)("Slack's leave to search, on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  let globex: TenantId;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    acme = await db.addTenant("acme");
    globex = await db.addTenant("globex");
    await new ToolChoiceRepository(acme, db.database.forTenant(acme), []).flag("slack-search", true, "operator");
  });
  afterAll(() => db.close());

  const sealing = new Sealing({ active: "k1", keys: new Map([["k1", Buffer.alloc(32, 7)]]) });
  const leavesOf = (tenant: TenantId) => new SearchLeaveRepository(tenant, db.database.forTenant(tenant), sealing);
  const rows = async () => JSON.stringify(await db.asOwner("SELECT search_leaves::text AS row FROM search_leaves"));

  test("T08: is for one message, its author and their workspace, and lies sealed in the database", async () => {
    await leavesOf(acme).keep(message, new Secret("leave-canary"), "slack-search", keptMs);
    expect((await leavesOf(acme).find(message))?.reveal()).toBe("leave-canary");
    for (const other of [{ person: personId("U_BOB") }, { ts: messageTs("1.2") }, { channel: channelId("C2") }])
      expect(await leavesOf(acme).find({ ...message, ...other })).toBeUndefined();
    expect(await leavesOf(globex).find(message)).toBeUndefined();
    expect(await rows()).not.toContain("canary");
  });

  test("is not kept at all where the search is not released", async () => {
    await leavesOf(globex).keep(message, new Secret("leave-canary"), "slack-search", keptMs);
    expect(await rows()).not.toContain(globex);
  });

  test("runs out, and is gone with the next one", async () => {
    const late = { ...message, ts: messageTs("2.1") };
    await leavesOf(acme).keep(late, new Secret("leave-canary"), "slack-search", -1);
    expect(await leavesOf(acme).find(late)).toBeUndefined();
    await leavesOf(acme).keep({ ...message, ts: messageTs("3.1") }, new Secret("leave-canary"), "slack-search", keptMs);
    expect(await rows()).not.toContain(`C1,${late.ts},`);
    expect(await rows()).toContain("C1,3.1,");
  });
});
