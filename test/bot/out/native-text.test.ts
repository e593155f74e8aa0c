import { insideRevision } from "../../../playground/server/links.ts";
import { addressPayloads, mentionPayloads } from "./payloads.ts";
import { deltasOf, expectStreamedWhole, streamed } from "./streaming.ts";

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
    // Character by character where it matters.
    for (const [before, after] of [
      ["Fact [1].\n\n", "\n\nand more"],
      ["- [1] ", " after"],
    ] as const) {
      const { states } = streamed([before, ...everyCharacter(payload), after], options);
      for (const state of new Set(states)) {
        expect(live(state)).toEqual([]);
        expect(state).not.toMatch(/<[!@#a-z]/i);
      }
    }
  });

  test.each(mentionPayloads)("H5-TXT-09: nobody is called at any moment by %j", (payload) => {
    for (const text of [`say ${payload} now`, `\`${payload}\``, `\`\`\`\n${payload}\n\`\`\``]) {
      for (const state of streamed(everyCharacter(text), options).states) {
        expect(inside(state).mentions).toEqual([]);
        expect(state).not.toMatch(/<[!@#]/);
      }
    }
  });
});

describe("Markdown in a stream", () => {
  const example = {
    allowed: new Set(["https://example.com"]),
    citations: new Map([
      [1, known],
      [2, "https://docs.test/2"],
    ]),
  };
  const withoutCode = (text: string) => text.replace(/```[\s\S]*?(?:```|$)/g, " ").replace(/`[^`\n]+`/g, " ");

  test("H5-STR-07: no state shows a mark or a link that is still open; a fence is open only while its code is written", () => {
    const deltas = ["**bo", "ld** and `co", "de` then\n```js\nlet a", "=1;\n```\n end [li", "nk](https://example.com)"];
    for (const pieces of [deltas, everyCharacter(deltas.join(""))]) {
      const { states, messages, reached } = streamed(pieces, example);
      for (const state of states) {
        const prose = withoutCode(state);
        expect((prose.match(/\*\*/g) ?? []).length % 2).toBe(0);
        expect(prose).not.toMatch(/`|\[[^\]]*$|\]\([^)]*$/);
      }
      expect(reached).toBe(true);
      expect(messages).toEqual(["**bold** and `code` then\n\n```\nlet a=1;\n```\n\nend [link](https://example.com)"]);
    }
  });

  test("H5-CIT-06: brackets in code stay, also in a fence that never ends", () => {
    const text = "Use `grid[k][1]` [1]:\n```py\nshow(row[0], row[7])\ny = [1]\n```\nand footnote [2].";
    const { messages, reached } = streamed(everyCharacter(text), example);
    expect(reached).toBe(true);
    expect(messages).toEqual([
      `Use \`grid[k][1]\` [[1]](${known}):\n\n\`\`\`\nshow(row[0], row[7])\ny = [1]\n\`\`\`\n\nand footnote [[2]](https://docs.test/2).`,
    ]);
    expect(streamed(everyCharacter("See [1]:\n```\na[1]\nb[2"), example).messages).toEqual([
      `See [[1]](${known}):\n\n\`\`\`\na[1]\nb[2\n\`\`\``,
    ]);
  });

  test("H5-CIT-07: half a marker is never shown, and an open bracket does not hold back the rest for ever", () => {
    const long = `end [open bracket never closed and ${"many more words ".repeat(300)}`;
    const { states, messages } = streamed(["Limit is 5 [", "1", "]. ", "More [ci", "te:ab", "] ", long, "x"], example);
    expect(states.slice(0, 3)).toEqual(["Limit is 5", "Limit is 5", `Limit is 5 [[1]](${known}).`]);
    for (const state of states.slice(0, 5)) expect(state).not.toMatch(/\[ci/);
    expect(messages.join("")).toContain("open bracket never closed");
    expect(states.at(-2)).toContain("many more words");
  });

  test("a message that begins inside a list, a quotation or a fence begins well", () => {
    const words = (name: string) => Array.from({ length: 60 }, (_, at) => `${name}${at}`).join(" ");
    const list = Array.from({ length: 12 }, (_, at) => `- a${at}\n    - ${words(`b${at}x`)}\n        - ${words(`c${at}x`)}`).join("\n");
    const { messages } = streamed(deltasOf(list, 50), {}, 2_500);
    expect(messages.length).toBeGreaterThan(3);
    // Four spaces at the beginning would be code.
    for (const message of messages) expect(message).toMatch(/^- /);
    const quote = streamed(deltasOf(`> ${words("q")} ${words("r")} ${words("s")}`, 50), {}, 500).messages;
    for (const message of quote) expect(message).toMatch(/^> /);
    const code = streamed(deltasOf(`\`\`\`\n${words("x").replaceAll(" ", "\n")}\n\`\`\``, 50), {}, 300).messages;
    for (const message of code) expect(message).toMatch(/^```\n[\s\S]*\n```$/);
  });
});

describe("a long answer that is streamed", () => {
  // Slow twins of these stream twelve whole ones, and 200 in larger pieces.
  test.each([
    [1, 5, 2_000],
    [2, 150, 12_000],
    [3, 150, 12_000],
    [4, 150, 12_000],
  ])("generated answer %i arrives once, in order, in messages that Slack takes, and nothing has to be taken back", expectStreamedWhole);
});
