import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ModelServer } from "../fakes/model-server.ts";
import { answers, shown, write } from "../journeys/answer.ts";
import { type RunningApp, runApp } from "../journeys/running-app.ts";

let model: ModelServer;
let running: RunningApp;
beforeAll(async () => {
  model = await ModelServer.start((_, reply) => reply.say("The whole answer."));
  running = await runApp({ modelUrl: model.url, documents: false });
  running.slack.fail({ method: "chat.startStream", error: "unknown_method", times: Number.POSITIVE_INFINITY });
});
afterAll(async () => {
  await running.stop();
  await model.stop();
});

test.each([
  ["chat.update", 1],
  ["chat.update", 2],
  ["chat.update", 3],
  ["chat.postMessage", 1],
  ["chat.postMessage", 2],
])(
  "F13: when Slack refuses %s %d times with an error that nobody knows, the answer still arrives, and no draft is its last word",
  async (method, times) => {
    running.slack.fail({ method, error: "an_error_invented_later", times });
    const asking = { workspace: "acme", as: "alice", channel: "general", question: "Go." };
    const thread = await write(running.slack, asking);
    const last = () => answers(running.slack, asking, thread).map(shown).at(-1) ?? "";
    await running.slack.waitFor(() => last().includes("The whole answer.") && !/writing/i.test(last()));
    expect(last()).not.toMatch(/On it|Still writing/);
  },
);
