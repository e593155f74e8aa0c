import { insideRevision } from "../../../playground/server/links.ts";
import { longAnswer } from "./generated-answers.ts";
import { addressPayloads, mentionPayloads } from "./payloads.ts";
import { deltasOf, streamed } from "./streaming.ts";

const known = "https://docs.test/handbook?page=2&v=1";
const options = { allowed: new Set([known]), citations: new Map([[1, known]]) };
const everyCharacter = (text: string) => Array.from(text);
const inside = (text: string) => insideRevision({ text, blocks: [{ type: "markdown", text }], attachments: [] });
const live = (text: string) =>
  inside(text)
    .links.map(({ url }) => url.replaceAll("&amp;", "&").replace(/\)+$/, ""))
    .filter((url) => url !== known);

describe("text of a model in a stream does nothing but be read", () => {
  test.each(addressPayloads)("no address is live at any moment: %j", (payload) => {
    for (const text of [`Fact [1].\n\n${payload}\n\nand more`, `- [1] ${payload} after`]) {
      const { states } = streamed(everyCharacter(text), options);
      for (const state of new Set(states)) {
        expect(live(state)).toEqual([]);
        expect(state).not.toMatch(/<[!@#a-z]/i);
      }
    }
  });

  test.each(mentionPayloads)("nobody is called at any moment by %j", (payload) => {
    for (const text of [`say ${payload} now`, `\`${payload}\``, `\`\`\`\n${payload}\n\`\`\``]) {
      for (const state of streamed(everyCharacter(text), options).states) {
        expect(inside(state).mentions).toEqual([]);
        expect(state).not.toMatch(/<[!@#]/);
      }
    }
  });
});

describe("a long answer that is streamed", () => {
  const fences = (text: string) => (text.match(/^```/gm) ?? []).length;

  test.each(Array.from({ length: 12 }, (_, at) => [at + 1, at < 3 ? 5 : 150]))(
    "generated answer %i arrives once, in order, in messages that Slack takes, and nothing has to be taken back",
    (seed, length) => {
      const { markdown, marks } = longAnswer(seed);
      const { messages, reached } = streamed(deltasOf(markdown.slice(0, length < 10 ? 6_000 : undefined), length), options);
      const expected = length < 10 ? marks.filter((mark) => markdown.slice(0, 6_000).includes(mark)) : marks;
      expect(reached).toBe(true);
      expect(messages.join("\n").match(/w\d+x\d+z/g)).toEqual(expected);
      for (const message of messages) {
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(9_010);
        expect(fences(message) % 2).toBe(0);
      }
    },
  );
});
