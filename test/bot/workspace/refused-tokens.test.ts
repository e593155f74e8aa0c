import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Secret } from "../../../src/core/secret.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { InstallBench, organisationSeed, type Process } from "../install/install-bench.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

let bench: InstallBench;
let program: Process;
afterEach(() => bench.stop());

const tenant = async (workspace: string) => {
  const found = await program.store.tenants.byTeam(bench.slack.workspace(workspace).teamId);
  if (!found) throw new Error("not installed");
  return found;
};
/** A job that posts to a workspace's general channel. */
const post = async (workspace: string) => {
  const { client } = await program.pool.load((await tenant(workspace)).id);
  const { channel } = await client.chat.postMessage({ channel: bench.slack.workspace(workspace).channel("general"), text: "The news." });
  return channel;
};
const outcomes = async (jobs: readonly Promise<unknown>[]) => (await Promise.allSettled(jobs)).map(({ status }) => status);
const callsOf = (workspace: string) => bench.slack.calls.filter((call) => call.workspace === workspace).length;
const endless = 1_000_000;

describe("a token that Slack refuses", () => {
  beforeEach(async () => {
    bench = await InstallBench.start(db);
    program = await bench.process();
    for (const choice of ["acme", "globex"]) await bench.install(program, { choice });
    await program.greeted();
  });

  test.each(["account_inactive", "token_revoked", "invalid_auth"])(
    "H5-PRM-06: %s: after the first such answer the workspace needs a new installation and is called no more; the other one gets its post",
    async (error) => {
      bench.slack.fail({ method: "*", workspace: "acme", error, times: endless });
      expect(await outcomes([post("acme"), post("globex")])).toEqual(["rejected", "fulfilled"]);
      await program.tokens.refused.settled();
      expect(await tenant("acme")).toMatchObject({
        status: "suspended",
        suspendedBecause: `Slack does not accept its bot token any more (${error}).`,
      });
      const before = callsOf("acme");
      expect(await outcomes([post("acme"), post("acme"), post("globex")])).toEqual(["rejected", "rejected", "fulfilled"]);
      await program.tokens.refused.settled();
      expect([callsOf("acme"), (await tenant("globex")).status]).toEqual([before, "active"]);
    },
  );

  test("installing the app again mends it", async () => {
    bench.slack.fail({ method: "*", workspace: "acme", error: "token_revoked", times: 2 });
    expect(await outcomes([post("acme")])).toEqual(["rejected"]);
    await program.tokens.refused.settled();
    expect((await tenant("acme")).status).toBe("suspended");
    await bench.install(program, { choice: "acme" });
    expect((await tenant("acme")).status).toBe("active");
    expect(await outcomes([post("acme")])).toEqual(["fulfilled"]);
  });

  test.each([
    ["one call is refused and the token itself is good", [{ method: "chat.postMessage", error: "invalid_auth" }]],
    ["the channel is closed", [{ method: "chat.postMessage", error: "is_archived" }]],
    [
      "Slack cannot be asked",
      [
        { method: "chat.postMessage", error: "invalid_auth" },
        { method: "auth.test", httpStatus: 503 },
      ],
    ],
  ])("nobody is suspended where %s", async (_case, faults) => {
    for (const fault of faults) bench.slack.fail({ workspace: "acme", ...fault });
    expect(await outcomes([post("acme")])).toEqual(["rejected"]);
    await program.tokens.refused.settled();
    expect((await tenant("acme")).status).toBe("active");
    expect(await outcomes([post("acme")])).toEqual(["fulfilled"]);
  });

  test("nobody is suspended where Slack refuses every workspace's token, as it does an address that the app does not allow; it is looked into once in a while", async () => {
    bench.slack.fail({ method: "*", error: "invalid_auth", times: endless });
    expect(await outcomes([post("acme")])).toEqual(["rejected"]);
    await program.tokens.refused.settled();
    expect([(await tenant("acme")).status, (await tenant("globex")).status]).toEqual(["active", "active"]);

    const looks = () => bench.slack.calls.filter(({ method }) => method === "auth.test").length;
    const before = looks();
    expect(await outcomes([post("acme"), post("acme")])).toEqual(["rejected", "rejected"]);
    await program.tokens.refused.settled();
    expect(looks()).toBe(before);
  });

  test("the refusal of a former token does not end the new installation", async () => {
    const { id } = await tenant("acme");
    const { client } = await program.pool.load(id);
    const installation = await program.store.forTenant(id).installation.find();
    if (!installation) throw new Error("not installed");
    await program.store.forTenant(id).installation.save({ ...installation, token: new Secret("xoxb-new") });
    bench.slack.fail({ method: "*", workspace: "acme", error: "token_revoked", times: 2 });
    await expect(client.auth.test()).rejects.toThrow("token_revoked");
    await program.tokens.refused.settled();
    expect((await tenant("acme")).status).toBe("active");
    // From now on its clients use the new one.
    expect((await program.pool.load(id)).client.token).toBe("xoxb-new");
  });
});

test("an organisation's token that is refused suspends the organisation and the workspaces that it served", async () => {
  bench = await InstallBench.start(db, { seed: organisationSeed });
  program = await bench.process();
  await bench.install(program, { choice: "E0INITECH", person: "alice" });
  await program.greeted();
  bench.slack.fail({ method: "*", error: "account_inactive", times: endless });
  expect(await outcomes([post("acme")])).toEqual(["rejected"]);
  await program.tokens.refused.settled();
  expect(await bench.tenants(program)).toEqual(["Acme suspended", "Globex suspended", "Initech suspended"]);
});
