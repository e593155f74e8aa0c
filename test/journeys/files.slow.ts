import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { answers, shown } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

/** The whole program and the offline answerer: files of questions, files for everybody, and what a channel does not tell. */
let running: RunningApp;
beforeAll(async () => {
  running = await runApp();
}, 300_000);
afterAll(() => running?.stop());

const acme = "acme";
const text = (content: string) => new TextEncoder().encode(content);
const codes = text("# Door codes\n\nThe code of the north door is 4711-cobalt. It is changed every quarter by the facility team.\n");
const inDirect = (as: string) => ({ workspace: acme, as, channel: "direct", question: "" });
const finished = /^Trace|^Error id/m;

const answered = (as: string, thread: string, channel = "direct", count = 1) =>
  running.slack.waitFor(() => {
    const done = answers(running.slack, { ...inDirect(as), channel }, thread)
      .map(shown)
      .filter((each) => finished.test(each));
    return done.length >= count ? done.join("\n") : undefined;
  });
const direct = (as: string) => running.slack.messages({ workspace: acme, channel: `direct:${as}` }).filter(({ botId }) => botId);
const saying = (as: string, what: RegExp) => running.slack.waitFor(() => direct(as).find((message) => what.test(shown(message))));
const enter = (blockId: string, given: object) => ({ [blockId]: { [blockId]: given } });
const modal = (as: string) =>
  running.slack.waitFor(() => {
    const top = running.slack.screens.modals({ workspace: acme, as }).at(-1);
    return top?.body.callback_id ? top : undefined;
  });

test("a file that comes with a question is read for it, and cited", async () => {
  const at = { workspace: acme, as: "alice", channel: "direct" };
  const ts = running.slack.post({ ...at, text: "What is the code of the north door?", files: [{ name: "doors.md", bytes: codes }] });
  const answer = await answered("alice", ts);
  expect(answer).toContain("4711-cobalt");
  expect(answer).toContain("doors.md");
  expect(answer).toContain("Add to knowledge");
});

test("a file without a word is asked about, and offered to be kept", async () => {
  const at = { workspace: acme, as: "alice", channel: "direct" };
  running.slack.post({ ...at, text: "", files: [{ name: "doors.md", bytes: codes }] });
  expect(shown(await saying("alice", /I have .doors\.md/))).toContain("Add to knowledge");
});

test("a file that is added for a channel answers its readers, nobody else, and no longer once it is deleted in Slack", async () => {
  const { slack } = running;
  const channel = "general";
  const ts = slack.post({ workspace: acme, as: "alice", channel, text: "our doors", files: [{ name: "doors.md", bytes: codes }] });
  await slack.people.shortcut({ workspace: acme, as: "alice", channel, ts, callbackId: "add_to_knowledge" });
  await modal("alice");
  await slack.screens.submit({ workspace: acme, as: "alice", values: enter("who", { selected_option: { value: "channel" } }) });
  expect(shown(await saying("alice", /can be found now/))).toContain("doors.md");

  const ask = (as: string) => slack.post({ workspace: acme, as, channel: "direct", text: "What is the code of the north door?" });
  expect(await answered("bob", ask("bob"))).toContain("4711-cobalt");
  const [file] = [...slack.people.workspace(acme).files.values()].slice(-1);
  slack.people.files.delete({ workspace: acme, file: String(file?.id) });
  await slack.waitFor(() => slack.envelopes.some(({ event }) => (event as { type?: string }).type === "file_deleted"));
  expect(await answered("bob", ask("bob"))).not.toContain("4711-cobalt");
});

