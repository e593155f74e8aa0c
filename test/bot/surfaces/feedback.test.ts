import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { newId } from "../../../src/core/ids.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, cellar, guest, hall, member, owner, thread } from "./surface-bench.ts";

describe.each(testDatabases)("feedback on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(() => bench.reset());

  const at = { channel: hall, thread };
  const worst = async (tenant = bench.tenant) => (await bench.desk(tenant)).feedback.worst({ limit: 10, offset: 0 });
  const send = (who: typeof member, comment: string) =>
    bench.click(who, "feedback_comment", { view: bench.top, entered: new Map([["comment", comment]]) });

  test("a thumb down counts at once; its comment is stored with the trace; each person has one word, which may change", async () => {
    const { id } = await bench.answer();
    expect(await bench.click(member, "rate_answer", { value: `down ${id}`, at })).toContain("What was wrong, or missing?");
    expect((await worst()).answers).toEqual([expect.objectContaining({ trace: id, channel: hall, thread, up: 0, down: 1, comments: [] })]);
    await send(member, "  It is 26 weeks.  ");
    await bench.click(member, "rate_answer", { value: `down ${id}`, at });
    expect(JSON.stringify(bench.shown.at(-1)?.view)).toContain('"initial_value":"It is 26 weeks."');
    expect((await worst()).answers[0]).toMatchObject({ down: 1, comments: [{ person: member.id, text: "It is 26 weeks." }] });
    await bench.click(member, "rate_answer", { value: `up ${id}`, at });
    expect(bench.told.at(-1)).toEqual({ to: member.id, text: "Thank you, that is noted." });
    // A word can be added to a good one, too.
    expect(await bench.click(member, "comment_answer", { value: `up ${id}`, at })).toContain("What was good");
    expect(await worst()).toEqual({ answers: [], total: 0 });
  });

  test("the worst come first, and only to their own workspace", async () => {
    const [first, second, third] = [(await bench.answer()).id, (await bench.answer()).id, (await bench.answer()).id];
    for (const who of [admin, guest]) await bench.click(who, "rate_answer", { value: `down ${second}`, at });
    await bench.click(admin, "rate_answer", { value: `down ${first}`, at });
    await bench.click(owner, "rate_answer", { value: `up ${first}`, at });
    await bench.click(owner, "rate_answer", { value: `up ${third}`, at });
    expect((await worst()).answers.map(({ trace, up, down }) => [trace, up, down])).toEqual([
      [second, 0, 2],
      [first, 1, 1],
    ]);
    expect((await worst()).total).toBe(2);
    expect(await worst(bench.other)).toEqual({ answers: [], total: 0 });
  });

  test.each([
    ["an answer where they do not read", async () => `down ${(await bench.answer(cellar)).id}`],
    ["one that never was", async () => `down ${newId()}`],
    ["something that is no answer", async () => "down ' OR 1=1"],
    ["a third opinion", async () => `sideways ${(await bench.answer()).id}`],
  ])("a forged thumb on %s keeps nothing", async (_, forge) => {
    const value = await forge();
    await bench.click(member, "rate_answer", { value, at: { channel: cellar } });
    await bench.click(member, "feedback_comment", {
      view: { id: "V1", hash: "h", kind: "modal", metadata: value },
      entered: new Map([["comment", "x"]]),
      ...(value.startsWith("sideways") && { at }),
    });
    expect(await worst()).toEqual({ answers: [], total: 0 });
  });
});
