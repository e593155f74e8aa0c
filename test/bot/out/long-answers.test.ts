import { checkBlocks } from "../../../playground/server/limits.ts";
import type { Json } from "../../../playground/server/state.ts";
import { defaultLimits } from "../../../src/bot/out/mrkdwn/split.ts";
import { toMrkdwn, toParts } from "../../../src/bot/out/mrkdwn.ts";
import { answerMessages } from "../../../src/bot/surfaces/answer/answer.ts";
import { english } from "../../../src/bot/surfaces/answer/words.ts";
import { traceId, turnId } from "../../../src/core/ids.ts";
import { longAnswer } from "./generated-answers.ts";
import { overLimits } from "./reading-slack.ts";

const fences = (text: string) => (text.match(/```/g) ?? []).length;
const citations = new Map([[1, "https://docs.test/1"]]);
const seeds = Array.from({ length: 50 }, (_, at) => at + 1);

describe("answers that do not fit one message", () => {
  test("H5-TXT-01: a long code block is closed and opened again at every cut, and no line is lost or doubled", () => {
    const lines = Array.from({ length: 120 }, (_, at) => `x = 1  # line ${String(at).padStart(3, "0")} ${".".repeat(43)}`);
    const messages = toMrkdwn(`Intro\n\`\`\`python\n${lines.join("\n")}\n\`\`\`\nDone.`, {}, { section: 2_900, message: 3_900 });
    const whole = messages.map((sections) => sections.join("\n"));
    expect(whole.length).toBeGreaterThan(1);
    for (const text of whole) {
      expect(text.length).toBeLessThanOrEqual(3_900);
      expect(fences(text) % 2).toBe(0);
    }
    const code = whole.flatMap((text) => Array.from(text.matchAll(/```\n([\s\S]*?)\n```/g), ([, inside]) => inside ?? "")).join("\n");
    expect(code).toBe(lines.join("\n"));
    expect(whole[0]).toMatch(/^Intro/);
    expect(whole.at(-1)).toMatch(/Done\.$/);
  });

  test("H5-TXT-17: one paragraph of 3,500 characters without a line break is cut between words", () => {
    const paragraph = Array.from({ length: 500 }, (_, at) => `w${String(at).padStart(4, "0")}`)
      .join(" ")
      .padEnd(3_500, "x");
    const sections = toMrkdwn(paragraph).flat();
    for (const text of sections) expect(text.length).toBeLessThanOrEqual(3_000);
    expect(
      sections
        .flatMap((text) => text.trim().split(/\s+/))
        .join(" ")
        .trim(),
    ).toBe(paragraph);
  });

  test("H5-TXT-17: 60 short paragraphs between headings and rules stay far below 50 blocks a message", () => {
    const markdown = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\nText of part ${at}.\n\n---`).join("\n\n");
    const messages = toMrkdwn(markdown);
    for (const sections of messages) expect(sections.length).toBeLessThanOrEqual(10);
    const text = messages.flat().join("\n");
    for (let at = 0; at < 60; at++) expect(text).toContain(`Text of part ${at}.`);
  });

  test("a heading is not left alone at the end of a message", () => {
    for (let fill = 3_300; fill < 3_800; fill += 20) {
      const messages = toMrkdwn(`${"x ".repeat(fill / 2)}\n\n## Heading\n\n${"y ".repeat(300)}`);
      for (const sections of messages) expect(sections.join("\n")).not.toMatch(/\*Heading\*$/);
    }
  });

  test("a table that goes on in the next message repeats its header", () => {
    const rows = Array.from({ length: 300 }, (_, at) => `| row ${at} | ${at} |`).join("\n");
    const messages = toMrkdwn(`| Name | Number |\n|---|---|\n${rows}`);
    expect(messages.length).toBeGreaterThan(1);
    for (const sections of messages) for (const text of sections) expect(text).toMatch(/^```\nName +\| Number\n-+\+-+\n/);
    const text = messages.flat().join("\n");
    for (let at = 0; at < 300; at++) expect(text).toMatch(new RegExp(`^row ${at} +\\| ${at}$`, "m"));
  });

  test("an emoji of many code points is never cut", () => {
    const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}";
    for (const text of toMrkdwn(family.repeat(900)).flat()) expect(text.replaceAll(family, "")).toBe("");
  });

  const forms = seeds.map((seed) => [seed, seed % 2 === 0 ? "with tables" : "with tables as text"] as const);

  test.each(forms)("generated answer %i, %s: every word arrives once, in order, well formed, within Slack's limits", (seed, form) => {
    const { markdown, marks } = longAnswer(seed);
    const parts = toParts(markdown, { citations });
    const view = {
      turn: turnId("t"),
      traceId: traceId("6f0c"),
      activity: [],
      parts,
      citations: [],
      notices: [],
      end: { kind: "answered" as const },
    };
    const messages = answerMessages(view, english, { text: defaultLimits, tables: form === "with tables" });
    const sections = messages.map(({ blocks }) => blocks.flatMap((block) => (block.type === "section" ? [block.text?.text ?? ""] : [])));
    for (const message of messages) {
      expect(overLimits(message)).toEqual([]);
      expect(() => checkBlocks(message.blocks as unknown as Json[], "message")).not.toThrow();
    }
    for (const text of sections.flat()) {
      expect(fences(text) % 2).toBe(0);
      expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      expect(text.replace(/&(amp|lt|gt);/g, "")).not.toMatch(/&/);
      expect(text.replace(/<https:\/\/docs\.test\/1\|\[1\]>/g, "").replace(/^>/gm, "")).not.toMatch(/[<>]/);
    }
    expect(messages.flatMap(({ blocks }) => JSON.stringify(blocks).match(/w\d+x\d+z/g) ?? [])).toEqual(marks);
  });

  test.each(seeds.slice(0, 10))("generated answer %i: cut into small messages, it is all there too", (seed) => {
    const { markdown, marks } = longAnswer(seed);
    const limits = { section: 1_000, message: 1_500 };
    const messages = toMrkdwn(markdown, { citations }, limits);
    for (const sections of messages) {
      expect(sections.join("\n").length).toBeLessThanOrEqual(limits.message);
      for (const text of sections) expect(text.length).toBeLessThanOrEqual(limits.section);
    }
    expect(
      messages
        .flat()
        .join("\n")
        .match(/w\d+x\d+z/g),
    ).toEqual(marks);
  });
});
