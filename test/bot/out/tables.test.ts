import type { KnownBlock, TableBlock } from "@slack/types";
import { checkBlocks } from "../../../playground/server/limits.ts";
import { insideRevision } from "../../../playground/server/links.ts";
import type { Json } from "../../../playground/server/state.ts";
import { defaultLimits } from "../../../src/bot/out/mrkdwn/split.ts";
import { toParts } from "../../../src/bot/out/mrkdwn.ts";
import { answerMessages } from "../../../src/bot/surfaces/answer/answer.ts";
import { english } from "../../../src/bot/surfaces/answer/words.ts";
import { turnId } from "../../../src/core/ids.ts";
import { addressPayloads, mentionPayloads } from "./payloads.ts";
import { delta, end, StreamBench, sectionText, start } from "./stream-bench.ts";

const known = "https://docs.test/1?a=1&b=2";
const messagesOf = (markdown: string) => {
  const parts = toParts(markdown, { allowed: new Set([known]), citations: new Map([[1, known]]) });
  const view = { turn: turnId("t"), activity: [], parts, citations: [], notices: [], end: { kind: "answered" as const } };
  const messages = answerMessages(view, english, { text: defaultLimits, tables: true });
  for (const { blocks } of messages) checkBlocks(blocks as unknown as Json[], "message");
  return messages;
};
const blocksOf = (markdown: string) => messagesOf(markdown).flatMap(({ blocks }) => blocks);
const tables = (blocks: readonly KnownBlock[]) => blocks.filter((block) => block.type === "table") as TableBlock[];

/** The kinds of blocks, the rows of buttons aside. */
const contents = (blocks: readonly { readonly type?: unknown }[]) =>
  blocks.map(({ type }) => type).filter((type) => type !== "actions" && type !== "context_actions");

describe("a table in a finished answer", () => {
  test("H5-TXT-08: two tables are Slack's tables, and the texts around them keep their order", () => {
    const blocks = blocksOf(
      "North:\n\n| Part | Stock |\n|---|---:|\n| P7 | 1 |\n\nSouth:\n\n| Part | Stock |\n|---|---:|\n| P9 | 30 |\n\nEnd.",
    );
    expect(contents(blocks)).toEqual(["section", "table", "section", "table", "section"]);
    expect(sectionText(blocks)).toBe("North:\nPart | Stock\nP7 | 1\nSouth:\nPart | Stock\nP9 | 30\nEnd.");
    expect(tables(blocks)[0]?.column_settings?.map(({ align }) => align)).toEqual(["left", "right"]);
  });

  test("cells keep their styles and their allowed links, and every row has as many cells as the header", () => {
    const [table] = tables(blocksOf(`| A | B | C |\n|---|---|---|\n| **b** and \`c\` | [words](${known}) [1] | |\n| x |`));
    expect(table?.rows[1]?.[0]).toMatchObject({
      elements: [{ elements: [{ text: "b", style: { bold: true } }, { text: " and " }, { text: "c", style: { code: true } }] }],
    });
    expect(table?.rows[1]?.[1]).toMatchObject({
      elements: [{ elements: [{ type: "link", url: known, text: "words" }, {}, { text: "[1]" }] }],
    });
    expect(table?.rows.map((row) => row.length)).toEqual([3, 3, 3]);
  });

  test("300 rows become several tables with the header each, in messages that Slack takes", () => {
    const rows = Array.from({ length: 300 }, (_, at) => `| row ${at} | ${at} |`).join("\n");
    const messages = messagesOf(`| Name | Number |\n|---|---|\n${rows}`);
    const found = messages.flatMap(({ blocks }) => tables(blocks));
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const { rows } of found) {
      expect(rows.length).toBeLessThanOrEqual(100);
      expect(rows[0]?.[0]).toMatchObject({ text: "Name" });
    }
    const names = found.flatMap(({ rows }) => rows.slice(1).map(([first]) => (first as { text: string }).text));
    expect(names).toEqual(Array.from({ length: 300 }, (_, at) => `row ${at}`));
  });

  test("more than 20 columns, or a row too long for a message: it is text", () => {
    const wide = (cell: (at: number) => string) => `|${Array.from({ length: 21 }, (_, at) => cell(at)).join("|")}|`;
    const blocks = blocksOf(`${wide((at) => `h${at}`)}\n${wide(() => "---")}\n${wide((at) => `c${at}`)}`);
    expect(tables(blocks)).toEqual([]);
    for (let at = 0; at < 21; at++) expect(sectionText(blocks)).toContain(`c${at}`);
    const long = blocksOf(`| A | B |\n|---|---|\n| ${"word ".repeat(1_200)} | end |`);
    expect(tables(long)).toEqual([]);
    expect(sectionText(long)).toContain("end");
  });

  test.each([...addressPayloads, ...mentionPayloads])("nothing in a cell is live: %j", (payload) => {
    const blocks = blocksOf(`| A | B |\n|---|---|\n| ${payload.replace(/\n/g, " ")} | x |`) as unknown as Json[];
    const { links, mentions } = insideRevision({ text: "", blocks, attachments: [] });
    expect(links.filter(({ url }) => url !== known)).toEqual([]);
    expect(mentions).toEqual([]);
  });

  test("where Slack does not take tables the answer shows them as text", async () => {
    const bench = await StreamBench.open();
    for (const error of ["invalid_blocks", "only_one_table_allowed"]) {
      bench.slack.fail({ method: "chat.update", error });
      const target = bench.ask();
      const stream = bench.stream(target);
      stream.write(start);
      await stream.settled();
      stream.write(end("| A | B |\n|---|---|\n| 1 | 2 |"));
      await stream.settled();
      expect(bench.texts(target)).toEqual(["```\nA   | B\n----+----\n1   | 2\n```"]);
    }
    await bench.slack.stop();
  });

  test("a streamed answer with a table shows it as one in the end", async () => {
    const bench = await StreamBench.open();
    const target = bench.ask();
    const text = "Stock:\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nThat is all of it.";
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta(text));
    await stream.settled();
    expect(JSON.stringify(bench.answers(target)[0]?.blocks)).toContain("A   | B");
    stream.write(end(text));
    await stream.settled();
    await bench.slack.stop();
    expect(contents(bench.answers(target)[0]?.blocks ?? [])).toEqual(["section", "table", "section", "context"]);
    expect(bench.answers(target).length).toBe(1);
  });
});
