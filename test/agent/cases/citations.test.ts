import { Citations, headline } from "../../../src/agent/citations/citations.ts";
import { text } from "../../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, alice, finds, general, source, tool } from "../setup.ts";

const citations = () => new Citations({ passage: String }, { channel: general.id, person: alice.id });
/** What people see of an answer that comes in these pieces, draft by draft. */
function shown(known: number, ...pieces: readonly string[]): { drafts: string[]; whole: string } {
  const all = citations();
  all.render(text("", { sources: Array.from({ length: known }, (_, at) => source(`${at + 1}`)) }), 99_999);
  const filter = all.text();
  const drafts: string[] = [];
  for (const piece of pieces) {
    filter.push(piece);
    drafts.push(filter.whole);
  }
  filter.end();
  return { drafts, whole: filter.whole };
}

test("H5-CIT-02: numbers without a source vanish, and what a limit drops gets no number", async () => {
  const all = citations();
  const passage = (length: number) => ({ passage: "x".repeat(length) });
  const shownToModel = all.render(
    text("5 found.", {
      sources: [source("A"), source("B"), source("C", passage(900)), source("D", passage(900)), source("E")],
    }),
    600,
  );
  expect(shownToModel).toContain("[3] Title E");
  expect(shownToModel).toContain("2 more sources");
  const filter = all.text();
  filter.push("A [1]. B [3]. C [7]. D [0].");
  filter.end();
  expect(filter.whole).toBe("A [1]. B [3]. C. D.");
  expect(all.cited.map(({ n, source }) => `${n} ${source.id}`)).toEqual(["1 A", "3 E"]);
});

test("H5-CIT-05: a passage over two pages names both; one without pages names none", () => {
  expect(headline(1, source("a", { title: "Fees", page: 6, pageEnd: 7 }))).toContain("pages 6–7");
  expect(headline(2, source("b", { title: "notes.txt" }))).toBe("[2] notes.txt");
});

test("H5-CIT-06: brackets in code and in a tool's arguments are no citations", async () => {
  const answer = "Use `grid[k][1]` [1]:\n```py\nshow(row[0], row[7])\ny = [1]\n```\nand footnote [2].";
  expect(shown(2, ...answer).whole).toBe(answer);
  const open = "See [1]:\n```py\ny = [7]\nz = row[0]";
  expect(shown(2, ...open).whole).toBe(open);
  const seen: unknown[] = [];
  const search = tool("search", async (params) => {
    seen.push(params);
    return text("ok", { sources: [source("a")] });
  });
  await agent({ model: new ScriptedModel(calls(call("search", { q: "arr[1] [7]" })), says("ok")), tools: [search] }).ask();
  expect(seen).toEqual([{ q: "arr[1] [7]" }]);
});

test("H5-CIT-07: no draft shows half a marker, and a bracket that never closes holds nothing up", () => {
  const rest = "open bracket never closed and ".padEnd(5_000, "more words ");
  const { drafts, whole } = shown(1, "Limit is 5 [", "1", "]. More [ci", "te:ab", "] end [", rest, "x", "y");
  for (const draft of drafts.slice(0, 2)) expect(draft).not.toContain("[");
  expect(whole).toContain("Limit is 5 [1]. More [cite:ab] end [open bracket");
  // What arrived before the last two pieces is on the screen: it did not wait for the bracket's end.
  expect(drafts.at(-1)?.length).toBeGreaterThan(whole.length - 70);
});

test("H5-CIT-08: numbers are unique over all tools of an answer, and a source found twice keeps its own", async () => {
  const web = finds("web", source("X"), source("Y"));
  const second = finds("again", source("B"), source("C"));
  const model = new ScriptedModel(calls(call("search")), calls(call("web")), calls(call("again")), says("A [1], X [3], B [2], C [5]."));
  const { citations } = await agent({ model, tools: [finds("search", source("A"), source("B")), web, second] }).ask();
  expect(citations.map(({ n, source }) => `${n} ${source.id}`)).toEqual(["1 A", "2 B", "3 X", "5 C"]);
});
