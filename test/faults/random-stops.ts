import { systemClock } from "../../src/core/clock.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { answers, shown, write } from "../journeys/answer.ts";
import { runApp } from "../journeys/running-app.ts";

/** What is left when many answers were stopped at moments of their own. */
export interface StopReport {
  /** Threads whose answer is one message in one of its final states. */
  readonly ended: number;
  /** Of these, threads whose answer says that it was stopped. */
  readonly stopped: number;
  readonly openStreams: number;
  readonly openTools: number;
  /** Requests to the model after the last answer had ended. */
  readonly furtherRequests: number;
  /** Stop buttons that still stand under something. */
  readonly deadButtons: number;
}

const asking = { workspace: "acme", channel: "general", question: "Go." };
/** Questions at the same moment: few, so that a busy machine still acknowledges in time. */
const atOnce = 5;
const finalState = /^Trace|^Error id|Stopped by|Stopped\./m;

/**
 * Asks `count` questions of the whole program, each in a thread of its own, and stops each at a random moment, by the word, by the
 * button or by Slack's own. The model calls a tool that takes a while, then writes for a while.
 * @param seed of the moments, so that a run can be repeated
 */
export async function stopAtRandom(count: number, seed: number): Promise<StopReport> {
  let open = 0;
  let requests = 0;
  const slow = defineTool({
    name: "slow_tool",
    description: "Takes a while.",
    parameters: { type: "object", properties: {} },
    annotations: { readOnly: true },
    async execute(_params, { clock, signal }) {
      open += 1;
      try {
        await clock.sleep(300, signal);
        return text("The result.");
      } finally {
        open -= 1;
      }
    },
  });
  const plugin: Plugin = { name: "stopping", tools: [slow] };
  const model = await ModelServer.start(async ({ messages }, reply) => {
    if (messages.at(-1)?.role !== "tool") return reply.call("slow_tool", {});
    for (let word = 0; word < 30; word += 1) {
      reply.say(`Sentence number ${word}. `);
      await systemClock.sleep(20);
    }
  });
  const environment = { FOOTNOTE_TENANT_ANSWERS: "30", FOOTNOTE_SLACK_LIMITS_FACTOR: "100" };
  const running = await runApp({ modelUrl: model.url, morePlugins: [plugin], documents: false, environment });
  const { slack } = running;
  const random = randomFrom(seed);
  const of = (thread: string) => answers(slack, { ...asking, as: "alice" }, thread);
  const ended = (thread: string) => of(thread).length === 1 && of(thread).every((message) => finalState.test(shown(message)));

  async function one(): Promise<string> {
    await systemClock.sleep(random() * 1_000);
    const thread = await write(slack, { ...asking, as: "alice" });
    await systemClock.sleep(random() * 1_500);
    const at = { workspace: "acme", as: "alice", channel: "general" };
    const [message] = of(thread);
    const live = message?.stream?.state === "in_progress";
    if (live && random() < 0.5) slack.people.stopStream({ ...at, ts: message.ts });
    else if (message && JSON.stringify(message.blocks).includes("stop_turn"))
      await slack.click({ ...at, ts: message.ts, actionId: "stop_turn" });
    else slack.post({ ...at, text: "stop", thread });
    await slack.waitFor(() => ended(thread), { timeoutMs: 150_000 });
    return thread;
  }

  let left = count;
  const several = async () => {
    const threads: string[] = [];
    while (left-- > 0) threads.push(await one());
    return threads;
  };
  const begun = Array.from({ length: Math.min(count, atOnce) }, several);
  const threads = await Promise.all(begun).finally(async () => {
    left = 0;
    await Promise.allSettled(begun);
    requests = model.requests.length;
    // Whatever still runs gets the time to show itself: the program ends only when all of it has.
    await running.stop();
    await model.stop();
  });
  const messages = threads.flat().flatMap(of);
  return {
    ended: threads.flat().filter(ended).length,
    stopped: messages.filter((message) => /Stopped/.test(shown(message))).length,
    openStreams: messages.filter(({ stream }) => stream?.state === "in_progress").length,
    openTools: open,
    furtherRequests: model.requests.length - requests,
    deadButtons: messages.filter(({ blocks }) => JSON.stringify(blocks).includes("stop_turn")).length,
  };
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