test("a channel's files are followed from App Home: what is shared there is known to its readers at once, and gone when it is taken back", async () => {
  const { slack } = running;
  const [channel, as] = ["board", "alice"];
  const at = { workspace: acme, as, channel };
  const lore = text("# Deal\n\nThe code word of the board's deal is heliotrope.\n");
  slack.post({ ...at, text: "before", files: [{ name: "deal.md", bytes: lore }] });
  slack.screens.openHome({ workspace: acme, as, tab: "home" });
  await slack.waitFor(() => JSON.stringify(slack.screens.home({ workspace: acme, as })?.body ?? {}).includes("source_new") || undefined);
  await slack.screens.click({ workspace: acme, as, surface: "home", actionId: "source_new" });
  await modal(as);
  const chosen = (value: string) => ({ selected_option: { value } });
  const id = slack.workspace(acme).channel(channel);
  await slack.screens.submit({ workspace: acme, as, values: { ...enter("channel", chosen(id)), ...enter("every", chosen("1440")) } });

  const said = async (who: string, question: string) =>
    answered(who, slack.post({ workspace: acme, as: who, channel: "direct", text: question }));
  const ofDeal = (who: string) => said(who, "What is the code word of the board's deal?");
  const home = () => slack.screens.home({ workspace: acme, as });
  /** Home says how things stand when it is opened: again and again, each time when it has been drawn. */
  const stands = async (documents: number) => {
    const shows = new RegExp(`Files in <#${id}>.{0,20}${documents} documents? .{0,20}read`);
    while (!shows.test(JSON.stringify(home()?.body ?? {}))) {
      const before = home()?.hash;
      slack.screens.openHome({ workspace: acme, as, tab: "home" });
      await slack.waitFor(() => home()?.hash !== before || undefined, { timeoutMs: 60_000 });
    }
  };
  await stands(1);
  expect(await ofDeal("alice")).toContain("heliotrope");
  expect(await ofDeal("bob")).not.toContain("heliotrope");

  const more = text("# Price\n\nThe agreed price of the board's deal is 77 shells.\n");
  slack.post({ ...at, text: "after", files: [{ name: "price.md", bytes: more }] });
  await stands(2);
  slack.people.files.share({ ...at, file: slack.people.files.named(acme, "deal.md"), out: true });
  await stands(1);
  expect(await ofDeal("alice")).not.toContain("heliotrope");
  expect(slack.problems).toEqual([]);
});

test("T12: what the channel does not tell is found in the direct message, and shared only by its asker", async () => {
  const { slack } = running;
  const bytes = text("# Severance\n\nThe severance of alice is 9 months, word marigold.\n");
  const dropped = slack.post({ workspace: acme, as: "alice", channel: "direct", text: "", files: [{ name: "severance.md", bytes }] });
  await slack.people.shortcut({ workspace: acme, as: "alice", channel: "direct", ts: dropped, callbackId: "add_to_knowledge" });
  await modal("alice");
  await slack.screens.submit({ workspace: acme, as: "alice", values: enter("who", { selected_option: { value: "me" } }) });
  await saying("alice", /severance\.md.*can be found now/s);

  const question = "How long is the severance of alice?";
  const thread = slack.post({ workspace: acme, as: "alice", channel: "general", text: `@footnote ${question}` });
  const open = await answered("alice", thread, "general");
  expect(open).not.toContain("marigold");
  expect(open).toContain("drawn from what everyone here may read");
  const inChannel = () => answers(slack, { ...inDirect("alice"), channel: "general" }, thread);
  const press = (as: string, channel: string, ts: string, actionId: string) => slack.click({ workspace: acme, as, channel, ts, actionId });
  await press("alice", "general", inChannel().at(-1)?.ts ?? "", "search_privately");
  const privately = await saying("alice", /marigold.*\[?Trace/s);
  expect(JSON.stringify(inChannel().map(shown))).not.toContain("marigold");

  await press("alice", "direct", privately.ts, "share_answer");
  await modal("alice");
  await slack.screens.submit({ workspace: acme, as: "alice", values: {} });
  await saying("alice", /Shared in/);
  expect(JSON.stringify(inChannel().map(shown))).toContain("marigold");
  expect(slack.problems).toEqual([]);
});

test("T15: what was said in the direct message is not known in the channel", async () => {
  const thread = running.slack.post({
    workspace: acme,
    as: "alice",
    channel: "general",
    text: "@footnote How long is the severance of alice?",
  });
  expect(await answered("alice", thread, "general")).not.toContain("marigold");
});

test("the direct message offers questions to begin with, and its threads are named after theirs", async () => {
  const { slack } = running;
  slack.screens.openHome({ workspace: acme, as: "bob", tab: "messages", beside: "general" });
  const offered = () => slack.screens.agentView({ workspace: acme, as: "bob" });
  expect((await slack.waitFor(() => offered().prompts))?.prompts.map(({ message }) => message)).toContain("Which documents do you have?");
  const ts = slack.post({ workspace: acme, as: "bob", channel: "direct", text: "What is the code of the north door?" });
  expect(await slack.waitFor(() => offered().titles.get(ts))).toBe("What is the code of the north door?");
  expect(slack.problems).toEqual([]);
});
