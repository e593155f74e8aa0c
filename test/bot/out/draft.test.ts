import { DraftParts } from "../../../src/bot/out/mrkdwn/draft-parts.ts";
import { paginate } from "../../../src/bot/out/mrkdwn/split.ts";
import { toMrkdwn } from "../../../src/bot/out/mrkdwn.ts";
import { longAnswer } from "./generated-answers.ts";
import { addressPayloads, mentionPayloads } from "./payloads.ts";
import { linkTargets, liveThings, withoutCode } from "./reading-slack.ts";

const known = "https://docs.test/handbook?page=2&v=1";
const options = { allowed: new Set([known, "https://example.com"]), citations: new Map([[1, known]]) };

/** Every revision shown while these deltas arrive. */
function revisions(deltas: readonly string[]): string[] {
  const draft = new DraftParts();
  let text = "";
  return deltas.map((delta) => {
    text += delta;
    return paginate(draft.read(text, options)).flat().join("\n\n");
  });
}
const everyCharacter = (text: string) => Array.from(text);
const final = (text: string) => toMrkdwn(text, options).flat().join("\n\n");

/** Marks that Slack would show as they are. */
const openMarks = (text: string) => withoutCode(text).match(/\*\*|`|~~|\]\(|(?<![\p{L}\p{N}])\*(?=\S)[^*\n]*$/gu) ?? [];

describe("an answer while it is being written", () => {
  const deltas = ["**bo", "ld** and `co", "de` then\n```js\nlet a", "=1;\n```\n end [li", "nk](https://example.com)"];

  test("H5-STR-07: no draft shows a mark that is still open", () => {
    for (const pieces of [deltas, everyCharacter(deltas.join(""))]) {
      for (const text of revisions(pieces)) {
        expect(openMarks(text)).toEqual([]);
        expect((text.match(/```/g) ?? []).length % 2).toBe(0);
      }
    }
  });

  test("open bold and open code are shown closed, not held back", () => {
    expect(revisions(deltas).slice(0, 2)).toEqual(["*bo*", "*bold* and `co`"]);
  });

  test("H5-CIT-07: half a citation is never shown, and an open bracket does not hold back the rest for ever", () => {
    const long = `end [open bracket never closed and ${"many more words ".repeat(300)}`;
    const drafts = revisions(["Limit is 5 [", "1", "]. ", "More [ci", "te:ab", "] ", long, "x"]);
    expect(drafts[0]).toBe("Limit is 5");
    expect(drafts[1]).toBe("Limit is 5");
    expect(drafts[2]).toBe("Limit is 5 <https://docs.test/handbook?page=2&amp;v=1|[1]>.");
    expect(drafts[3]).not.toContain("[ci");
    expect(drafts.at(-1)).toContain("open bracket never closed");
    expect(drafts.at(-1)).toContain("many more words");
  });

  test("a table appears as a table, never as pipes", () => {
    for (const text of revisions(everyCharacter("Here:\n\n| Part | Stock |\n|---|---:|\n| P7 | 1 |\n\nEnd of it."))) {
      expect(withoutCode(text)).not.toContain("|");
    }
  });

  test("a draft is a beginning of the answer: it never runs more than a few words behind", () => {
    const text = "The leave is 18 weeks, fully paid. It can be split in two parts and taken within the first year.";
    for (const [at, draft] of revisions(everyCharacter(text)).entries()) expect(at - draft.length).toBeLessThanOrEqual(20);
  });

  test.each([...addressPayloads, ...mentionPayloads])("no revision ever shows what the finished answer would not: %j", (payload) => {
    for (const text of [payload, `- [1] ${payload} after`]) {
      const links = new Set([known, ...linkTargets(final(text))]);
      const drafts = [...new Set([...revisions(everyCharacter(text)), final(text)])];
      expect(drafts.filter((draft) => /<[!@#]/.test(draft))).toEqual([]);
      expect(drafts.flatMap(linkTargets).filter((url) => !links.has(url))).toEqual([]);
      const live = drafts.flatMap(liveThings);
      expect(live.filter((found) => !found.startsWith("https://docs.test/handbook?page=2&amp;v=1"))).toEqual([]);
    }
  });

  test("an address that begins like an allowed one is never a link on the way", () => {
    for (const draft of revisions(everyCharacter("see https://example.com.evil.example/?d=secret now")))
      expect(linkTargets(draft)).toEqual([]);
  });

  test.each([1, 2, 3])("generated answer %i: the last draft of a finished text says what the final one says", (seed) => {
    const { markdown } = longAnswer(seed);
    const pieces = markdown.match(/[\s\S]{1,1500}/g) ?? [];
    const last = revisions([...pieces, "\n\nend\n\n"]).at(-1);
    expect(last).toBe(final(`${markdown}\n\nend`));
  });
});
