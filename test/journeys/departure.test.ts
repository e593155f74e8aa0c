import { afterEach, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { answers, ask, shown, write } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

const asking = { workspace: "acme", as: "alice", channel: "general", question: "Go." };
const globex = { ...asking, workspace: "globex" };

let model: ModelServer;
let running: RunningApp;
afterEach(async () => {
  await running?.stop();
  await model?.stop();
});

const status = async (name: string) => (await running.app.operations.workspaces()).find((workspace) => workspace.name === name)?.status;

test("a workspace that removes the app in the middle of an answer is suspended at once; the other one goes on; it comes back with what it had", async () => {
  let begun = 0;
  let never = true;
  model = await ModelServer.start(async (_request, reply) => {
    begun += 1;
    reply.say("A first sentence. And ");
    if (never) await new Promise(() => undefined);
  });
  running = await runApp({ modelUrl: model.url, documents: false });
  const { slack, app } = running;
  const thread = await write(slack, asking);
  await slack.waitFor(() => answers(slack, asking, thread).some((message) => shown(message).includes("A first sentence.")));
  slack.administration.uninstall({ workspace: "acme" });
  await slack.waitFor(() => slack.acks.some(({ eventId }) => eventId === removal(slack)));
  while ((await status("acme")) !== "suspended") await systemClock.sleep(20);
  const calls = slack.calls.filter(({ workspace }) => workspace === "acme").length;
  never = false;
  expect((await ask(slack, globex)).text).toContain("A first sentence.");
  // The answer was dropped: nobody has tried to write on.
  expect(slack.calls.filter(({ workspace, method }) => workspace === "acme" && method.startsWith("chat.")).length).toBeLessThanOrEqual(
    calls,
  );
  expect(begun).toBe(2);

  for (const workspace of slack.state.workspaces) if (workspace.name === "acme") workspace.installed = true;
  await app.operations.addWorkspace({ name: "acme", botToken: slack.workspace("acme").botToken });
  expect(await status("acme")).toBe("active");
  expect((await ask(slack, { ...asking, question: "Again." })).text).toContain("A first sentence.");
});

const removal = (slack: RunningApp["slack"]) =>
  slack.envelopes.find(({ event }) => (event as { type?: string }).type === "app_uninstalled")?.event_id;

test("people's own tokens that are revoked end nothing, and what another app sends is nobody's", async () => {
  model = await ModelServer.start((_request, reply) => reply.say("The answer."));
  running = await runApp({ modelUrl: model.url, documents: false });
  const { slack } = running;
  await ask(slack, asking);
  const envelope = slack.envelopes.find(({ event }) => (event as { type?: string }).type === "app_mention") ?? {};
  const alice = slack.workspace("acme").person("alice");
  const event = { type: "tokens_revoked", tokens: { oauth: [alice], bot: [] } };
  await slack.deliver({ ...envelope, event_id: "EvTokens", event_time: 4_000_000_000, event });
  await slack.deliver({
    ...envelope,
    event_id: "EvOther",
    api_app_id: "A0OTHER",
    event_time: 4_000_000_000,
    event: { type: "app_uninstalled" },
  });
  expect(await status("acme")).toBe("active");

  await running.app.operations.removeWorkspace("acme");
  expect((await running.app.operations.workspaces()).map(({ name }) => name)).not.toContain("acme");
  await expect(running.app.operations.removeWorkspace("acme")).rejects.toMatchObject({ code: "WORKSPACE_UNKNOWN" });
  expect((await ask(slack, globex)).text).toContain("The answer.");
});
