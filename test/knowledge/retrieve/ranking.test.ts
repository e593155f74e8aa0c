import { describe, expect, test } from "@jest/globals";
import { passageId } from "../../../src/core/ids.ts";
import { compoundParts, respellings } from "../../../src/knowledge/full-text/respell.ts";
import { queryWords } from "../../../src/knowledge/full-text/terms.ts";
import { candidatesOf } from "../../../src/knowledge/retrieve/candidate.ts";
import { diversify } from "../../../src/knowledge/retrieve/diversify.ts";
import { fuse, meaningWeight } from "../../../src/knowledge/retrieve/fuse.ts";
import { rerank } from "../../../src/knowledge/retrieve/rerank.ts";

const scored = (id: string, score: number) => ({ passageId: passageId(id), score });
const ids = (list: readonly { passageId: string }[]) => list.map((each) => each.passageId);

describe("one list out of two", () => {
  test("H5-SRC-01: a passage that both sides found is there once, and first", () => {
    const fused = fuse([scored("c1", 0.5), scored("c2", 0.4), scored("c3", 0.4)], [scored("c3", 0.6), scored("c4", 0.5)], 0.3);
    expect(ids(fused)).toEqual(["c3", "c4", "c1", "c2"]);
  });
  test("meaning counts less the longer the question is", () => {
    expect(meaningWeight(0.2, 3)).toBe(0.2);
    expect(meaningWeight(0.2, 20)).toBeLessThan(0.1);
  });
});

describe("sorting anew by what the texts say", () => {
  const words = queryWords("notice period").map((word) => ({ ...word, weight: 1 }));
  const read = (id: string, title: string, text: string, day = 1) => ({ passageId: passageId(id), title, text, updatedAt: new Date(day) });

  test("a phrase of the question goes before its words apart", () => {
    const texts = [
      read("apart", "A", "A period after which a notice is taken down."),
      read("phrase", "B", "The notice period is two months."),
    ];
    const candidates = candidatesOf([scored("apart", 0.5), scored("phrase", 0.5)], texts);
    expect(ids(rerank(candidates, words))).toEqual(["phrase", "apart"]);
  });
  test("a title that says what is asked goes before one that does not", () => {
    const texts = [read("other", "Canteen", "Two months."), read("titled", "Notice period", "Two months.")];
    expect(ids(rerank(candidatesOf([scored("other", 0.5), scored("titled", 0.5)], texts), words))).toEqual(["titled", "other"]);
  });
  test("of two that have the words' stems, the one with the words as they were asked goes first", () => {
    const asked = queryWords("university policies").map((word) => ({ ...word, weight: 1 }));
    const texts = [read("stems", "A", "The policy: a universe of rules."), read("as asked", "B", "The policies: a university of rules.")];
    expect(ids(rerank(candidatesOf([scored("stems", 0.5), scored("as asked", 0.5)], texts), asked))).toEqual(["as asked", "stems"]);
  });
  test("a copy of a passage goes behind all others, the original stays", () => {
    const same = "The notice period is two months to the end of a month.";
    const texts = [read("copy", "A", same, 2), read("original", "A", same, 1), read("other", "B", "A period of rest.")];
    const sorted = rerank(candidatesOf([scored("copy", 0.9), scored("original", 0.9), scored("other", 0.1)], texts), words);
    expect(ids(diversify(sorted))).toEqual(["original", "other", "copy"]);
  });
  test("what could no longer be read is left out", () => {
    expect(ids(candidatesOf([scored("gone", 1), scored("there", 0.5)], [read("there", "A", "x")]))).toEqual(["there"]);
  });
});

test("slips of the fingers are undone, numbers and short words are left alone", () => {
  for (const wrong of ["parentl", "parrental", "parebtal", "praental"]) expect(respellings(wrong)).toContain("parental");
  expect(respellings("отпуcк".replace("c", "к"))).toContain("отпуск");
  for (const left of ["cat", "2026", "a113b", "育児休暇制度"]) expect(respellings(left)).toEqual([]);
  expect(compoundParts("elternzeitsantrag")).toContainEqual(["elternzeit", "antrag"]);
});
