import type { ThreadMessage } from "../../../src/agent/ports.ts";
import { messageTs } from "../../../src/core/ids.ts";
import { text } from "../../../src/plugins/define.ts";
import { person } from "../../fakes/people.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, alice, tool } from "../setup.ts";

const bob = person("bob");

/** What the model reads for a question at the end of a thread. */
async function prompt(thread: readonly ThreadMessage[], question: string, root = "1.0") {
  const model = new ScriptedModel(says("Fine."));
  const threads = {
    history: async (_channel: unknown, _thread: unknown, limit: number, before?: string) =>
      thread.filter(({ ts }) => before === undefined || Number(ts) < Number(before)).slice(-limit),
  };
  const { ask } = agent({ model, people: [alice, bob], ports: { threads } });
  await ask({ text: question, thread: messageTs(root), message: messageTs("9999.0") });
  return model.requests[0]?.messages.map(({ content }) => content) ?? [];
}
const said = (ts: number, text: string, who = alice): ThreadMessage => ({
  ts: messageTs(`${ts}.0`),
  author: "person",
  person: who.id,
  text,
});
const answered = (ts: number, text: string): ThreadMessage => ({ ts: messageTs(`${ts}.0`), author: "assistant", text });

test("H5-THR-03: everybody's turns are in the prompt, each with its speaker", async () => {
  const thread = [said(1, "How much leave have I?"), answered(2, "26 days."), said(3, "and for my team?", bob), answered(4, "The same.")];
  expect(await prompt(thread, "what did U2 want?")).toEqual([
    "alice: How much leave have I?",
    "26 days.",
    "bob: and for my team?",
    "The same.",
    "alice: what did U2 want?",
  ]);
});

test("H5-THR-03: permissions are those of the one who speaks now", async () => {
  const seen: unknown[] = [];
  const look = tool("look", async (_params, context) => {
    seen.push(context.person);
    return text("ok");
  });
  const history = [said(1, "How much leave have I?"), answered(2, "26 days.")];
  const { ask } = agent({ model: new ScriptedModel(calls(call("look")), says("ok")), people: [alice, bob], history, tools: [look] });
  await ask({ text: "and I?", person: bob.id, thread: messageTs("1.0"), message: messageTs("3.0") });
  expect(seen).toEqual([bob.id]);
});

test("H5-THR-04: of 300 replies the newest are read, in order, with the message that began the thread", async () => {
  const thread = Array.from({ length: 300 }, (_, at) => said(at + 1, at + 1 === 299 ? "the code word is KIWI" : `reply ${at + 1}`));
  const contents = await prompt(thread, "What is the code word?");
  expect(contents[0]).toBe("reply 1");
  expect(contents.slice(-3)).toEqual(["the code word is KIWI", "reply 300", "What is the code word?"]);
  expect(contents).not.toContain("reply 2");
});

test("H5-THR-05: in a thread of 2,500 replies the beginning is known by its ts, never by its position", async () => {
  const thread = Array.from({ length: 2_500 }, (_, at) => said(at + 2, `reply ${at + 2}`));
  const withoutRoot = await prompt(thread, "And now?");
  expect(withoutRoot[0]).toBe("reply 2462");
  const withRoot = await prompt([said(1, "The parent"), ...thread], "And now?");
  expect([withRoot[0], withRoot[1], withRoot.at(-2)]).toEqual(["The parent", "reply 2462", "reply 2501"]);
});
