import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Envelope, route } from "../../../src/bot/in/tenancy.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { heading, InstallBench, organisationSeed, type Process } from "./install-bench.ts";

const organisation = "E0INITECH";

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

let bench: InstallBench;
let program: Process;
beforeEach(async () => {
  bench = await InstallBench.start(db, { seed: organisationSeed });
  program = await bench.process();
});
afterEach(() => bench.stop());

const installAll = (workspaces?: string) =>
  bench.install(program, { choice: organisation, person: "alice", ...(workspaces && { workspaces }) });
const teamOf = (workspace: string) => bench.slack.workspace(workspace).teamId;
const tokenOf = async (workspace: string) => (await program.tokens.finder.byTeam(teamOf(workspace), organisation))?.token.reveal();
/** The workspace whose tenant a delivery belongs to. */
const routed = async (envelope: Envelope) => (await route(envelope, program.tokens.finder)).teamId;
const authorizations = (team_id: string | null) => [{ enterprise_id: organisation, team_id, is_enterprise_install: true }];

describe("an organisation installs the app for its workspaces", () => {
  test("each workspace is a tenant of its own, with the organisation's one token", async () => {
    const { status, body } = await installAll();
    expect({ status, heading: heading(body) }).toEqual({ status: 200, heading: "Footnote is installed in Initech" });
    expect(body).toMatch(/<li>Acme<\/li><li>Globex<\/li>/);
    expect(body).toContain("https://app.slack.com/manage/E0INITECH/integrations/profile/A0FOOTNOTE1/workspaces/add");
    expect(await bench.tenants(program)).toEqual(["Acme active", "Globex active", "Initech active"]);
    const [acme, globex] = await Promise.all(["acme", "globex"].map((name) => program.tokens.finder.byTeam(teamOf(name))));
    expect(acme?.token.reveal()).toBe(globex?.token.reveal());
    expect(acme?.tenant).not.toBe(globex?.tenant);
    expect(await db.asOwner("SELECT count(*)::int AS n FROM installations")).toEqual([{ n: 1 }]);
    await program.greeted();
    expect([bench.greetings("acme", "alice").length, bench.greetings("globex", "alice").length]).toEqual([1, 0]);
  });

  test("each workspace's clients see its own people and channels", async () => {
    await installAll();
    for (const name of ["acme", "globex"]) {
      const found = await program.tokens.finder.byTeam(teamOf(name));
      if (!found) throw new Error("not installed");
      const { directory } = await program.pool.load(found.tenant);
      expect((await directory.findPerson("alice"))?.id).toBe(bench.slack.workspace(name).person("alice"));
      expect((await directory.findChannel("general"))?.id).toBe(bench.slack.workspace(name).channel("general"));
    }
  });

  test("nobody asks in the organisation itself", async () => {
    await installAll();
    const over = await program.store.tenants.byTeam(organisation);
    expect(over?.kind).toBe("organisation");
    expect(over && (await program.tokens.finder.byTenant(over.id))).toBeUndefined();
    for (const type of ["app_mention", "message"]) {
      const event = { type, text: "<@U0ORGBOT> hi" };
      const named = { team_id: organisation, enterprise_id: organisation, authorizations: authorizations(organisation), event };
      await expect(routed(named)).rejects.toMatchObject({ code: "EVENT_UNROUTABLE" });
    }
  });

  test("a workspace that is approved later is served from its first delivery on, one that is not approved never", async () => {
    const { body } = await installAll("acme");
    expect(body).not.toContain("Globex");
    expect(await tokenOf("acme")).toBeDefined();
    expect(await tokenOf("globex")).toBeUndefined();
    await expect(routed({ team_id: teamOf("globex"), authorizations: authorizations(teamOf("globex")) })).rejects.toMatchObject({
      code: "EVENT_UNROUTABLE",
    });
    // Slack's list is remembered for a moment in this process; another one asks anew.
    for (const workspace of bench.slack.state.workspaces) workspace.throughOrganisation = true;
    program = await bench.process();
    expect(await routed({ team_id: teamOf("globex"), authorizations: authorizations(teamOf("globex")) })).toBe(teamOf("globex"));
    expect(await bench.tenants(program)).toEqual(["Acme active", "Globex active", "Initech active"]);
  });

  test("none approved yet: the page says what is left to do, and nobody is written to", async () => {
    const { status, body } = await installAll("nobody");
    expect({ status, says: body.includes("Slack has added it to no workspace yet") }).toEqual({ status: 200, says: true });
    await program.greeted();
    expect(bench.called("chat.postMessage")).toBe(0);
  });
});

