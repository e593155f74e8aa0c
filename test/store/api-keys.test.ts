import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiKeys, keyHolder as holderOf, type KeyAudience, makeKey, type NewApiKey } from "../../src/api/api-keys.ts";
import { systemClock } from "../../src/core/clock.ts";
import { newId, personId, type TenantId, tenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Database } from "../../src/store/database.ts";
import { ApiKeyRepository } from "../../src/store/repositories/api-keys.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const limits = { perMinute: 10, atOnce: 100 };
const leaseMs = 60_000;
const alice = personId("U_ALICE");
const keyHolder = (text: string, keysOf: (tenant: TenantId) => ApiKeys, audience: KeyAudience = "api") => holderOf(text, keysOf, audience);

describe.each(testDatabases)("API keys on the %s database", (kind) => {
  let db: TestDatabase;
  /** A second process where there can be one; the embedded database has one opener, so there it is a second caller. */
  let other: Database;
  let acme: TenantId;
  let globex: TenantId;

  beforeAll(async () => {
    db = await openTestDatabase(kind);
    other = db.url ? await Database.open({ url: db.url, home: db.home, clock: systemClock, log: silentLogger }) : db.database;
    acme = await db.addTenant("acme");
    globex = await db.addTenant("globex");
  });
  afterAll(async () => {
    if (other !== db.database) await other.close();
    await db.close();
  });

  const keysOf = (tenant: TenantId, database = db.database) => new ApiKeyRepository(database.forTenant(tenant), tenant);
  const newKey = async (tenant = acme, more: Partial<NewApiKey> = {}) => {
    const { id, text, secretHash } = makeKey(tenant);
    await keysOf(tenant).add({ id, person: alice, name: "laptop", secretHash, audience: "api", ...more });
    return { id, text: text.reveal() };
  };
  const age = (id: string, seconds: number) =>
    db.asOwner(`UPDATE api_key_uses SET started_at = started_at - interval '${seconds} seconds' WHERE key_id = '${id}'`);
  const admissions = (results: readonly { admitted: boolean }[]) => results.filter(({ admitted }) => admitted).length;

  test("a key stands for its person until it is revoked", async () => {
    const { id, text } = await newKey();
    expect(await keyHolder(text, keysOf)).toEqual({ tenant: acme, person: alice, id });
    expect(await keysOf(acme).revoke(id)).toBe(true);
    expect(await keyHolder(text, keysOf)).toBeUndefined();
    expect(await keysOf(acme).admit(id, limits, leaseMs)).toMatchObject({ admitted: false });
    expect([await keysOf(acme).revoke(id), await keysOf(acme).revoke(newId()), await keysOf(acme).revoke("nonsense")]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await keysOf(acme).list()).find((key) => key.id === id)).toMatchObject({ name: "laptop", revokedAt: expect.any(Date) });
  });

  test("T38: a key is worth nothing at another door than the one it was made for", async () => {
    const [api, mcp] = [await newKey(), await newKey(acme, { audience: "mcp" })];
    const opens = async (text: string, audience: KeyAudience) => (await keyHolder(text, keysOf, audience)) !== undefined;
    expect([await opens(api.text, "api"), await opens(api.text, "mcp")]).toEqual([true, false]);
    expect([await opens(mcp.text, "api"), await opens(mcp.text, "mcp")]).toEqual([false, true]);
  });

  test("T38: a key with an end is worth nothing after it", async () => {
    const { id, text } = await newKey(acme, { days: 1 });
    expect(await keyHolder(text, keysOf)).toMatchObject({ id });
    await db.asOwner(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = '${id}'`);
    expect(await keyHolder(text, keysOf)).toBeUndefined();
  });

  test("a key's secret lies nowhere in the database, and its id opens nothing in another workspace", async () => {
    const { id, text } = await newKey();
    const [ids = "", secret = ""] = text.split(".");
    const kept = JSON.stringify(await db.asOwner("SELECT api_keys::text AS text FROM api_keys"));
    expect(kept).toContain(id);
    expect(kept).not.toContain(secret);
    expect(await keysOf(globex).find(id, "api")).toBeUndefined();
    expect(await keysOf(globex).revoke(id)).toBe(false);
    const inGlobex = Buffer.from(ids.slice("fnk_".length), "base64url");
    Buffer.from(globex.replaceAll("-", ""), "hex").copy(inGlobex);
    expect(await keyHolder(`fnk_${inGlobex.toString("base64url")}.${secret}`, keysOf)).toBeUndefined();
    expect(await keyHolder(text, keysOf)).toMatchObject({ id });
  });

  test("H5-OPS-07: of 25 questions at the same moment over two processes exactly 10 are let in; with 9 in the window, 1", async () => {
    const { id } = await newKey();
    const burst = () =>
      Promise.all(Array.from({ length: 25 }, (_, n) => keysOf(acme, n % 2 ? other : db.database).admit(id, limits, leaseMs)));
    const first = await burst();
    expect(admissions(first)).toBe(10);
    for (const refusal of first)
      if (!refusal.admitted) {
        // The window is a minute long, and a busy machine may have used some of it up.
        expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
        expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(60);
      }

    const { id: another } = await newKey();
    for (let n = 0; n < 9; n++) await keysOf(acme).admit(another, limits, leaseMs);
    const second = await Promise.all(Array.from({ length: 25 }, () => keysOf(acme).admit(another, limits, leaseMs)));
    expect(admissions(second)).toBe(1);
  });

  test("refusals are not counted, and the window moves on", async () => {
    const { id } = await newKey();
    const keys = keysOf(acme);
    for (let n = 0; n < 10; n++) await keys.admit(id, limits, leaseMs);
    await age(id, 30);
    expect(await keys.admit(id, limits, leaseMs)).toMatchObject({ admitted: false, retryAfterSeconds: expect.any(Number) });
    await age(id, 31);
    expect(await keys.admit(id, limits, leaseMs)).toMatchObject({ admitted: true });
  });

  test("at once there are no more than allowed; a finished one makes room, and so does one whose process died", async () => {
    const { id } = await newKey();
    const keys = keysOf(acme);
    const two = { perMinute: 100, atOnce: 2 };
    const [first] = await Promise.all([keys.admit(id, two, leaseMs), keys.admit(id, two, leaseMs)]);
    expect(await keys.admit(id, two, leaseMs)).toEqual({ admitted: false, retryAfterSeconds: 5 });
    if (!first.admitted) throw new Error("The first was refused.");
    await keys.renew(first.use, leaseMs);
    await keys.finish(first.use);
    const third = await keys.admit(id, two, 1);
    expect(third).toMatchObject({ admitted: true });
    // Its lease of a millisecond is over and nobody renews it.
    await db.asOwner("SELECT pg_sleep(0.01)");
    expect(await keys.admit(id, two, leaseMs)).toMatchObject({ admitted: true });
    expect(await keys.admit(id, two, leaseMs)).toMatchObject({ admitted: false });
  });

  test("a long answer keeps its place when its question has left the window", async () => {
    const { id } = await newKey();
    const one = { perMinute: 100, atOnce: 1 };
    await keysOf(acme).admit(id, one, leaseMs);
    await age(id, 120);
    expect(await keysOf(acme).admit(id, one, leaseMs)).toEqual({ admitted: false, retryAfterSeconds: 5 });
  });

  test("one key's questions do not count for another", async () => {
    const [busy, calm] = [await newKey(), await newKey(globex)];
    for (let n = 0; n < 11; n++) await keysOf(acme).admit(busy.id, limits, leaseMs);
    expect(await keysOf(globex).admit(calm.id, limits, leaseMs)).toMatchObject({ admitted: true });
    expect(await keysOf(globex).admit(busy.id, limits, leaseMs)).toMatchObject({ admitted: false });
    expect(await keysOf(tenantId(newId())).admit(calm.id, limits, leaseMs)).toMatchObject({ admitted: false });
  });
});
