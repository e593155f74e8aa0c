import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { turnsWith, World } from "../bot/in/bot.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());
beforeEach(async () => {
  world = await World.start({}, db);
});

test("NUL in whatever is written is replaced, and makes no two texts equal", async () => {
  const [row] = await db.database.system((manager) =>
    manager.query<{ text: string; list: string[]; same: boolean }[]>(
      `SELECT $1::text AS text, $2::text[] AS list, $1::text = 'ab' AS same`,
      ["a\0b", ["\0", "plain"]],
    ),
  );
  expect(row).toEqual({ text: "a\uFFFDb", list: ["\uFFFD", "plain"], same: false });
  await world.stop();
});

test.each([
  ["an answer the database never takes", true],
  ["an answer it takes at the second try", false],
])("%s holds no thread up: the next question is answered", async (_, always) => {
  let tries = 0;
  const kept: (string | undefined)[] = [];
  await world.bot({
    turnsOf: (turns) =>
      turnsWith(turns, {
        finish: async (lease, end) => {
          tries += 1;
          if (end.answer !== undefined && (always || tries === 1)) throw new Error("invalid byte sequence");
          kept.push(end.answer);
          return turns.finish(lease, end);
        },
      }),
  });
  const first = world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: "@footnote first" });
  world.slack.post({ workspace: "acme", as: "alice", channel: "general", text: "@footnote second", thread: first });
  await world.slack.waitFor(() => world.answers("acme", "general", first).includes("Answer to: second"));
  await world.idle();
  expect(world.answers("acme", "general", first)).toEqual(["Answer to: first", "Answer to: second"]);
  expect(kept).toEqual(always ? [undefined, undefined] : ["Answer to: first", "Answer to: second"]);
  await world.stop();
});
