import type { AgentEvent } from "../../../src/agent/events.ts";
import { contextText, delta, end, MemoryJournal, StreamBench, start, trace } from "./stream-bench.ts";

let bench: StreamBench;
afterEach(async () => {
  expect(bench.slack.problems).toEqual([]);
  expect(bench.slack.mentions).toEqual([]);
  await bench.slack.stop();
});

const pause = (ms: number) => bench.clock.sleep(ms);
const streamed = (target: ReturnType<StreamBench["ask"]>) =>
  bench.answers(target).map(
    ({ blocks, text }) =>
      blocks
        .filter(({ type }) => type === "markdown")
        .map((b) => b.text)
        .join("") || text,
  );

test("an answer is streamed", async () => {
  bench = await StreamBench.open({ speed: 4 });
  const target = bench.ask();
  const stream = bench.nativeStream(target);
  stream.write(start);
  await stream.settled();
  stream.write({ type: "tool-start", label: 'Searching for "leave"', call: { id: "1", name: "x", params: {} } });
  await stream.settled();
  stream.write({
    type: "tool-end",
    label: 'Searching for "leave"',
    call: { id: "1", name: "x", params: {} },
    ms: 400,
    result: { type: "text", content: "", status: "success", metadata: { count: 5 } },
  });
  stream.write(delta("It is **18 we"));
  await stream.settled();
  stream.write(delta("eks** paid. And\n\n- one\n- two"));
  await stream.settled();
  stream.write(end("It is **18 weeks** paid. And\n\n- one\n- two <!channel>"));
  await stream.settled();
});
