import { describe, expect, test } from "@jest/globals";
import { addressesSomebodyElse, mentions, questionText } from "../../../src/bot/turns/question-text.ts";

const people: Record<string, string> = { UBOT: "footnote", U2: "bob" };
const names = { person: (id: string) => people[id], channel: (id: string) => (id === "C1" ? "general" : undefined) };
const read = (raw: string) => questionText(raw, "UBOT", names);

describe("whoever writes to the bot cannot stop it", () => {
  // Each of these took hours or seconds before; the limit is the test's own.
  test.each([
    ["mentions with blanks between them and a word behind", `hi ${"<@UBOT> ".repeat(10_000)}b`],
    ["mentions at the end", `hi ${"<@UBOT> , ".repeat(10_000)}`],
    ["mentions at the beginning", `${"<@UBOT>, ".repeat(10_000)}hi`],
    ["blanks and commas", `hi ${" ,".repeat(20_000)}b`],
    ["blanks", `hi${" ".repeat(39_000)}b`],
    ["opened brackets", "<@".repeat(19_000)],
    ["brackets with a name begun", "<@UBOT|".repeat(5_000)],
    ["closed brackets", `hi ${">".repeat(39_000)}`],
    ["links begun", "<https://a|".repeat(3_500)],
  ])("%s are read at once", (_, raw) => {
    const begun = process.cpuUsage();
    read(raw);
    addressesSomebodyElse(raw, "UBOT");
    mentions(raw, "UBOT");
    // Milliseconds of the processor's time, which other programs do not count in; two thousand times what it takes.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(20_000);
  });
});

describe("a message is read as its author meant it", () => {
  test.each([
    ["a mention at the beginning is an address", "<@UBOT> what is ARR?", "what is ARR?"],
    ["with a comma or a colon after it", "<@UBOT>, what is ARR?", "what is ARR?"],
    ["at the end as well", "what is ARR? <@UBOT>", "what is ARR?"],
    ["twice at the beginning", "<@UBOT> <@UBOT|footnote> hi", "hi"],
    ["in mid-sentence it is a name", "ask <@UBOT> or <@U2> about it", "ask @footnote or @bob about it"],
    ["nothing but the mention leaves nothing", "<@UBOT>   \n", ""],
    ["a colleague's mention stays, also at the beginning", "<@U2> and <@UBOT> disagree", "@bob and @footnote disagree"],
    ["an unknown person stays an id", "who is <@U9>?", "who is @U9?"],
    ["a channel with and without its name", "<#C1|general> <#C1> <#C1|> <#C7>", "#general #general #general #C7"],
    ["broadcasts and groups are words", "<!here> <!channel> <!subteam^S1|@team> <!subteam^S1>", "@here @channel @team @group"],
    ["a date is what a reader saw", "due <!date^1700000000^{date}|14 Nov>", "due 14 Nov"],
    ["a plain link", "see <https://a.example/x?a=1&amp;b=2>", "see https://a.example/x?a=1&b=2"],
    ["a link with a label", "see <https://a.example|the *page*>", "see [the *page*](https://a.example)"],
    ["a bare domain that Slack made a link", "see <http://a.example|a.example>", "see http://a.example"],
    ["an address to write to", "write <mailto:a@b.example|a@b.example>", "write a@b.example"],
    ["escapes are undone once", "1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"],
    ["and only once", "the entity &amp;lt; stays", "the entity &lt; stays"],
    ["asterisks and code are untouched", "`a*b` *bold* _it_ ```x = &lt;T&gt;```", "`a*b` *bold* _it_ ```x = <T>```"],
    [
      "H5-TXT-03: literal asterisks, code and bold stay, a mail link keeps its label and address apart",
      "4 * 5 * 6, run `ls *.log` and `cp ~/a ~/b`, *quite sure*, <mailto:a@example.com|write us>",
      "4 * 5 * 6, run `ls *.log` and `cp ~/a ~/b`, *quite sure*, [write us](mailto:a@example.com)",
    ],
    [
      "H5-TXT-14: code comes to the model as it was written",
      "Does this compile? ```#include &lt;vector&gt;\nif (p &lt; q &amp;&amp; r &gt; s)```",
      "Does this compile? ```#include <vector>\nif (p < q && r > s)```",
    ],
    ["lines stay lines", "<@UBOT> one\n\n- two", "one\n\n- two"],
    ["a bracket in a label does not end it", "<https://a.example|a] b>", "[a\\] b](https://a.example)"],
  ])("%s", (_name, raw, meant) => expect(read(raw)).toBe(meant));

  test("a name cannot be smuggled in as markup", () => {
    expect(questionText("<@U1>", "UBOT", { person: () => "a&amp;lt;b", channel: () => undefined })).toBe("@a&lt;b");
  });

  test("a message is for somebody else when it begins with their name and does not name the bot", () => {
    expect(addressesSomebodyElse("<@U2> did you know?", "UBOT")).toBe(true);
    expect(addressesSomebodyElse("<@U2> <@UBOT> did you know?", "UBOT")).toBe(false);
    expect(addressesSomebodyElse("did <@U2> know?", "UBOT")).toBe(false);
  });
});
