import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { Secret } from "../../../src/core/secret.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";
import { InstallBench, type InstallBenchOptions, organisationSeed, type Process } from "./install-bench.ts";

const hours = 3_600_000;

/** Hours pass when the test says so; who waits for another process waits in real time. */
class CalendarClock implements Clock {
  readonly sleep = systemClock.sleep;
  #passed = 0;

  now(): Date {
    return new Date(1_800_000_000_000 + this.#passed);
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#passed;
  }

  advance(ms: number): void {
    this.#passed += ms;
  }
}

describe.each(testDatabases)("tokens that expire, on the %s database", (kind) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(kind);
  });
  afterAll(() => db.close());

  let bench: InstallBench;
  let program: Process;
  let clock: CalendarClock;
  afterEach(() => bench.stop());

  /** Acme is installed with a token that lives for twelve hours. */
  const start = async (options: InstallBenchOptions = {}, choice = "acme") => {
    clock = new CalendarClock();
    bench = await InstallBench.start(db, { clock, ...options });
    bench.slack.oauth.rotation = true;
    program = await bench.process();
    expect((await bench.install(program, { choice })).status).toBe(200);
    await program.greeted();
  };
  const acme = () => bench.slack.workspace("acme").teamId;
  const tokenAt = async ({ tokens }: Process, team = acme()) => (await tokens.finder.byTeam(team))?.token.reveal();
  const tenant = async () => {
    const found = await program.store.tenants.byTeam(acme());
    if (!found) throw new Error("not installed");
    return found;
  };
  const renewals = () => bench.slack.calls.filter(({ args }) => args.grant_type === "refresh_token").length;
  const renewed = (count = 1) =>
    bench.slack.waitFor(() => bench.slack.calls.filter(({ args, status }) => args.grant_type && status).length >= count);
  /** A token that works, by any process's clients. */
  const works = async (process: Process) => {
    const { client } = await process.pool.load((await tenant()).id);
    return (await client.auth.test()).ok;
  };

  test("are left alone while they are fresh", async () => {
    await start();
    const token = await tokenAt(program);
    clock.advance(9 * hours);
    expect(await tokenAt(program)).toBe(token);
    expect(renewals()).toBe(0);
  });

  test("are renewed before they expire, while nobody waits, and the clients use the new one at once", async () => {
    await start();
    const old = await tokenAt(program);
    expect(await works(program)).toBe(true);
    clock.advance(11 * hours);
    expect(await tokenAt(program)).toBe(old);
    await renewed();
    // The old one goes on until its own end.
    let fresh = old;
    while (fresh === old) fresh = await tokenAt(program);
    clock.advance(1 * hours);
    expect(await works(program)).toBe(true);
    expect(renewals()).toBe(1);
    expect(JSON.stringify(await db.asOwner("SELECT installations::text FROM installations"))).not.toMatch(/xoxe/);
  });

  test("50 questions at two processes at the very end of a token: one renewal, and all have a token that works (T56)", async () => {
    await start();
    const second = await bench.process();
    clock.advance(12 * hours);
    const waiting = Promise.all(Array.from({ length: 50 }, (_, index) => tokenAt(index % 2 ? program : second)));
    expect(new Set(await waiting).size).toBe(1);
    expect(renewals()).toBe(1);
    expect(await works(program)).toBe(true);
    expect(await works(second)).toBe(true);
  });

  test("a refused renewal suspends the workspace, says why to the operator, and asks no more; installing again mends it", async () => {
    const logged: string[] = [];
    const note = (message: string, fields?: object) => void logged.push(JSON.stringify([message, fields]));
    const log = { debug: note, info: note, warn: note, error: note, with: () => log };
    await start({ log });
    clock.advance(12 * hours);
    bench.slack.fail({ method: "oauth.v2.access", error: "invalid_refresh_token" });
    expect(await tokenAt(program)).toBeUndefined();
    expect(await tenant()).toMatchObject({ status: "suspended", suspendedBecause: expect.stringContaining("invalid_refresh_token") });
    expect(logged.join("\n")).toContain("suspended until the app is installed there again");
    expect(logged.join("\n")).not.toMatch(/xox/);
    await expect(program.pool.load((await tenant()).id)).rejects.toMatchObject({ code: "WORKSPACE_UNKNOWN" });
    const asked = renewals();
    expect(await tokenAt(program)).toBeUndefined();
    expect(renewals()).toBe(asked);

    await bench.install(program, { choice: "acme" });
    expect(await tenant()).not.toHaveProperty("suspendedBecause");
    expect(await works(program)).toBe(true);
  });

  test("a Slack that cannot be reached suspends nobody, and is asked again", async () => {
    await start();
    clock.advance(12 * hours);
    bench.slack.fail({ method: "oauth.v2.access", httpStatus: 503 });
    await expect(tokenAt(program)).rejects.toMatchObject({ code: "SLACK_UNREACHABLE" });
    expect((await tenant()).status).toBe("active");
    expect(await tokenAt(program)).toBeDefined();
    expect(await works(program)).toBe(true);
  });

  test("a database that is away for a moment after Slack has given the new token costs nobody the workspace", async () => {
    const logged: string[] = [];
    const note = (message: string) => void logged.push(message);
    const log = { debug: note, info: note, warn: note, error: note, with: () => log };
    await start({ log });
    clock.advance(12 * hours);
    await db.asOwner("ALTER TABLE installations ADD CONSTRAINT away CHECK (renewing_by IS NOT NULL) NOT VALID");
    const waiting = tokenAt(program);
    while (!logged.some((message) => message.includes("could not be stored"))) await systemClock.sleep(5);
    await db.asOwner("ALTER TABLE installations DROP CONSTRAINT away");
    expect(await waiting).toBeDefined();
    expect(renewals()).toBe(1);
    expect(await works(program)).toBe(true);
    expect((await tenant()).status).toBe("active");
  });

  test("an installation that comes in the middle of a renewal wins, whatever the renewal came to", async () => {
    await start();
    const stored = program.store.forTenant((await tenant()).id).installation;
    const holder = "00000000-0000-4000-8000-000000000001";
    const soon = new Date(clock.now().getTime() + 13 * hours);
    expect(await stored.claimRenewal(holder, soon, 60_000)).toBeDefined();
    expect(await stored.claimRenewal(holder.replace(/1$/, "2"), soon, 60_000)).toBeUndefined();
    await bench.install(program, { choice: "acme" });
    const installed = await tokenAt(program);
    expect(await stored.renewed(holder, { token: new Secret("xoxb-late") })).toBe(false);
    expect(await stored.releaseRenewal(holder)).toBe(false);
    expect(await tokenAt(program)).toBe(installed);
  });

  test("what a process that died had reserved is free again when its time is over", async () => {
    await start();
    const stored = program.store.forTenant((await tenant()).id).installation;
    await stored.claimRenewal("00000000-0000-4000-8000-000000000001", new Date(clock.now().getTime() + 13 * hours), 60_000);
    await db.asOwner("UPDATE installations SET renewing_until = now() - interval '1 second'");
    clock.advance(12 * hours);
    expect(await tokenAt(program)).toBeDefined();
    expect(renewals()).toBe(1);
  });

  test("an organisation's token is renewed once for all of its workspaces", async () => {
    await start({ seed: organisationSeed }, "E0INITECH");
    clock.advance(12 * hours);
    const [acmes, globexs] = await Promise.all(["acme", "globex"].map((name) => tokenAt(program, bench.slack.workspace(name).teamId)));
    expect(acmes).toBe(globexs);
    expect(renewals()).toBe(1);
    expect(await works(program)).toBe(true);
  });

  test("without OAuth settings a token is used as it is", async () => {
    await start();
    clock.advance(12 * hours);
    const { createTokens } = await import("../../../src/app/tokens.ts");
    const parts = {
      config: { purgeDays: 30 },
      slackApiUrl: bench.slack.apiUrl,
      clock,
      log: { debug() {}, info() {}, warn() {}, error() {}, with: () => parts.log },
    };
    const { finder } = createTokens(parts as never, program.store, () => program.pool);
    expect(await finder.byTeam(acme())).toBeDefined();
    expect(renewals()).toBe(0);
  });
});
