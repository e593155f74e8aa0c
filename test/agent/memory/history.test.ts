import { defaultLimits } from "../../../src/agent/limits.ts";
import { conversation } from "../../../src/agent/memory/history.ts";
import type { ThreadMessage } from "../../../src/agent/ports.ts";
import { messageTs, type PersonId, tenantId } from "../../../src/core/ids.ts";
import { person } from "../../fakes/people.ts";
import { alice, general } from "../setup.ts";

const bob = person("bob");
const said = (ts: string, text: string, who: PersonId | undefined = alice.id): ThreadMessage => ({
  ts: messageTs(ts),
  author: "person",
  person: who,
  text,
});
const answered = (ts: string, text: string): ThreadMessage => ({ ts: messageTs(ts), author: "assistant", text });

/** The prompt's conversation for a question at the end of a thread; memory gives the newest messages it is asked for. */
async function remembered(thread: readonly ThreadMessage[], limits = {}, asker = alice) {
  const question = {
    tenant: tenantId("t"),
    person: asker.id,
    channel: general.id,
    thread: messageTs("1.0"),
    message: messageTs("999.0"),
    text: "And now?",
  };
  const threads = {
    history: async (_c: unknown, _t: unknown, limit: number, before?: string) =>
      thread.filter(({ ts }) => before === undefined || Number(ts) < Number(before)).slice(-limit),
  };
  const directory = { person: async (id: PersonId) => [alice, bob].find((one) => one.id === id) };
  return (await conversation(question, { threads, directory: directory as never }, { ...defaultLimits, ...limits })).messages;
}

test("the thread comes before the question, oldest first", async () => {
  expect(await remembered([said("1.0", "Hi"), answered("2.0", "Hello")])).toEqual([
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "And now?" },
  ]);
});

test("speakers are named when several people speak, and only then", async () => {
  const messages = await remembered([
    said("1.0", "Ours?"),
    answered("2.0", "Ten."),
    said("3.0", "And my team's?", bob.id),
    answered("4.0", "Six."),
  ]);
  expect(messages.map(({ content }) => content)).toEqual(["alice: Ours?", "Ten.", "bob: And my team's?", "Six.", "alice: And now?"]);
});

test("of a long thread the newest messages are there, and the one that began it", async () => {
  const long = Array.from({ length: 300 }, (_, at) => said(`${at + 1}.0`, at === 299 ? "the code word is KIWI" : `message ${at}`));
  const messages = await remembered(long);
  expect(messages).toHaveLength(42);
  expect(messages[0]?.content).toBe("message 0");
  expect(messages.at(-2)?.content).toBe("the code word is KIWI");
});

test("the token budget drops the oldest but the first, and never leaves an answer without its question", async () => {
  const words = "word ".repeat(100);
  const thread = [said("1.0", "Start"), said("2.0", words), answered("3.0", "old"), said("4.0", words), answered("5.0", words)];
  const messages = await remembered(thread, { historyTokens: 250 });
  expect(messages.map(({ content }) => content)).toEqual(["Start", words, words, "And now?"]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "user", "assistant", "user"]);
});

test("one pasted log does not push out the conversation", async () => {
  const messages = await remembered([said("1.0", "x1 ".repeat(100_000)), said("2.0", "What is wrong here?")]);
  expect(messages).toHaveLength(3);
});

test("the question is not there twice, and old numbers of sources are gone", async () => {
  const messages = await remembered([
    said("1.0", "Hi"),
    answered("2.0", "26 weeks [1][2]. See [3](https://x.org)."),
    said("999.0", "And now?"),
  ]);
  expect(messages.map(({ content }) => content)).toEqual(["Hi", "26 weeks. See [3](https://x.org).", "And now?"]);
});
