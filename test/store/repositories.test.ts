import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { InstallationFinder } from "../../src/bot/workspace/find-installation.ts";
import { channelId, messageTs, personId } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import { Sealing } from "../../src/store/sealing.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const tools = ["query_documents", "web_search"];
const installation = (token: string) => ({
  botUserId: "UBOT",
  botId: "BBOT",
  appId: "A1",
  token: new Secret(token),
  scopes: ["chat:write", "app_mentions:read"],
  installedAt: new Date("2026-11-30T12:00:00Z"),
});

describe.each(testDatabases)("the store on the %s database", (kind) => {
  let db: TestDatabase;
  let store: Store;
  /** Looks installations up as the program does. */
  const finder = () =>
    new InstallationFinder({
      tenants: store.tenants,
      current: (tenant) => store.forTenant(tenant).installation.find(),
      admit: async () => undefined,
    });
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    store = createStore(db.database, new Sealing({ active: "old", keys: new Map([["old", oldKey]]) }), tools);
  });
  afterAll(() => db.close());

  describe("workspaces", () => {
    test("one that is added twice at once is one tenant", async () => {
      const added = await Promise.all(Array.from({ length: 8 }, () => store.tenants.save({ slackTeamId: "T1", name: "acme" })));
      expect(new Set(added.map(({ id }) => id)).size).toBe(1);
      expect(await store.tenants.byTeam("T1")).toEqual(await store.tenants.byName("acme"));
    });

    test("two cannot have one name", async () => {
      await store.tenants.save({ slackTeamId: "T2", name: "globex" });
      await expect(store.tenants.save({ slackTeamId: "T3", name: "globex" })).rejects.toMatchObject({ code: "WORKSPACE_NAME_TAKEN" });
      expect(await store.tenants.byTeam("T3")).toBeUndefined();
    });

    test("are listed by name", async () => {
      await store.tenants.save({ slackTeamId: "T0", name: "aardvark", slackEnterpriseId: "E1" });
      const [first] = await store.tenants.list();
      expect(first).toMatchObject({ name: "aardvark", slackTeamId: "T0", slackEnterpriseId: "E1", status: "active" });
    });
  });

  describe("installations", () => {
    test("an event finds its workspace's token, and no token lies open in the database", async () => {
      const tenant = await store.tenants.save({ slackTeamId: "T10", name: "ten" });
      await store.forTenant(tenant.id).installation.save(installation("xoxb-canary-10"));
      const found = await finder().byTeam("T10");
      expect(found).toMatchObject({ tenant: tenant.id, teamId: "T10", appId: "A1", botUserId: "UBOT" });
      expect(found?.token.reveal()).toBe("xoxb-canary-10");
      const rows = await db.asOwner("SELECT installations::text AS text FROM installations");
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain("canary");
    });

    test("a workspace that comes by itself is not given a name to which the operator has promised something; another name it is", async () => {
      const { tenants } = createStore(db.database, new Sealing({ active: "old", keys: new Map([["old", oldKey]]) }), tools, ["promised"]);
      const stranger = await tenants.admit({ kind: "workspace", slackTeamId: "T77", name: "promised" });
      expect(stranger.name).toBe("promised (T77)");
      expect((await tenants.admit({ kind: "workspace", slackTeamId: "T78", name: "free" })).name).toBe("free");
      expect((await tenants.save({ slackTeamId: "T79", name: "promised" })).name).toBe("promised");
    });

    test("one whose token could not be renewed is due to be deleted like one that left, and not any more once it is back", async () => {
      const tenant = await store.tenants.save({ slackTeamId: "T80", name: "eighty" });
      const since = () => db.asOwner<{ at: Date | null }>(`SELECT suspended_at AS at FROM tenants WHERE id = '${tenant.id}'`);
      await store.tenants.setStatus(tenant.id, "suspended", "Slack did not renew its token.");
      expect((await since())[0]?.at).not.toBeNull();
      await store.tenants.setStatus(tenant.id, "active");
      expect((await since())[0]?.at).toBeNull();
    });

    test("a workspace that is suspended or unknown has none", async () => {
      const tenant = await store.tenants.save({ slackTeamId: "T11", name: "eleven" });
      await store.forTenant(tenant.id).installation.save(installation("xoxb-11"));
      expect(await finder().byTeam("T11")).toBeDefined();
      await store.tenants.setStatus(tenant.id, "suspended");
      expect(await finder().byTeam("T11")).toBeUndefined();
      expect(await finder().byTeam("T-unknown")).toBeUndefined();
    });

    test("a token that is copied into another workspace's row is an error, not another token", async () => {
      const [a, b] = [
        await store.tenants.save({ slackTeamId: "T12", name: "a12" }),
        await store.tenants.save({ slackTeamId: "T13", name: "b13" }),
      ];
      await store.forTenant(a.id).installation.save(installation("xoxb-same"));
      await store.forTenant(b.id).installation.save(installation("xoxb-same"));
      await db.asOwner(`UPDATE installations SET sealed_bot_token =
        (SELECT sealed_bot_token FROM installations WHERE tenant_id = '${a.id}') WHERE tenant_id = '${b.id}'`);
      await expect(store.forTenant(b.id).installation.find()).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
      expect((await store.forTenant(a.id).installation.find())?.token.reveal()).toBe("xoxb-same");
    });

    test("keys are rotated while tokens are read", async () => {
      const { id } = await store.tenants.save({ slackTeamId: "T14", name: "fourteen" });
      await store.forTenant(id).installation.save(installation("xoxb-rotated"));
      const both = new Map([
        ["old", oldKey],
        ["new", newKey],
      ]);
      const rotating = createStore(db.database, new Sealing({ active: "new", keys: both }), tools).forTenant(id).installation;
      const [done] = await Promise.all([rotating.rewrap(), ...Array.from({ length: 20 }, () => rotating.find())]);
      expect(done).toBe(true);
      expect(await rotating.rewrap()).toBe(false);
      const later = createStore(db.database, new Sealing({ active: "new", keys: new Map([["new", newKey]]) }), tools);
      expect((await later.forTenant(id).installation.find())?.token.reveal()).toBe("xoxb-rotated");
    });

    test("what renews a token is sealed like the token itself, for its own column, and re-wrapped with it", async () => {
      const { id } = await store.tenants.save({ slackTeamId: "T16", name: "sixteen" });
      const rotation = { refreshToken: new Secret("xoxe-canary-16"), expiresAt: new Date("2026-11-30T23:00:00Z") };
      await store.forTenant(id).installation.save({ ...installation("xoxb-canary-16"), rotation, installedBy: "U16" });
      const found = await store.forTenant(id).installation.find();
      expect(found).toMatchObject({ installedBy: "U16", rotation: { expiresAt: rotation.expiresAt } });
      expect(found?.rotation?.refreshToken.reveal()).toBe("xoxe-canary-16");
      expect(JSON.stringify(await db.asOwner("SELECT installations::text AS text FROM installations"))).not.toContain("canary");

      const both = new Map([...[["old", oldKey] as const], ["new", newKey] as const]);
      expect(
        await createStore(db.database, new Sealing({ active: "new", keys: both }), tools)
          .forTenant(id)
          .installation.rewrap(),
      ).toBe(true);
      const later = createStore(db.database, new Sealing({ active: "new", keys: new Map([["new", newKey]]) }), tools);
      expect((await later.forTenant(id).installation.find())?.rotation?.refreshToken.reveal()).toBe("xoxe-canary-16");

      await db.asOwner(`UPDATE installations SET sealed_bot_token = sealed_refresh_token WHERE tenant_id = '${id}'`);
      await expect(later.forTenant(id).installation.find()).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
    });

    test("removing one destroys its token", async () => {
      const { id } = await store.tenants.save({ slackTeamId: "T15", name: "fifteen" });
      const { installation: saved } = store.forTenant(id);
      await saved.save(installation("xoxb-15"));
      await saved.remove();
      expect(await saved.find()).toBeUndefined();
    });
  });

  describe("tool choices", () => {
    const [channel, person, thread] = [channelId("C1"), personId("U1"), messageTs("1719282819.000100")];

    test("until somebody decides, every registered tool is allowed and none is off", async () => {
      const tenant = await db.addTenant();
      const read = await store.forTenant(tenant).choices.read(channel, person);
      expect([...read.allowed]).toEqual(tools);
      expect([...read.template]).toEqual(tools);
      expect(Object.values(read.switchedOff).map(({ size }) => size)).toEqual([0, 0, 0, 0]);
      expect(read.flags.size + read.leastRole.size).toBe(0);
      // Settings that the operator has made for one workspace are found by its name.
      expect(read.settings).toEqual({ workspace: (await store.tenants.byId(tenant))?.name });
    });

    test("a switch holds in its own scope only", async () => {
      const { choices } = store.forTenant(await db.addTenant());
      await choices.switchOff("web_search", { scope: "channel", channel });
      await choices.switchOff("web_search", { scope: "thread", channel, thread });
      await choices.switchOff("web_search", { scope: "person", person });
      await choices.switchOff("query_documents", { scope: "admin" });
      await choices.switchOff("query_documents", { scope: "admin" });
      const here = (await choices.read(channel, person, thread)).switchedOff;
      expect(here).toEqual({
        admin: new Set(["query_documents"]),
        channel: new Set(["web_search"]),
        thread: new Set(["web_search"]),
        person: new Set(["web_search"]),
      });
      const elsewhere = (await choices.read(channelId("C2"), personId("U2"), thread)).switchedOff;
      expect(elsewhere).toEqual({ admin: new Set(["query_documents"]), channel: new Set(), thread: new Set(), person: new Set() });
      await choices.switchOn("web_search", { scope: "thread", channel, thread });
      expect((await choices.read(channel, person, thread)).switchedOff.thread.size).toBe(0);
      expect((await choices.read(channel, person, thread)).switchedOff.channel.size).toBe(1);
    });

    test("a decision changes what it names and leaves the rest", async () => {
      const { choices } = store.forTenant(await db.addTenant());
      await choices.decide({ allowed: ["web_search"], flags: ["beta"], settings: { region: "eu" } });
      await choices.decide({ leastRoles: { web_search: "admin" } });
      const read = await choices.read(channel, person);
      expect([...read.allowed]).toEqual(["web_search"]);
      expect(read.flags).toEqual(new Set(["beta"]));
      expect(read.settings).toMatchObject({ region: "eu" });
      expect(read.leastRole.get("web_search")).toBe("admin");
      await choices.decide({ allowed: null });
      expect([...(await choices.read(channel, person)).allowed]).toEqual(tools);
    });
  });
});
