import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { personId, type TenantId } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import { LoginRepository } from "../../src/store/repositories/logins.ts";
import { Sealing } from "../../src/store/sealing.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const [alice, bob] = [personId("U_ALICE"), personId("U_BOB")];
const leaseMs = 600_000;
const hashOf = (text: string) => createHash("sha256").update(text).digest();

describe.each(testDatabases)("log-ins at external servers, on the %s database", (kind) => {
  let db: TestDatabase;
  let acme: TenantId;
  let globex: TenantId;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    acme = await db.addTenant("acme");
    globex = await db.addTenant("globex");
  });
  afterAll(() => db.close());

  const sealing = new Sealing({ active: "k1", keys: new Map([["k1", Buffer.alloc(32, 7)]]) });
  const loginsOf = (tenant: TenantId) => new LoginRepository(tenant, db.database.forTenant(tenant), sealing);

  test("T08: are each person's own, of one server and one workspace, and lie sealed in the database", async () => {
    await loginsOf(acme).save("tracker", alice, new Secret("canary-of-alice"));
    expect((await loginsOf(acme).find("tracker", alice))?.reveal()).toBe("canary-of-alice");
    expect(await loginsOf(acme).find("tracker", bob)).toBeUndefined();
    expect(await loginsOf(acme).find("files", alice)).toBeUndefined();
    expect(await loginsOf(globex).find("tracker", alice)).toBeUndefined();
    expect(await loginsOf(acme).serversOf(alice)).toEqual(["tracker"]);
    expect([await loginsOf(acme).people(), await loginsOf(globex).people()]).toEqual([[alice], []]);
    const rows = await db.asOwner("SELECT server_logins::text AS row FROM server_logins");
    expect(JSON.stringify(rows)).not.toContain("canary");
    await loginsOf(acme).remove("tracker", alice);
    expect(await loginsOf(acme).find("tracker", alice)).toBeUndefined();
  });

  test("taking one back destroys it, what was begun of it, and nobody else's; a renewal that is under way brings nothing back", async () => {
    const logins = loginsOf(acme);
    for (const person of [alice, bob]) await logins.save("left", person, new Secret("x"));
    await logins.begin({ hash: hashOf("left"), server: "left", person: alice, stage: "page", kept: new Secret("v") }, leaseMs);
    expect(await logins.claimRenewal("left", alice, "a", leaseMs)).toBe(true);
    expect(await logins.remove("left", alice)).toBe(true);
    expect(await logins.saveHeld("left", alice, new Secret("y"), "a")).toBe(false);
    expect([await logins.find("left", alice), await logins.redeem(hashOf("left")), await logins.remove("left", alice)]).toEqual([
      ...[undefined, undefined, false],
    ]);
    expect((await logins.find("left", bob))?.reveal()).toBe("x");
    await logins.removeAll();
    expect(await logins.find("left", bob)).toBeUndefined();
  });

  test("a renewal is kept only by who holds it: a log-in made anew meanwhile stays", async () => {
    const logins = loginsOf(acme);
    await logins.save("held", alice, new Secret("old"));
    await logins.claimRenewal("held", alice, "a", leaseMs);
    expect(await logins.saveHeld("held", alice, new Secret("renewed"), "a")).toBe(true);
    await logins.save("held", alice, new Secret("new"));
    expect(await logins.saveHeld("held", alice, new Secret("late"), "a")).toBe(false);
    expect((await logins.find("held", alice))?.reveal()).toBe("new");
  });

  test("one that was moved to another person's row cannot be opened there", async () => {
    await loginsOf(acme).save("moved", alice, new Secret("canary"));
    await loginsOf(acme).save("moved", bob, new Secret("other"));
    await db.asOwner(`UPDATE server_logins SET sealed_login = (SELECT sealed_login FROM server_logins WHERE server = 'moved' AND person_id = 'U_ALICE')
      WHERE server = 'moved' AND person_id = 'U_BOB'`);
    await expect(loginsOf(acme).find("moved", bob)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
  });

  test("are renewed by one holder at a time, until it lets go or its time is over", async () => {
    const logins = loginsOf(acme);
    await logins.save("renewed", alice, new Secret("x"));
    const claims = await Promise.all(["a", "b", "c"].map((holder) => logins.claimRenewal("renewed", alice, holder, leaseMs)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const winner = ["a", "b", "c"][claims.indexOf(true)] ?? "";
    await logins.releaseRenewal("renewed", alice, "somebody else");
    expect(await logins.claimRenewal("renewed", alice, "d", leaseMs)).toBe(false);
    await logins.releaseRenewal("renewed", alice, winner);
    expect(await logins.claimRenewal("renewed", alice, "d", leaseMs)).toBe(true);
    await db.asOwner("UPDATE server_logins SET renewing_until = now() - interval '1 second' WHERE server = 'renewed'");
    expect(await logins.claimRenewal("renewed", alice, "e", leaseMs)).toBe(true);
  });

  test("that were begun are given back once, in time, and to their own workspace", async () => {
    const begun = { server: "tracker", person: alice, stage: "page" as const, kept: new Secret("verifier") };
    const begin = (name: string) => loginsOf(acme).begin({ ...begun, hash: hashOf(name) }, leaseMs);
    await begin("one");
    expect(await loginsOf(globex).redeem(hashOf("one"))).toBeUndefined();
    const found = await loginsOf(acme).redeem(hashOf("one"));
    expect({ ...found, kept: found?.kept.reveal() }).toEqual({ ...begun, kept: "verifier" });
    expect(await loginsOf(acme).redeem(hashOf("one"))).toBeUndefined();
    await begin("late");
    await db.asOwner("UPDATE login_attempts SET expires_at = now() - interval '1 second'");
    expect(await loginsOf(acme).redeem(hashOf("late"))).toBeUndefined();
  });
});
