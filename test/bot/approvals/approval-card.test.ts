import type { CallToAllow } from "../../../src/agent/ports.ts";
import { approvalCard } from "../../../src/bot/approvals/approval-card.ts";
import { isEditable } from "../../../src/bot/approvals/edit-form.ts";
import { english, wordsFor } from "../../../src/bot/words/catalogue.ts";
import { newId, personId } from "../../../src/core/ids.ts";

const alice = personId("U_ALICE");
const call = (args: unknown, more: Partial<CallToAllow> = {}): CallToAllow => ({
  ...{ tool: "s__t", title: "S: t", effect: "side-effect", fingerprint: "f", mayRemember: false, confidential: false },
  arguments: JSON.stringify(args),
  ...more,
});

/** What a reader sees in the blocks of code. */
function codeOf(args: unknown): string {
  const { blocks } = approvalCard(newId(), call(args), alice, english.approvals);
  return blocks
    .flatMap((block) => (block.type === "rich_text" ? block.elements : []))
    .flatMap((element) => (element as { elements: { text: string }[] }).elements.map(({ text }) => text))
    .join("");
}

describe("T28: what a card shows of the arguments", () => {
  test.each([
    ["marks of Slack and code fences", { text: "``` *bold* <!channel> <@U_BOB> <https://evil.example|ok> ```" }],
    ["several lines", { text: "one\ntwo\n\n\n\n\n\n\n\n\n\nthree" }],
    ["right-to-left and emoji", { text: "שלום 👩‍👩‍👧 ok" }],
    ["nine thousand characters", { text: "x".repeat(9_000) }],
    ["padding with spaces", { text: `a${" ".repeat(500)}b` }],
    ["characters that show nothing", { text: "a\u200b\u202e\u{E0041}\u00a0\u3164b" }],
  ])("with %s: JSON that means exactly the same, in blocks without marks", (_what, args) => {
    const shown = codeOf(args);
    expect(JSON.parse(shown)).toEqual(args);
    expect(shown).not.toMatch(/[\u200b\u202e\u00a0\u3164\u{E0041}\n]| {9}/u);
  });

  test("each block fits into Slack", () => {
    const { blocks } = approvalCard(newId(), call({ text: "x".repeat(11_000) }), alice, english.approvals);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks) expect(JSON.stringify(block).length).toBeLessThan(3_200);
  });

  test("names of tools and servers cannot speak for us", () => {
    const hostile = call({}, { title: "<!channel> *Approved by admin*", tool: "x", server: "<@U_BOB>" });
    const text = JSON.stringify(approvalCard(newId(), hostile, alice, english.approvals));
    expect(text).not.toContain("<!channel>");
    expect(text).not.toContain("<@U_BOB>");
  });

  test("somebody whose Slack is German is asked in German", () => {
    expect(approvalCard(newId(), call({}), alice, wordsFor("de-DE").approvals).text).toContain("darf ich diesen Aufruf machen?");
  });

  test.each([
    ["model-request", /wants our language model to write something for it, 300 tokens at most.*nothing of this conversation/, "Allow once"],
    ["model-reply", /what our language model has written for the server behind \*S: t\*/, "Send"],
    ["question", /a server has a question in the middle of a call\. \*S: t\*/, "Send"],
  ] as const)(
    "of what a server wants in the middle of a call (%s): says so, whole, and can only be allowed once or refused",
    (about, said, yes) => {
      const asks = call({ text: "words" }, { about, tokens: 300, form: [], effect: "read-outside", server: "S" });
      const { text, blocks } = approvalCard(newId(), asks, alice, english.approvals, isEditable(asks));
      expect(text).toMatch(said);
      expect(JSON.stringify(blocks)).toContain(about === "question" ? "exactly this answer" : "exactly these words");
      const labels = blocks
        .flatMap((block) => (block.type === "actions" ? block.elements : []))
        .map((one) => ("text" in one ? one.text?.text : ""));
      expect(labels).toEqual([yes, "Don't allow"]);
    },
  );

  test("only a call that reads can be allowed for a thread", () => {
    const actions = (more: Partial<CallToAllow>) =>
      approvalCard(newId(), call({}, more), alice, english.approvals).blocks.flatMap((block) =>
        block.type === "actions" ? block.elements : [],
      ).length;
    expect(actions({ mayRemember: false })).toBe(2);
    expect(actions({ mayRemember: true })).toBe(3);
  });
});
