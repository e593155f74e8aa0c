import { expect, test } from "@jest/globals";
import type { Person, Place } from "../../src/permissions/directory.ts";
import { isReader } from "../../src/permissions/reader.ts";
import { channel, person, place } from "../fakes/people.ts";

const bob = person("bob");
const gina = person("gina", { role: "guest" });
const whereabouts = { channels: [channel("board"), channel("trio")], directMessage: channel("own") };

test.each<[string, Place, Person, boolean]>([
  ["a member reads any public channel", place("general", "public"), bob, true],
  ["a guest does not read a public channel they are not in", place("general", "public"), gina, false],
  ["a guest reads a public channel they are in", place("board", "public"), gina, true],
  ["a member reads a private channel they are in", place("board", "private"), bob, true],
  ["an admin does not read a private channel they are not in", place("secret", "private"), person("alice", { role: "admin" }), false],
  ["a member reads a group message they are in", place("trio", "group"), bob, true],
  ["a member does not read a group message they are not in", place("quartet", "group"), bob, false],
  ["everybody reads their own direct message", place("own", "direct"), bob, true],
  ["nobody reads another person's direct message", place("other", "direct"), bob, false],
  ["an outsider reads nothing", place("board", "private"), person("stranger", { role: "outsider" }), false],
  ["a deactivated account reads nothing", place("general", "public"), person("gone", { deactivated: true }), false],
])("%s", (_, where, who, expected) => expect(isReader(where, who, whereabouts)).toBe(expected));
