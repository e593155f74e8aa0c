import { parseMarkdown } from "../../../src/bot/out/mrkdwn/parse.ts";
import { toMrkdwn } from "../../../src/bot/out/mrkdwn.ts";

interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
}
const depth = ({ children = [] }: Node): number => 1 + Math.max(0, ...children.map(depth));

describe("a text that opens thousands of lists or quotations on one line", () => {
  // The parser needs time with the square of the depth: seconds in which nobody else gets an answer.
  test.each(["- ", "> ", "1. ", "* - > 1) ", ">"])("is not followed into every one of them: %j", (opener) => {
    const text = `${opener.repeat(3_000)}the end`;
    expect(depth(parseMarkdown(text).tree)).toBeLessThan(80);
    expect(toMrkdwn(text).flat().join("\n")).toContain("the end");
  });

  test("is still a list or a quotation when people could have meant it", () => {
    expect(depth(parseMarkdown(`${"> ".repeat(5)}deep`).tree)).toBe(8);
    expect(depth(parseMarkdown(`${"- ".repeat(5)}deep`).tree)).toBe(13);
  });

  test("a rule of many dashes stays a rule, and code stays as written", () => {
    expect(parseMarkdown("- ".repeat(60)).tree.children.map(({ type }) => type)).toEqual(["thematicBreak"]);
    const code = `\`\`\`\n${"> ".repeat(60)}x\n\`\`\``;
    expect(parseMarkdown(code).source).toBe(code);
  });
});
