import { describe, expect, test } from "@jest/globals";
import type { Role } from "../../src/permissions/directory.ts";
import type { Standing } from "../../src/permissions/roles.ts";
import { type Change, mayNotChange } from "../../src/permissions/toggles.ts";

const people: readonly (readonly [string, Standing])[] = [
  ...(["owner", "admin", "member", "guest", "outsider"] as const).map(
    (role: Role) => [role, { role, isBot: false, deactivated: false }] as const,
  ),
  ["a bot with an admin's flag", { role: "admin", isBot: true, deactivated: false }],
  ["a deactivated owner", { role: "owner", isBot: false, deactivated: true }],
];

/** Who may make each change, in the order of `people`. */
const table: readonly (readonly [Change, string])[] = [
  ["person", "yes yes yes yes no no no"],
  ["thread", "yes yes yes yes no no no"],
  ["channel", "yes yes no no no no no"],
  ["admin", "yes yes no no no no no"],
  ["template", "yes yes no no no no no"],
  ["audience", "yes yes no no no no no"],
  ["knowledge", "yes yes no no no no no"],
];

describe.each(table)("a change for %s", (change, verdicts) => {
  test.each(people.map(([name, standing], at) => [name, standing, verdicts.split(" ")[at]] as const))("by %s", (_, standing, verdict) =>
    expect(mayNotChange(change, standing) === undefined ? "yes" : "no").toBe(verdict),
  );
});

test("a refusal says who may", () => {
  const member: Standing = { role: "member", isBot: false, deactivated: false };
  for (const change of ["channel", "admin", "template"] as const)
    expect(mayNotChange(change, member)).toMatch(/^Only a workspace admin (?:can|or)/);
});