describe("deliveries of an organisation's installation", () => {
  beforeEach(() => installAll());

  test.each([
    [
      "an event that names the workspace",
      (team: string) => ({ team_id: team, context_team_id: team, authorizations: authorizations(team) }),
    ],
    [
      "an event that names the organisation in place of it",
      (team: string) => ({ team_id: team, authorizations: authorizations(organisation) }),
    ],
    [
      "an event without a workspace beside the outer one",
      (team: string) => ({ team_id: team, context_team_id: null, authorizations: authorizations(null) }),
    ],
    ["a command", (team: string) => ({ team_id: team, enterprise_id: organisation, is_enterprise_install: "true" })],
    ["a click", (team: string) => ({ team: { id: team }, enterprise: { id: organisation }, is_enterprise_install: true })],
    [
      "a shortcut, which names no workspace",
      (team: string) => ({ team: null, user: { team_id: team }, enterprise: { id: organisation }, is_enterprise_install: true }),
    ],
    [
      "a form in a shared channel",
      (team: string) => ({
        team: null,
        user: { team_id: "T0FOREIGN" },
        view: { app_installed_team_id: team },
        enterprise: { id: organisation },
        is_enterprise_install: true,
      }),
    ],
  ] as [string, (team: string) => Envelope][])("%s belongs to its workspace", async (_what, envelope) => {
    for (const name of ["acme", "globex"]) expect(await routed(envelope(teamOf(name)))).toBe(teamOf(name));
  });

  test.each(["app_uninstalled", "tokens_revoked"])("%s of the organisation as a whole is for what holds its installation", async (type) => {
    const over = await program.store.tenants.byTeam(organisation);
    for (const team_id of [organisation, ""]) {
      const found = await route({ team_id, enterprise_id: organisation, event: { type } }, program.tokens.finder);
      expect([found.tenant, found.organisation]).toEqual([over?.id, over?.id]);
    }
  });

  test("never reach another tenant whose people take part, nor make a tenant of a foreign workspace (T09)", async () => {
    const foreign = await program.store.tenants.save({ slackTeamId: "T0FOREIGN", name: "Foreign" });
    const token = (await program.tokens.finder.byTeam(teamOf("acme")))?.token;
    if (!token) throw new Error("not installed");
    await program.store
      .forTenant(foreign.id)
      .installation.save({ botUserId: "U1", botId: "B1", appId: "", scopes: [], installedAt: new Date("2026-11-30T00:00:00Z"), token });
    expect(await routed({ team_id: "T0FOREIGN" })).toBe("T0FOREIGN");
    for (const author of ["T0FOREIGN", "T0UNKNOWN"]) {
      const shortcut = { team: null, user: { team_id: author }, enterprise: { id: organisation }, is_enterprise_install: true };
      await expect(routed(shortcut)).rejects.toMatchObject({ code: "EVENT_UNROUTABLE" });
    }
    expect(await program.store.tenants.byTeam("T0UNKNOWN")).toBeUndefined();
    const elsewhere = { team_id: teamOf("acme"), enterprise_id: "E0OTHER", is_enterprise_install: "true" };
    await expect(routed(elsewhere)).rejects.toMatchObject({ code: "EVENT_UNROUTABLE" });
  });
});

describe("a workspace's own installation comes before its organisation's", () => {
  test("whichever came first", async () => {
    await bench.install(program, { choice: "acme" });
    await installAll();
    expect(await tokenOf("acme")).toBe(bench.slack.workspace("acme").botToken);
    expect(await tokenOf("globex")).toBe("xoxb-playground-E0INITECH");
    await bench.install(program, { choice: "globex" });
    expect(await tokenOf("globex")).toBe(bench.slack.workspace("globex").botToken);
  });

  test("and one that was suspended is not revived by the organisation, only by itself; what came with the organisation is", async () => {
    await bench.install(program, { choice: "acme" });
    await installAll("globex");
    for (const name of ["acme", "globex"]) {
      const tenant = await program.store.tenants.byTeam(teamOf(name));
      if (tenant) await program.store.tenants.setStatus(tenant.id, "suspended");
    }
    program = await bench.process();
    expect(await tokenOf("globex")).toBeUndefined();
    await installAll();
    expect(await bench.tenants(program)).toEqual(["Acme suspended", "Globex active", "Initech active"]);
    await expect(routed({ team_id: teamOf("acme"), authorizations: authorizations(teamOf("acme")) })).rejects.toMatchObject({
      code: "EVENT_UNROUTABLE",
    });
    await bench.install(program, { choice: "acme" });
    expect(await bench.tenants(program)).toEqual(["Acme active", "Globex active", "Initech active"]);
  });

  test("and it stays when the organisation leaves: only workspaces without one of their own go with it", async () => {
    await installAll();
    await bench.install(program, { choice: "acme" });
    // Approved again while it has its own.
    await installAll();
    const over = await program.store.tenants.byTeam(organisation);
    const globex = await program.store.tenants.byTeam(teamOf("globex"));
    expect(over && (await program.tokens.organisations.servedBy(over.id))).toEqual([globex?.id]);
    expect(globex && (await program.tokens.organisations.servedBy(globex.id))).toEqual([]);
  });

  test("a suspended organisation suspends what came with it at once, and nothing else", async () => {
    await bench.install(program, { choice: "acme" });
    await installAll();
    const over = await program.store.tenants.byTeam(organisation);
    if (over) await program.store.tenants.setStatus(over.id, "suspended");
    expect(await tokenOf("globex")).toBeUndefined();
    expect(await tokenOf("acme")).toBe(bench.slack.workspace("acme").botToken);
  });
});
