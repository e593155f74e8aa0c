import { describe, expect, test } from "@jest/globals";
import { documentId, passageId } from "../../../src/core/ids.ts";
import { mergeNeighbours, type PlacedHit } from "../../../src/knowledge/retrieve/merge-neighbours.ts";

const hit = (ordinal: number, more: Partial<PlacedHit> = {}): PlacedHit => ({
  passageId: passageId(`p${ordinal}`),
  documentId: documentId("d"),
  title: "Handbook",
  text: `Text ${ordinal}.`,
  page: 4,
  pageEnd: 4,
  heading: "Leave",
  score: 1 - ordinal / 100,
  updatedAt: new Date(0),
  ordinal,
  ...more,
});
const shown = (...hits: PlacedHit[]) => mergeNeighbours(hits).map(({ passageId, text }) => [passageId, text]);

describe("passages that follow each other", () => {
  test("are read as one, in reading order, under the better one's id and page", () => {
    const [merged, ...others] = mergeNeighbours([hit(8, { pageEnd: 5 }), hit(7)]);
    expect(merged).toMatchObject({ passageId: "p8", text: "Text 7.\n\nText 8.", page: 4, pageEnd: 5, score: 0.92 });
    expect(merged).not.toHaveProperty("ordinal");
    expect(others).toEqual([]);
  });

  test("say once what both of them say", () => {
    const overlap = "This sentence was repeated at the cut.";
    expect(shown(hit(1, { text: `First. ${overlap}` }), hit(2, { text: `${overlap} Then more.` }))).toEqual([
      ["p1", `First. ${overlap} Then more.`],
    ]);
  });

  test.each<[string, PlacedHit]>([
    ["of another document", hit(2, { documentId: documentId("e") })],
    ["under another heading", hit(2, { heading: "Travel" })],
    ["on another page, so that each is cited with its own", hit(2, { page: 5 })],
    ["with one between them", hit(3)],
  ])("but not those %s", (_what, other) => expect(shown(hit(1), other)).toHaveLength(2));

  test("three at most: whoever cites them should still be pointing at something", () =>
    expect(shown(hit(1), hit(2), hit(3), hit(4)).map(([id]) => id)).toEqual(["p1", "p4"]));
});
