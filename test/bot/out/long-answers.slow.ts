import { checkBlocks, checkText } from "../../../playground/server/limits.ts";
import type { Json } from "../../../playground/server/state.ts";
import { defaultLimits } from "../../../src/bot/out/mrkdwn/split.ts";
import { toParts } from "../../../src/bot/out/mrkdwn.ts";
import { answerMessages } from "../../../src/bot/surfaces/answer/answer.ts";
import { english } from "../../../src/bot/surfaces/answer/words.ts";
import { turnId } from "../../../src/core/ids.ts";
import { longAnswer } from "./generated-answers.ts";
import { overLimits } from "./reading-slack.ts";
import { delta, end, StreamBench, start } from "./stream-bench.ts";
import { deltasOf, expectStreamedWhole, streamed } from "./streaming.ts";

const citations = new Map([[1, "https://docs.test/1"]]);
const marksIn = (value: unknown) => JSON.stringify(value).match(/w\d+x\d+z/g) ?? [];
const fences = (text: string) => (text.match(/^```/gm) ?? []).length;
const lengthOf = (seed: number) => 2_000 + Math.floor((seed * 56_000) / 200);
const note = (problem: string) => {
  throw new Error(problem);
};

describe("200 answers of up to 60,000 characters, with tables, nested lists, fences, Chinese, Japanese, right-to-left and emoji", () => {
  test("as edited messages: Slack takes every one, and no word is lost, doubled or out of order", () => {
    for (let seed = 1_001; seed <= 1_200; seed += 1) {
      const { markdown, marks } = longAnswer(seed, lengthOf(seed - 1_000));
      const view = { turn: turnId("t"), activity: [], parts: toParts(markdown, { citations }), citations: [], notices: [] };
      for (const end of [undefined, { kind: "answered" as const }]) {
        const messages = answerMessages({ ...view, end }, english, { text: defaultLimits, tables: true });
        for (const body of messages) {
          expect(overLimits(body)).toEqual([]);
          checkBlocks(body.blocks as unknown as Json[], "message");
          checkText(body.text, "update", note);
        }
        expect(messages.flatMap(({ blocks }) => marksIn(blocks))).toEqual(marks);
      }
    }
  }, 3_600_000);

  test("as streams: every message is within Slack's size, its fences are closed, and no word is lost, doubled or out of order", () => {
    for (let seed = 1_001; seed <= 1_200; seed += 1) {
      const { markdown, marks } = longAnswer(seed, lengthOf(seed - 1_000));
      const { messages, reached } = streamed(deltasOf(markdown, 3_000), { citations });
      expect({ seed, reached }).toEqual({ seed, reached: true });
      for (const message of messages) {
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(9_010);
        expect(fences(message) % 2).toBe(0);
      }
      expect(marksIn(messages)).toEqual(marks);
    }
  }, 3_600_000);

  test.each([1_040, 1_120, 1_200])(
    "answer %i through a Slack: streamed, then as it is to stay",
    async (seed) => {
      const bench = await StreamBench.open();
      const target = bench.ask();
      const { markdown, marks } = longAnswer(seed, lengthOf(seed - 1_000));
      const stream = bench.nativeStream(target);
      stream.write(start);
      for (const piece of deltasOf(markdown, 900)) {
        stream.write(delta(piece));
        await bench.clock.sleep(1_000);
      }
      stream.write(end(markdown));
      await stream.settled();
      await bench.slack.stop();
      expect(bench.answers(target).flatMap(({ blocks }) => marksIn(blocks))).toEqual(marks);
      expect(bench.slack.problems).toEqual([]);
    },
    300_000,
  );
});

describe("a long answer in small pieces", () => {
  test.each(
    Array.from({ length: 4 }, (_, at): [number, number, number | undefined] => (at < 3 ? [at + 1, 5, 6_000] : [at + 1, 150, undefined])),
  )(
    "generated answer %i arrives once, in order, in messages that Slack takes, and nothing has to be taken back",
    expectStreamedWhole,
    300_000,
  );
});
