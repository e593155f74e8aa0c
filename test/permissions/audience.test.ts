import { describe, expect, test } from "@jest/globals";
import type { Principal } from "../../src/core/principal.ts";
import { audienceFor, audienceOf } from "../../src/permissions/audience.ts";
import type { Person, Place } from "../../src/permissions/directory.ts";
import { channel, person, place } from "../fakes/people.ts";

const alice = person("alice", { role: "admin" });
const bob = person("bob");
const gina = person("gina", { role: "guest" });
const stranger = person("stranger", { role: "outsider" });
const bot = person("bot", { isBot: true });
const gone = person("gone", { deactivated: true });

const general = place("general", "public");
const board = place("board", "private");
const trio = place("trio", "group");
const dm = place("dm", "direct");
const with_ = (where: Place, guests: Place["guests"], outsiders: Place["outsiders"]): Place => ({ ...where, guests, outsiders });

type Row = [rule: string, where: Place, who: Person, may: Principal[]];

describe("which documents an answer in a channel may draw on", () => {
  test.each<Row>([
    ["members only, public: its own and the workspace's", general, bob, ["channel:C_GENERAL", "everyone"]],
    ["members only, private: its own and the workspace's", board, bob, ["channel:C_BOARD", "everyone"]],
    ["members only, group message: its own and the workspace's", trio, bob, ["channel:C_TRIO", "everyone"]],
    ["an admin who asks widens nothing", board, alice, ["channel:C_BOARD", "everyone"]],
    ["a guest is present: its own only", with_(general, "some", "none"), bob, ["channel:C_GENERAL"]],
    ["a guest is present in private: its own only", with_(board, "some", "none"), bob, ["channel:C_BOARD"]],
    ["a guest is present in a group: its own only", with_(trio, "some", "none"), bob, ["channel:C_TRIO"]],
    ["guests unknown: its own only", with_(general, "unknown", "none"), bob, ["channel:C_GENERAL"]],
    ["outsiders unknown: its own only", with_(general, "none", "unknown"), bob, ["channel:C_GENERAL"]],
    ["nothing known: its own only", with_(board, "unknown", "unknown"), alice, ["channel:C_BOARD"]],
    ["a guest asks: its own only", with_(general, "some", "none"), gina, ["channel:C_GENERAL"]],
    ["a guest asks where none was known: its own only", general, gina, ["channel:C_GENERAL"]],
    ["outsiders present (shared, or about to be): nothing", with_(general, "none", "some"), bob, []],
    ["outsiders present, an admin asks: nothing", with_(board, "some", "some"), alice, []],
    ["outsiders present in a group: nothing", with_(trio, "none", "some"), bob, []],
    ["an outsider asks: nothing", with_(general, "none", "some"), stranger, []],
    ["an outsider asks where none was known: nothing", general, stranger, []],
    ["a bot asks: nothing", general, bot, []],
    ["a deactivated account asks: nothing", general, gone, []],
  ])("%s", (_, where, who, may) => expect(audienceFor(where, who, [channel("general"), channel("secret")]).principals).toEqual(may));
});

describe("which documents an answer in a direct message may draw on", () => {
  const channels = [channel("general"), channel("board")];
  test.each<Row>([
    [
      "a member: the workspace's, their own, their channels'",
      dm,
      bob,
      ["channel:C_BOARD", "channel:C_GENERAL", "everyone", "person:U_BOB"],
    ],
    ["an admin: no more than that", dm, alice, ["channel:C_BOARD", "channel:C_GENERAL", "everyone", "person:U_ALICE"]],
    ["a guest: their own, their channels'", dm, gina, ["channel:C_BOARD", "channel:C_GENERAL", "person:U_GINA"]],
    ["an outsider: nothing", dm, stranger, []],
    ["a direct message with outsiders: nothing", with_(dm, "none", "some"), bob, []],
    ["a bot: nothing", dm, bot, []],
    ["a deactivated account: nothing", dm, gone, []],
  ])("%s", (_, where, who, may) => expect(audienceFor(where, who, channels).principals).toEqual(may));

  test("a channel the person is not in stays out of reach", () =>
    expect(audienceFor(dm, bob, [channel("general")]).principals).not.toContain("channel:C_BOARD"));

  test("nobody else's person grant is ever in it, wherever one asks", () => {
    for (const where of [general, board, trio, dm]) {
      const persons = audienceFor(where, bob, channels).principals.filter((principal) => principal.startsWith("person:"));
      expect(persons).toEqual(where === dm ? ["person:U_BOB"] : []);
    }
  });
});

describe("the key of an audience", () => {
  const key = (...grants: Principal[]) => audienceOf(grants).key;

  test("is equal for the same grants, whatever their order", () =>
    expect(key("everyone", "channel:C1", "person:U1")).toBe(key("person:U1", "everyone", "channel:C1", "everyone")));

  test.each<[string, string]>([
    ["one grant more", key("everyone", "channel:C1")],
    ["another channel", key("channel:C2")],
    ["none", key()],
    ["a grant whose name looks like two", key("channel:C1,everyone" as Principal)],
  ])("differs for %s", (_, other) => expect(key("channel:C1")).not.toBe(other));

  test("differs between two people's direct messages, and is shared by two people in one channel", () => {
    expect(audienceFor(dm, bob, []).key).not.toBe(audienceFor(dm, alice, []).key);
    expect(audienceFor(general, bob, []).key).toBe(audienceFor(general, alice, []).key);
  });
});

describe("documents for user groups", () => {
  const group: Principal = "group:S1";
  const seen = (where: Place, groups: readonly string[]) => audienceFor(where, bob, [], { groups }).principals.includes(group);

  test("a user group that everybody in a private channel is in", () =>
    expect(seen(place("board", "private", { groups: ["S1"] }), [])).toBe(true));
  test("one that the asker is in, but not everybody there, does not count there", () =>
    expect(seen(place("board", "private"), ["S1"])).toBe(false));
  test("in a direct message it counts for whoever is in it", () => expect([seen(dm, ["S1"]), seen(dm, [])]).toEqual([true, false]));
});
