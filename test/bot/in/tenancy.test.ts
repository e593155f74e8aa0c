import { describe, expect, test } from "@jest/globals";
import { type Envelope, route } from "../../../src/bot/in/tenancy.ts";
import { cachedInstallations, type Installation, type Installations } from "../../../src/bot/workspace/installations.ts";
import { personId, tenantId } from "../../../src/core/ids.ts";
import { Secret } from "../../../src/core/secret.ts";

const installed = (teamId: string): Installation => ({
  tenant: tenantId(`tenant of ${teamId}`),
  teamId,
  appId: "A1",
  botUserId: personId(`UBOT${teamId}`),
  token: new Secret(`token of ${teamId}`),
});
const both: Installations = { byTeam: async (team) => (["TA", "TB"].includes(team) ? installed(team) : undefined) };
const teamOf = async (envelope: Envelope) => (await route(envelope, both)).teamId;

describe("a delivery belongs to one workspace", () => {
  const teams = ["TA", "TB"];
  const permutations = teams.flatMap((team_id) =>
    teams.flatMap((context) => teams.flatMap((authorized) => teams.map((author) => ({ team_id, context, authorized, author })))),
  );

  test.each(permutations)("somebody mentions A's bot in a shared channel: %j", async ({ team_id, context, authorized, author }) => {
    const event = { type: "app_mention", text: "<@UBOTTA> hi", team: author, user_team: author };
    const envelope = { api_app_id: "A1", team_id, context_team_id: context, authorizations: [{ team_id: authorized }], event };
    // Only where A is not named by any field that Slack vouches for can it be B's.
    expect(await teamOf(envelope)).toBe(context === "TB" && authorized === "TB" ? "TB" : "TA");
  });

  test("the author's home workspace never decides", async () => {
    const event = { text: "hi", team: "TB", user_team: "TB", source_team: "TB" };
    expect(await teamOf({ api_app_id: "A1", team_id: "TB", context_team_id: "TA", authorizations: [{ team_id: "TA" }], event })).toBe("TA");
  });

  test("the host of a shared channel has not installed the app: the installation that Slack names is used", async () => {
    const authorizations = [{ enterprise_id: null, team_id: "TA", is_bot: true }];
    expect(await teamOf({ team_id: "T_HOST", authorizations, event: { text: "<@UBOTTA> hi" } })).toBe("TA");
    expect(await teamOf({ team_id: "T_HOST", context_team_id: "T_HOST", authorizations, event: { text: "hi" } })).toBe("TA");
  });

  test("H5-PRM-09: a channel shared between workspaces: the installation that Slack authorises, never the outer team's; with none, nobody's", async () => {
    const envelope = (authorised: string) => ({
      team_id: "T_HOST",
      enterprise_id: "E1",
      is_ext_shared_channel: true,
      authorizations: [{ enterprise_id: null, team_id: authorised, is_bot: true }],
      event: { type: "message", user: "U1", team: authorised, channel: "C1", text: "<@UBOTTA> hi" },
    });
    expect(await route(envelope("TA"), both)).toMatchObject({ tenant: "tenant of TA", token: installed("TA").token });
    // Acknowledged and ignored: see the listeners' tests.
    await expect(route(envelope("T_NONE"), both)).rejects.toMatchObject({ code: "EVENT_UNROUTABLE" });
  });

  test("an old envelope with nothing but a team", async () => expect(await teamOf({ team_id: "TB" })).toBe("TB"));

  test("a click belongs to the workspace where the app is installed", async () => {
    expect(await teamOf({ type: "block_actions", api_app_id: "A1", team: { id: "TB" } })).toBe("TB");
  });

  test.each([
    ["an unknown workspace", { team_id: "T_NONE" }],
    ["another app", { api_app_id: "A2", team_id: "TA" }],
    ["an outer team that is installed, while Slack names another one", { team_id: "TA", authorizations: [{ team_id: "T_NONE" }] }],
    ["nothing at all", {}],
  ] as [string, Envelope][])("%s is unroutable", async (_name, envelope) => {
    await expect(route(envelope, both)).rejects.toMatchObject({ code: "EVENT_UNROUTABLE" });
  });

  test("a look-up that fails is not taken for an absence", async () => {
    const down: Installations = { byTeam: () => Promise.reject(new Error("down")) };
    await expect(route({ team_id: "TA" }, down)).rejects.toThrow("down");
  });
});

describe("installations are remembered for a moment", () => {
  test("one look-up serves many deliveries; absences and failures are asked again", async () => {
    const asked: string[] = [];
    let up = false;
    const cached = cachedInstallations({
      byTeam: async (team) => {
        asked.push(team);
        if (team === "TX" && !up) throw new Error("down");
        return team === "T0" ? undefined : installed(team);
      },
    });
    await Promise.all([cached.byTeam("TA"), cached.byTeam("TA")]);
    await cached.byTeam("TA");
    expect(asked).toEqual(["TA"]);
    expect(await cached.byTeam("T0")).toBeUndefined();
    expect(await cached.byTeam("T0")).toBeUndefined();
    await expect(cached.byTeam("TX")).rejects.toThrow("down");
    up = true;
    expect(await cached.byTeam("TX")).toMatchObject({ teamId: "TX" });
    expect(asked).toEqual(["TA", "T0", "T0", "TX", "TX"]);
  });
});
