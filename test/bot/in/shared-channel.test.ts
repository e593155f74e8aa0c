import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { defaultSeed } from "../../../playground/server/seed.ts";
import { type Bot, World } from "./bot.ts";

let world: World;
let bot: Bot;
beforeAll(async () => {
  const [acme, globex] = defaultSeed.workspaces;
  if (!acme || !globex) throw new Error("the seed has changed");
  const shared = { name: "joint", members: ["alice", "globex/bob"], sharedWith: ["globex"] };
  const bots = { name: "bots", members: ["alice", "deploybot"] };
  const own = { ...acme, otherBots: [{ name: "deploybot" }], channels: [...acme.channels, shared, bots] };
  world = await World.start({ seed: { workspaces: [own, globex] } });
  bot = await world.bot();
});
afterAll(() => world?.stop());

test("in a channel shared with another workspace, its people get a fixed sentence and ours an answer, all with our token", async () => {
  const ours = world.slack.post({ workspace: "acme", as: "alice", channel: "joint", text: "@footnote ours?" });
  await world.slack.waitFor(() => world.answers("acme", "joint", ours).includes("Answer to: ours?"));
  expect(bot.questions.map(({ tenant }) => tenant)).toEqual([world.tenant("acme")]);

  const theirs = world.slack.post({ workspace: "acme", as: "globex/bob", channel: "joint", text: "@footnote theirs?" });
  await world.slack.waitFor(() => world.answers("acme", "joint", theirs).length > 0);
  await world.idle();
  expect(world.answers("acme", "joint", theirs)).toEqual(["Footnote answers people of this workspace only."]);
  expect(bot.questions).toHaveLength(1);
  const posts = world.slack.calls.filter((call) => call.method === "chat.postMessage");
  expect(posts.map((call) => call.workspace)).toEqual(["acme", "acme"]);
});

test("another bot that mentions ours, or writes in its thread, starts nothing", async () => {
  const say = (as: string, text: string, thread?: string) =>
    world.slack.post({ workspace: "acme", as, channel: "bots", text, ...(thread ? { thread } : {}) });
  const thread = say("alice", "@footnote first?");
  await world.slack.waitFor(() => world.answers("acme", "bots", thread).includes("Answer to: first?"));
  const turns = await world.turnCount();
  say("deploybot", "@footnote thanks!");
  say("deploybot", "@footnote and you?", thread);
  say("alice", "second?", thread);
  await world.slack.waitFor(() => world.answers("acme", "bots", thread).includes("Answer to: second?"));
  await world.idle();
  expect(await world.turnCount()).toBe(turns + 1);
});
