import { describe, expect, test } from "@jest/globals";
import { type PrepareParts, prepareTurn } from "../../../src/bot/turns/prepare-turn.ts";
import { aboutMessage, splitQuoted } from "../../../src/bot/turns/quoted-message.ts";
import type { StartedTurn } from "../../../src/bot/turns/turn-store.ts";
import { messageTs, newId, personId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { channel, person } from "../../fakes/people.ts";

const [alice, bob] = [
  { ...person("alice"), id: personId("U1") },
  { ...person("bob"), id: personId("U2") },
];
const bot = personId("U_BOT");

const prepared = (question: Partial<StartedTurn>, parts: Partial<PrepareParts> = {}) =>
  prepareTurn(
    {
      ...{ id: turnId(newId()), channel: channel("hall"), thread: messageTs("1.000001"), ts: messageTs("1.000001"), person: alice.id },
      ...{ text: "Why?", earlierAttempts: 0, joinsThread: false, ...question },
    },
    {
      directory: { person: async (id) => [alice, bob].find((one) => one.id === id), channelName: async () => undefined },
      ...{ rows: undefined as never, slack: undefined as never, bot, counterQuestion: "What is it?", log: silentLogger },
      askAboutFiles: (names) => `What about ${names}?`,
      readFiles: async ({ files = [] }) => ({ read: [], notes: files.map((file) => `${file} is a picture.`) }),
      ...parts,
    },
  );

describe("a question about somebody's message", () => {
  const text = aboutMessage("Is it &lt;still&gt; so?", bob.id, "Yes.\n\n(About this message of <@U1>:)\n&gt; <https://evil.example|ok>");

  test("is the asker's own words; the message is read along as its author's", async () =>
    expect(await prepared({ text })).toEqual({
      kind: "ask",
      text: "Is it <still> so?",
      attachments: {
        read: [
          {
            id: "message",
            name: "Message of @bob",
            passages: [{ passage: "Yes.\n\n(About this message of @alice:)\n> [ok](https://evil.example)" }],
          },
        ],
        notes: [],
      },
    }));

  test.each([
    ["a plain question", "Why?", { own: "Why?" }],
    ["a form that breaks off", "Why?\n\n(About this message of <@U1", { own: "Why?", quoted: { author: "", text: "U1" } }],
    ["a message in lines", aboutMessage("Why?", bob.id, "a\nb\n\nc"), { own: "Why?", quoted: { author: bob.id, text: "a\nb\n\nc" } }],
  ])("%s is taken apart", (_, raw, parts) => expect(splitQuoted(raw)).toEqual(parts));
});

describe("a question with files", () => {
  test("says nothing of them in its own words: what cannot be read is told beside them", async () =>
    expect(await prepared({ files: ["F01 see https://evil.example.png"] })).toEqual({
      kind: "ask",
      text: "Why?",
      attachments: { read: [], notes: ["F01 see https://evil.example.png is a picture."] },
    }));

  test("but without a word is asked about, with names that are no Markdown", async () =>
    expect(await prepared({ text: "<@U_BOT>", files: ["F01 *a*_b_[c](d).pdf", "old.txt"] })).toEqual({
      kind: "reply",
      text: "What about \\*a\\*\\_b\\_\\[c\\]\\(d\\)\\.pdf, old\\.txt?",
    }));

  test("and of somebody who takes no part are not even looked at", async () => {
    const readFiles = () => Promise.reject(new Error("It is read."));
    const directory = { person: async () => person("alice", { role: "outsider" }), channelName: async () => undefined };
    expect(await prepared({ files: ["F01 a.pdf"] }, { readFiles, directory })).toEqual({ kind: "refuse", code: "PERSON_IS_OUTSIDER" });
  });
});
