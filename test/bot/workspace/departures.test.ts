import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { defaultQueueLimits } from "../../../src/bot/in/inbox.ts";
import { appUninstalled, tokensRevoked } from "../../../src/bot/in/listeners/app-removed.ts";
import type { Delivery, Listener } from "../../../src/bot/in/listeners/listener.ts";
import { type DepartedTenants, Departures, type DeparturesParts } from "../../../src/bot/workspace/departures.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, messageTs, personId, type TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { DepartureRepository } from "../../../src/store/repositories/departures.ts";
import { TenantRepository } from "../../../src/store/repositories/tenants.ts";
import { TurnQueueRepository } from "../../../src/store/repositories/turn-queue.ts";
import { TurnRepository } from "../../../src/store/repositories/turns.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";
import { appendOnlyTables, plant, type Table, tenantTablesOf } from "../../security/catalogue.ts";

/** Secrets with which somebody could act for the workspace or its people go when it is suspended, not later. */
const goneAtOnce: ReadonlySet<string> = new Set(["installations", "server_logins", "login_attempts", "search_leaves"]);

describe.each(testDatabases)("a workspace that leaves, on the %s database", (kind) => {
  let db: TestDatabase;
  let tables: readonly Table[];
  let stored: DepartureRepository;
  let tenants: TenantRepository;
  let acme: TenantId;
  let globex: TenantId;
  const forgotten: TenantId[] = [];
  /** Workspaces by the organisation whose installation they use. */
  const served = new Map<TenantId, readonly TenantId[]>();

  beforeAll(async () => {
    db = await openTestDatabase(kind);
    tables = await tenantTablesOf(db);
    stored = new DepartureRepository(db.database.system, (id) => db.database.forTenant(id));
    tenants = new TenantRepository(db.database.system);
  });
  afterAll(() => db?.close());
  beforeEach(async () => {
    forgotten.length = 0;
    served.clear();
    acme = await db.addTenant();
    globex = await db.addTenant();
    // A row in every table there is, for both.
    for (const table of tables) for (const tenant of [acme, globex]) await plant(db, table, tenant);
    await db.asOwner("UPDATE installations SET installed_at = now() - interval '1 day'");
  });

  const parts = (graceDays = 30): DeparturesParts => ({
    stored,
    tenants: async () => [acme, globex],
    servedBy: async (tenant) => served.get(tenant) ?? [],
    graceDays,
    forget: (tenant) => void forgotten.push(tenant),
    clock: systemClock,
    log: silentLogger,
  });
  const departures = (graceDays?: number) => new Departures(parts(graceDays));
  /** What a process can do that is gone after it has suspended one tenant. */
  const cutAfterOne = () => {
    let left = 1;
    const suspend: DepartedTenants["suspend"] = async (...args) => {
      if (left-- === 0) throw new Error("gone");
      return stored.suspend(...args);
    };
    return { suspend } as DepartedTenants;
  };
  /** Tables in which the tenant still has something. */
  async function holds(tenant: TenantId): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await db.asOwner<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}" WHERE tenant_id = '${tenant}'`);
      if (row && row.n > 0) found.push(name);
    }
    return found;
  }
  /** As Slack says that the app, or its token, is gone. */
  const delivery = (listener: Listener, seconds: number): Delivery => ({
    installation: { tenant: acme, teamId: "T", appId: "A", botUserId: personId("UBOT"), token: new Secret("t") },
    payload: listener === tokensRevoked ? { type: "tokens_revoked", tokens: { oauth: [], bot: ["UBOT"] } } : { type: "app_uninstalled" },
    body: { event_time: seconds },
  });
  const names = () => tables.map(({ name }) => name);
  const statusOf = async (tenant: TenantId) => (await tenants.byId(tenant))?.status;
  const ago = (days: number) => db.asOwner(`UPDATE tenants SET suspended_at = now() - interval '${days} days' WHERE id = '${acme}'`);
  const now = () => systemClock.now();

  test("an organisation takes the workspaces that it served along, and no other; what comes late takes none", async () => {
    const initech = await db.addTenant();
    served.set(initech, [acme]);
    await db.asOwner(`DELETE FROM installations WHERE tenant_id = '${acme}'`);
    await plant(db, tables.find(({ name }) => name === "installations") as Table, initech);
    await db.asOwner(`UPDATE installations SET installed_at = now() - interval '1 hour' WHERE tenant_id = '${initech}'`);
    await departures().left(initech, "It was removed.", new Date(now().getTime() - 2 * 3_600_000));
    expect([await statusOf(initech), await statusOf(acme)]).toEqual(["active", "active"]);
    await departures().left(initech, "It was removed.", now());
    expect([await statusOf(initech), await statusOf(acme), await statusOf(globex)]).toEqual(["suspended", "suspended", "active"]);
    expect(forgotten).toEqual([initech, acme]);
    await departures().remove(initech);
    expect(await holds(acme)).toEqual(appendOnlyTables);
    expect(await holds(globex)).toEqual(names());
  });

  test("an organisation's workspaces are suspended by the repeated delivery when a process ended before it came to them", async () => {
    const initech = await db.addTenant();
    served.set(initech, [acme]);
    await db.asOwner(`DELETE FROM installations WHERE tenant_id = '${acme}'`);
    const at = now();
    const cut = new Departures({ ...parts(), stored: cutAfterOne() });
    await expect(cut.left(initech, "It was removed.", at)).rejects.toThrow("gone");
    expect([await statusOf(initech), await statusOf(acme)]).toEqual(["suspended", "active"]);
    await departures().left(initech, "It was removed.", at);
    expect([await statusOf(initech), await statusOf(acme), await statusOf(globex)]).toEqual(["suspended", "suspended", "active"]);
  });

  test("is suspended at once, its token is destroyed, and whatever works on its questions finds them gone; nobody else notices", async () => {
    const message = { eventId: "E", channel: channelId("C9"), thread: messageTs("1.1"), ts: messageTs("1.1"), person: personId("U1") };
    const queue = new TurnQueueRepository(db.database.system);
    for (const tenant of [acme, globex]) {
      await new TurnRepository(db.database.forTenant(tenant), tenant).accept({ ...message, text: "?", asks: "always" }, defaultQueueLimits);
    }
    const waiting = () => db.asOwner<{ tenant_id: string }>(`SELECT tenant_id FROM turn_queue WHERE tenant_id IN ('${acme}', '${globex}')`);
    const [turn] = await db.asOwner<{ id: string }>(`SELECT id FROM turns WHERE tenant_id = '${acme}' AND message_ts = '1.1'`);
    await departures().left(acme, "It was removed.", now());
    expect(await statusOf(acme)).toBe("suspended");
    expect(await statusOf(globex)).toBe("active");
    expect(await waiting()).toEqual([{ tenant_id: globex }]);
    expect(await queue.halted([turn?.id as never])).toEqual([{ turn: turn?.id, halt: "gone" }]);
    expect(await holds(acme)).toEqual(names().filter((name) => !goneAtOnce.has(name)));
    expect(await holds(globex)).toEqual(names());
    expect(forgotten).toEqual([acme]);
  });

  test.each([
    ["removed, then revoked", [appUninstalled, tokensRevoked]],
    ["revoked, then removed", [tokensRevoked, appUninstalled]],
  ] as const)("H5-PRM-01: %s: inactive after the first word, nothing more after the second", async (_order, listeners) => {
    const at = Math.floor(now().getTime() / 1_000);
    for (const listener of listeners) {
      await listener.handle(delivery(listener, at), undefined as never, { departures: departures() } as never);
      expect([await statusOf(acme), await statusOf(globex)]).toEqual(["suspended", "active"]);
    }
  });

  test("H5-PRM-01: the word about a former installation that comes after the new one was made leaves the new one be", async () => {
    const minuteBefore = Math.floor(now().getTime() / 1_000) - 60;
    await db.asOwner(`UPDATE installations SET installed_at = now() WHERE tenant_id = '${acme}'`);
    for (const listener of [appUninstalled, tokensRevoked])
      await listener.handle(delivery(listener, minuteBefore), undefined as never, { departures: departures() } as never);
    expect(await statusOf(acme)).toBe("active");
    expect(await holds(acme)).toContain("installations");
  });

  test("says so twice, in either order: the second word changes nothing, not even the day on which its data is due", async () => {
    await departures().left(acme, "The app was removed.", now());
    await ago(29);
    await departures().left(acme, "Its token was revoked.", now());
    expect(await stored.due(30)).not.toContain(acme);
    expect(await stored.due(29)).toContain(acme);
    expect(new Set(forgotten)).toEqual(new Set([acme]));
  });

  test("and has been installed anew since: the late word about the former installation changes nothing", async () => {
    const longAgo = new Date(now().getTime() - 2 * 86_400_000);
    await departures().left(acme, "The app was removed.", longAgo);
    expect(await statusOf(acme)).toBe("active");
    expect(await holds(acme)).toContain("installations");
  });

  test("is deleted when its time is over, everywhere; only the audit log, which holds nobody's words, stays", async () => {
    await departures().left(acme, "The app was removed.", now());
    await ago(29);
    await departures().sweepNow();
    expect(await holds(acme)).toEqual(names().filter((name) => !goneAtOnce.has(name)));
    await ago(30);
    await departures().sweepNow();
    expect(await holds(acme)).toEqual([...appendOnlyTables]);
    expect(await holds(globex)).toEqual(names());
    expect((await tenants.byId(acme))?.name).toBe(acme);
    expect(await stored.due(0)).not.toContain(acme);
  });

  test("and comes back in time keeps what it had, and is not deleted later", async () => {
    await departures().left(acme, "The app was removed.", now());
    const [row] = await db.asOwner<{ team: string }>(`SELECT slack_team_id AS team FROM tenants WHERE id = '${acme}'`);
    const back = await tenants.save({ slackTeamId: row?.team ?? "", name: `back-${acme}` });
    expect(back).toMatchObject({ id: acme, status: "active" });
    await departures(0).sweepNow();
    expect(await holds(acme)).toEqual(names().filter((name) => !goneAtOnce.has(name)));
    // Nor by a sweep that had found it due before.
    expect(await stored.purge(acme)).toBe(false);
  });

  test("is removed by the operator at once, and may come back empty under the same id", async () => {
    await departures().remove(acme);
    expect(await holds(acme)).toEqual([...appendOnlyTables]);
    expect(forgotten).toEqual([acme]);
    const [row] = await db.asOwner<{ team: string }>(`SELECT slack_team_id AS team FROM tenants WHERE id = '${acme}'`);
    expect(await tenants.admit({ kind: "workspace", slackTeamId: row?.team ?? "", name: "Acme again" })).toMatchObject({
      id: acme,
      name: "Acme again",
    });
  });
});
