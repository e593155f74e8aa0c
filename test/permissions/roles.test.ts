import { describe, expect, test } from "@jest/globals";
import type { Role } from "../../src/permissions/directory.ts";
import { atLeast, type SlackUserFlags, standingOf, takesPart } from "../../src/permissions/roles.ts";

const home = "T_ACME";
const user = (flags: Partial<SlackUserFlags>): SlackUserFlags => ({ id: "U1", team_id: home, ...flags });
const role = (flags: Partial<SlackUserFlags>) => standingOf(user(flags), home).role;

describe("who somebody is, from Slack's description", () => {
  test.each<[string, Partial<SlackUserFlags>, Role]>([
    ["the primary owner owns the workspace", { is_primary_owner: true, is_owner: true, is_admin: true }, "owner"],
    ["another owner too", { is_owner: true, is_admin: true }, "owner"],
    ["an admin is an admin", { is_admin: true }, "admin"],
    ["without a flag: a member", {}, "member"],
    ["a multi-channel guest is a guest", { is_restricted: true }, "guest"],
    ["a single-channel guest is a guest", { is_restricted: true, is_ultra_restricted: true }, "guest"],
    ["a guest flag outweighs an admin flag", { is_ultra_restricted: true, is_admin: true }, "guest"],
    ["a stranger is an outsider", { is_stranger: true }, "outsider"],
    ["somebody of another workspace is an outsider", { team_id: "T_GLOBEX" }, "outsider"],
    ["an admin of another workspace is an outsider", { team_id: "T_GLOBEX", is_admin: true, is_owner: true }, "outsider"],
    ["a guest of another workspace is an outsider", { team_id: "T_GLOBEX", is_restricted: true }, "outsider"],
    ["a colleague of the same organisation is a member", { team_id: "T_OTHER", enterprise_user: { teams: [home, "T_OTHER"] } }, "member"],
    [
      "whose admin flag of another workspace means nothing here",
      { team_id: "T_OTHER", is_admin: true, enterprise_user: { teams: [home] } },
      "member",
    ],
    [
      "a colleague of the organisation who is not in this workspace",
      { team_id: "T_OTHER", enterprise_user: { teams: ["T_OTHER"] } },
      "outsider",
    ],
  ])("%s", (_, flags, expected) => expect(role(flags)).toBe(expected));

  test("somebody of whom Slack names no workspace is an outsider", () => expect(standingOf({ id: "U1" }, home).role).toBe("outsider"));

  test.each<[string, Partial<SlackUserFlags>, boolean]>([
    ["a bot", { is_bot: true }, false],
    ["a workflow's bot", { is_workflow_bot: true }, false],
    ["Slackbot", { id: "USLACKBOT" }, false],
    ["a deactivated member", { deleted: true }, false],
    ["an outsider", { is_stranger: true }, false],
    ["a guest", { is_restricted: true }, true],
    ["a member", {}, true],
  ])("%s takes part: %#", (_, flags, expected) => expect(takesPart(standingOf(user(flags), home))).toBe(expected));
});

test("roles compare from outsider to owner, and an unknown role is never enough", () => {
  const order: Role[] = ["outsider", "guest", "member", "admin", "owner"];
  for (const [i, left] of order.entries()) for (const [j, right] of order.entries()) expect(atLeast(left, right)).toBe(i >= j);
  expect(atLeast("superuser" as Role, "outsider")).toBe(false);
  expect(atLeast("owner", "superuser" as Role)).toBe(false);
});
