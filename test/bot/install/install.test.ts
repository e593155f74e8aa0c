import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { defaultSeed, type SlackSeed } from "../../../playground/server/seed.ts";
import { requiredScopes } from "../../../src/bot/workspace/scopes.ts";
import { everyone } from "../../../src/core/principal.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { heading, InstallBench, type InstallBenchOptions, type Process } from "./install-bench.ts";
import { agree, type Choice, Visitor } from "./visitor.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

let bench: InstallBench;
let program: Process;
afterEach(() => bench.stop());

const start = async (options: InstallBenchOptions = {}) => {
  bench = await InstallBench.start(db, options);
  program = await bench.process();
};
const install = (chosen: Choice, visitor?: Visitor) => bench.install(program, chosen, visitor);
const tenants = () => bench.tenants(program);
/** The first company with something else, beside the second as it is. */
const seedWith = (changed: Partial<SlackSeed["workspaces"][number]>, all = false): SlackSeed => ({
  workspaces: defaultSeed.workspaces.map((workspace, index) => (index === 0 || all ? { ...workspace, ...changed } : workspace)),
});

describe("installing from the page", () => {
  test("leads to Slack with exactly the manifest's scopes, and back to this program alone", async () => {
    await start();
    const visitor = new Visitor();
    const { status, location } = await visitor.get(`${program.url}/slack/install?redirect_uri=https://evil.example&state=mine&scope=admin`);
    expect(status).toBe(302);
    const page = new URL(location);
    expect(page.origin + page.pathname).toBe(new URL("../oauth/v2/authorize", bench.slack.apiUrl).href);
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: bench.slack.oauth.clientId,
      scope: requiredScopes.join(","),
      redirect_uri: `${program.url}/slack/oauth_redirect`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(visitor.lastCookie).toMatch(/^footnote-install=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  });

  test("over https the cookie belongs to this very host, and the address that people reach is the one Slack sends them back to", async () => {
    await start({ publicUrl: "https://footnote.example" });
    const visitor = new Visitor();
    const { location } = await visitor.get(`${program.url}/slack/install`);
    expect(new URL(location).searchParams.get("redirect_uri")).toBe("https://footnote.example/slack/oauth_redirect");
    expect(visitor.lastCookie).toMatch(/^__Host-footnote-install=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
  });

  test("makes a workspace with a token that works, sealed, and greets whoever installed it once", async () => {
    await start();
    const { status, body, headers } = await install({ choice: "acme", person: "alice" });
    expect({ status, heading: heading(body) }).toEqual({ status: 200, heading: "Footnote is installed in Acme" });
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await tenants()).toEqual(["Acme active"]);
    const { teamId, botToken, botUserId } = bench.slack.workspace("acme");
    expect((await program.tokens.finder.byTeam(teamId))?.token.reveal()).toBe(botToken);
    expect(JSON.stringify(await db.asOwner("SELECT installations::text FROM installations"))).not.toContain(botToken);
    await program.greeted();
    const [greeting = "", ...more] = bench.greetings("acme", "alice");
    for (const hint of ["*1.*", "I have no documents yet", "*2.*", `<@${botUserId}>`, "*3.*"]) expect(greeting).toContain(hint);
    expect(more).toEqual([]);
    expect(bench.greetings("acme", "bob")).toEqual([]);

    expect(heading((await install({ choice: "acme", person: "alice" })).body)).toBe("Footnote is installed again in Acme");
    await program.greeted();
    expect(bench.greetings("acme", "alice")).toHaveLength(1);
  });

  test("greets with a document that the person may read, in their language, and with none that they may not", async () => {
    const people = defaultSeed.workspaces[0]?.people.map((person) => ({ ...person, locale: "de-DE" })) ?? [];
    await start({ seed: seedWith({ people }) });
    await install({ choice: "acme", person: "bob" });
    await program.greeted();
    expect(bench.greetings("acme", "bob")[0]).toContain("*1.* Gib mir etwas zu lesen");
    const { id } = (await program.store.tenants.byName("Acme")) ?? {};
    if (!id) throw new Error("not installed");
    bench.library.add(id, { title: "Handbook <!channel> *x*", grants: [everyone], pages: ["Leave."] });
    await program.store.forTenant(id).installation.remove();
    await install({ choice: "acme", person: "bob" });
    await program.greeted();
    const [, greeting] = bench.greetings("acme", "bob");
    expect(greeting).toMatch(/\*1\.\* Frag mich etwas, gleich hier\. Zum Beispiel: _Was steht in Handbook .+ über …\?_/);
    expect(bench.slack.mentions.filter(({ target }) => target.includes("channel"))).toEqual([]);
  });

  test("names what was not granted and what will not work for it", async () => {
    const scopes = requiredScopes.filter((scope) => scope !== "users:read" && scope !== "commands");
    await start({ seed: seedWith({ scopes }) });
    const { body } = await install({ choice: "acme" });
    expect(body).toContain("2 permissions were not granted");
    expect(body).toContain("<code>users:read</code>: Footnote cannot tell who asks, so it answers nobody.");
    expect(body).toContain("<code>commands</code>");
    expect(body).not.toContain("<code>chat:write</code>");
    expect((await install({ choice: "globex" })).body).not.toContain("not granted");
  });

  test("somebody who does not agree has made no error, and nothing is kept", async () => {
    await start();
    const visitor = new Visitor();
    const { status, body } = await install({ choice: "cancel" }, visitor);
    expect({ status, heading: heading(body) }).toEqual({ status: 200, heading: "Nothing was installed" });
    expect(body).not.toMatch(/error/i);
    expect(visitor.lastCookie).toMatch(/^footnote-install=; .*Max-Age=0$/);
    expect(await tenants()).toEqual([]);
  });

  test("is not undone by a removal that is delivered late, in the middle of it", async () => {
    await start();
    const { teamId } = bench.slack.workspace("acme");
    const before = await program.store.tenants.save({ slackTeamId: teamId, name: "acme" });
    const { admit } = program.store.tenants;
    program.store.tenants.admit = async function (this: typeof program.store.tenants, tenant) {
      const admitted = await admit.call(this, tenant);
      await this.setStatus(admitted.id, "suspended", "an old removal");
      return admitted;
    };
    await install({ choice: "acme" });
    expect(await program.store.tenants.byTeam(teamId)).toEqual(before);
  });

  test("a suspended workspace is served again, with its id and the name that the operator gave it", async () => {
    await start();
    const { teamId } = bench.slack.workspace("acme");
    const before = await program.store.tenants.save({ slackTeamId: teamId, name: "our company" });
    await program.store.tenants.setStatus(before.id, "suspended", "for a reason");
    expect(heading((await install({ choice: "acme" })).body)).toBe("Footnote is installed again in Acme");
    expect(await program.store.tenants.byTeam(teamId)).toEqual(before);
  });
});

describe("an installation belongs to the browser that began it (T10)", () => {
  /** Where Slack sends the browser back to, spoiled in one way. */
  const spoiled: readonly (readonly [string, (back: URL) => void])[] = [
    ["no state", (back) => back.searchParams.delete("state")],
    ["an empty state", (back) => back.searchParams.set("state", "")],
    ["a state of somebody's own", (back) => back.searchParams.set("state", "A".repeat(43))],
    ["two states", (back) => back.searchParams.append("state", back.searchParams.get("state") ?? "")],
    ["a state of another kind", (back) => back.searchParams.set("state", "%00' OR true --")],
    ["no code and no refusal", (back) => back.searchParams.delete("code")],
    ["an endless code", (back) => back.searchParams.set("code", "c".repeat(513))],
  ];
  test.each(spoiled)("%s installs nothing; without that it is installed", async (_what, spoil) => {
    await start();
    const visitor = new Visitor();
    const back = new URL(await agree(visitor, program.url, { choice: "acme" }));
    spoil(back);
    const { status, body } = await visitor.get(back);
    expect({ status, heading: heading(body) }).toEqual({ status: 400, heading: "This did not work" });
    expect(body).toMatch(/Error [0-9a-f-]{36}/);
    expect(bench.called("oauth.v2.access")).toBe(0);
    expect(await tenants()).toEqual([]);
    expect((await install({ choice: "acme" }, visitor)).status).toBe(200);
    expect(await tenants()).toEqual(["Acme active"]);
  });

  test("another browser's cookie, or none, installs nothing and does not use the state up", async () => {
    await start();
    const visitor = new Visitor();
    const back = await agree(visitor, program.url, { choice: "acme" });
    const other = new Visitor();
    expect((await other.get(back)).status).toBe(400);
    await agree(other, program.url, { choice: "globex" });
    expect((await other.get(back)).status).toBe(400);
    expect(await tenants()).toEqual([]);
    expect((await visitor.get(back)).status).toBe(200);
  });

  test("a state is worth something once, at whichever process, and a code too", async () => {
    await start();
    const second = await bench.process();
    const visitor = new Visitor();
    const back = new URL(await agree(visitor, program.url, { choice: "acme" }));
    const elsewhere = new URL(back.pathname + back.search, second.url);
    const all = await Promise.all([back, elsewhere, back, elsewhere].map((url) => visitor.copy().get(url)));
    // Slack was asked once; with the other process's address it refuses the code.
    expect(all.filter(({ body }) => body.includes("begun in another browser"))).toHaveLength(3);
    expect(bench.called("oauth.v2.access")).toBe(1);
    const again = new URL(await agree(visitor, program.url, { choice: "globex" }));
    again.searchParams.set("code", back.searchParams.get("code") ?? "");
    expect((await visitor.get(again)).status).toBe(400);
    expect(await tenants()).not.toContain("Globex active");
  });

  test("one process may begin and another finish", async () => {
    await start({ publicUrl: "http://127.0.0.1:9" });
    const second = await bench.process();
    const visitor = new Visitor();
    const back = new URL(await agree(visitor, program.url, { choice: "acme" }));
    expect((await visitor.get(new URL(back.pathname + back.search, second.url))).status).toBe(200);
    expect(await tenants()).toEqual(["Acme active"]);
  });

  test("a state ends after ten minutes, and is forgotten", async () => {
    const clock = new ManualClock();
    await start({ clock });
    const [late, inTime] = [new Visitor(), new Visitor()];
    const first = await agree(late, program.url, { choice: "acme" });
    clock.advance(60_000);
    const second = await agree(inTime, program.url, { choice: "globex" });
    clock.advance(9 * 60_000 + 1);
    expect((await late.get(first)).status).toBe(400);
    expect((await inTime.get(second)).status).toBe(200);
    expect(await tenants()).toEqual(["Globex active"]);
    await late.get(`${program.url}/slack/install`);
    expect(await db.asOwner("SELECT count(*)::int AS n FROM install_states")).toEqual([{ n: 1 }]);
  });

  test("thousands that were begun by somebody close the door for nobody, and no more are kept than a database bears", async () => {
    const clock = new ManualClock();
    await start({ clock });
    await db.asOwner(`INSERT INTO install_states SELECT decode(md5(n::text), 'hex'), '\\x00', '${new Date(clock.now().getTime() + 600_000).toISOString()}'
      FROM generate_series(1, 10000) AS n`);
    const visitor = new Visitor();
    const back = await agree(visitor, program.url, { choice: "acme" });
    expect(await db.asOwner("SELECT count(*)::int AS n FROM install_states")).toEqual([{ n: 10_000 }]);
    expect((await visitor.get(back)).status).toBe(200);
  });
});

describe("what Slack answers is checked", () => {
  test("an answer about another app is refused; one about ours is not", async () => {
    await start();
    bench.slack.oauth.claimedAppId = "A0SOMEOTHER";
    const { status, body } = await install({ choice: "acme" });
    expect({ status, says: body.includes("another app") }).toEqual({ status: 403, says: true });
    expect(await tenants()).toEqual([]);
    bench.slack.oauth.claimedAppId = "A0FOOTNOTE1";
    expect((await install({ choice: "acme" })).status).toBe(200);
  });

  test.each([
    ["whose bot is another one", undefined],
    ["whose bot has the same id", "U0SAME"],
  ])("a token of another workspace than the answer names is refused: one %s", async (_what, botUserId) => {
    const workspaces = defaultSeed.workspaces.map((workspace) => ({ ...workspace, ...(botUserId && { botUserId }) }));
    // Acme comes first, so the token is Acme's.
    await start({ seed: { workspaces: workspaces.map((workspace) => ({ ...workspace, botToken: "xoxb-playground-one" })) } });
    expect((await install({ choice: "globex" })).status).toBe(400);
    expect(await tenants()).toEqual([]);
  });

  test("a workspace that is not on the operator's list is refused and its token given back; one on it is not", async () => {
    await start({ allowed: ["T0LISTED"], seed: seedWith({ teamId: "T0OTHER" }) });
    const { status, body } = await install({ choice: "acme" });
    expect({ status, says: body.includes("not among those") }).toEqual({ status: 403, says: true });
    expect(bench.slack.calls.filter(({ method }) => method === "auth.revoke").map(({ workspace }) => workspace)).toEqual(["acme"]);
    expect(await tenants()).toEqual([]);
    await bench.stop();
    await start({ allowed: ["T0LISTED"], seed: seedWith({ teamId: "T0LISTED" }) });
    expect((await install({ choice: "acme" })).status).toBe(200);
  });

  test("a workspace that is served keeps its token when it is on the list no longer and somebody installs there again", async () => {
    const allowed = ["T0LISTED"];
    await start({ allowed, seed: seedWith({ teamId: "T0LISTED" }) });
    expect((await install({ choice: "acme" })).status).toBe(200);
    allowed[0] = "T0OTHER";
    expect((await install({ choice: "acme" })).status).toBe(403);
    expect(bench.slack.calls.filter(({ method }) => method === "auth.revoke")).toEqual([]);
    expect(await tenants()).toEqual(["Acme active"]);
  });

  test("Slack's refusals and failures are pages that say what to do, with an error id", async () => {
    await start();
    for (const [fault, status, words] of [
      [{ error: "bad_client_secret" }, 400, "did not confirm"],
      [{ httpStatus: 500 }, 502, "could not be reached"],
    ] as const) {
      bench.slack.fail({ method: "oauth.v2.access", ...fault });
      const reply = await install({ choice: "acme" });
      expect({ status: reply.status, says: reply.body.includes(words) }).toEqual({ status, says: true });
      expect(reply.body).toMatch(/Begin again[\s\S]*Error [0-9a-f-]{36}/);
    }
    expect(await tenants()).toEqual([]);
    expect((await install({ choice: "acme" })).status).toBe(200);
  });

  test("two workspaces of one name are two, and a name with markup is text", async () => {
    const title = `<img src=x onerror=alert(1)>"'\u202e`;
    await start({ seed: seedWith({ title }, true) });
    const first = await install({ choice: "acme" });
    expect(heading(first.body)).toBe("Footnote is installed in &lt;img src=x onerror=alert(1)&gt;&quot;&#39;");
    expect(first.body).not.toContain("<img");
    await install({ choice: "globex" });
    const plain = `<img src=x onerror=alert(1)>"'`;
    expect((await tenants()).sort()).toEqual([`${plain} (${bench.slack.workspace("globex").teamId}) active`, `${plain} active`]);
  });
});
