import { expect, test } from "@jest/globals";
import type { Connection } from "../../../src/bot/approvals/login/connections.ts";
import type { ExternalCommand } from "../../../src/bot/commands/command.ts";
import { decideExternal } from "../../../src/bot/commands/external-commands.ts";
import type { Work } from "../../../src/bot/commands/given.ts";
import { wordsFor } from "../../../src/bot/words/catalogue.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import type { ExternalReport } from "../../../src/plugins/external-report.ts";
import { person } from "../../fakes/people.ts";
import { wordsOf } from "../surfaces/surface-bench.ts";

const report: ExternalReport = {
  servers: [
    { name: "tracker", problem: null, leftOut: [{ name: "bad", reason: "its definition is too long" }] },
    { name: "files", problem: "The external server cannot be reached.", leftOut: [] },
  ],
  tools: [{ name: "tracker__find", server: "tracker", status: "new", effect: null, fingerprint: "0123456789ab", text: "" }],
};
const calendar: Connection = { server: "calendar", title: "Calendar", host: "calendar.example", state: "none" };

/** What somebody reads, and whose log-ins were made and ended. */
async function says(who: Person, command: Partial<ExternalCommand>, connections: readonly Connection[] = [calendar]) {
  const did: string[] = [];
  const work = {
    given: { key: "k", person: who.id, channel: "C1" },
    person: who,
    words: wordsFor(undefined),
    desk: {
      commands: { take: async () => true },
      external: { list: async () => [] },
      externalReport: async () => report,
      connections: {
        of: async () => connections,
        link: async (server: string, id: string) => (server === "calendar" ? `https://footnote.test/login/${id}` : undefined),
        logOut: async (server: string, id: string) => did.push(`${server} ${id}`) > 0 && server === "calendar",
      },
    },
  } as unknown as Work;
  const reply = await decideExternal(work, { kind: "external", verb: "list", name: "", fingerprint: "", ...command });
  return { text: (reply ?? []).map(({ text, blocks }) => `${text}\n${wordsOf(blocks)}`).join("\n"), did };
}
const [admin, member, guest, outsider] = [
  person("admin", { role: "admin" }),
  person("member"),
  person("guest", { role: "guest" }),
  person("outsider", { role: "outsider" }),
];

test("an admin reads with /footnote mcp what the operator reads with footnote mcp list, and their own log-ins", async () => {
  const { text } = await says(admin, {});
  expect(text).toMatch(/\*tracker\*: connected\nbad is left out, because its definition is too long/);
  expect(text).toContain("*files*: The external server cannot be reached.");
  expect(text).toContain("`tracker__find@0123456789ab` waits for approval, asks for each call");
  expect(text).toContain("*Calendar (calendar)* (`calendar.example`)\nNot connected.");
  expect(text).toContain("/footnote mcp approve");
  expect(text).toContain("/footnote mcp connect");
});

test("everybody else reads of their own log-ins alone, and how to begin and end them", async () => {
  const { text } = await says(member, {});
  expect(text).toContain("Calendar");
  expect(text).toMatch(/\/footnote mcp connect &lt;server&gt;.*\/footnote mcp logout &lt;server&gt;/);
  expect(text).not.toMatch(/tracker|files|approve/);
  expect((await says(member, {}, [])).text).toContain("Only a workspace admin");
});

test("a link to log in with is given to whoever takes part, for their own account", async () => {
  for (const who of [admin, member, guest])
    expect((await says(who, { verb: "connect", name: "calendar" })).text).toContain(`<https://footnote.test/login/${who.id}|`);
  expect((await says(member, { verb: "connect", name: "other <!channel>" })).text).toMatch(
    /Nobody logs in at a server \*other &lt;!channel&gt;/,
  );
});

test("a log-in is ended by its own person", async () => {
  const { text, did } = await says(member, { verb: "logout", name: "calendar" });
  expect(text).toContain("is destroyed here");
  expect(did).toEqual([`calendar ${member.id}`]);
  expect((await says(member, { verb: "logout", name: "files" })).text).toContain("You are not logged in");
});

test("people of other organisations get neither a list nor a link", async () => {
  for (const verb of ["list", "connect", "logout"] as const) {
    const { text, did } = await says(outsider, { verb, name: verb === "list" ? "" : "calendar" });
    expect(text).not.toMatch(/Calendar|https:/);
    expect(did).toEqual([]);
  }
});
