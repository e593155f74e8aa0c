import { expect, test } from "@jest/globals";
import type { MessageBody } from "../../../src/bot/out/slack-writer.ts";
import { aboutMessage } from "../../../src/bot/turns/quoted-message.ts";
import { tellThatItWaits } from "../../../src/bot/turns/waiting-notice.ts";
import { english } from "../../../src/bot/words/catalogue.ts";
import { messageTs, newId, type PersonId, personId, turnId } from "../../../src/core/ids.ts";
import { channel, person } from "../../fakes/people.ts";

const alice = { ...person("alice", { role: "admin" }), id: personId("U1") };
const bob = { ...person("bob"), id: personId("U2") };
const carol = { ...person("carol", { role: "guest" }), id: personId("U3") };
const turn = turnId(newId());

/** What somebody is told whose question comes while these of the thread are unfinished. */
async function told(
  who: PersonId,
  ahead: readonly { readonly person: PersonId; readonly question: string }[],
  asks: { readonly text: string; readonly files?: readonly string[] } = { text: "And this?" },
) {
  const said: { readonly to: PersonId; readonly body: MessageBody }[] = [];
  const at = { channel: channel("hall"), thread: messageTs("1.000001"), ts: messageTs("3.000001"), person: who, ...asks };
  await tellThatItWaits(at, {
    changes: { unfinished: async ({ before }) => (before === at.ts ? ahead.map((one) => ({ turn, ...one })) : []) },
    directory: { person: async (id) => [alice, bob, carol].find((one) => one.id === id), channelName: async () => undefined },
    writer: { postEphemeral: async (_channel, to, body) => void said.push({ to, body }) },
    bot: personId("UBOT"),
    words: english.answer,
  });
  const offers = (body: MessageBody, value: string) => JSON.stringify(body.blocks).includes(`"value":"${value}"`);
  return said.map(({ to, body }) => [to, body.text, offers(body, turn), offers(body, at.ts)]);
}

test("who asks again before the answer hears what it waits for, and may stop that", async () =>
  expect(await told(bob.id, [{ person: bob.id, question: "<@UBOT> How long is *leave*?" }])).toEqual([
    [bob.id, expect.stringMatching(/after your earlier one: “How long is .*leave.*\?”\.$/), true, true],
  ]));

test("behind somebody else's question only admins may stop that; a hostile one does nothing", async () => {
  const hostile = {
    person: carol.id,
    question: "&lt;!channel&gt; <https://evil.example|here>\n\n(About this message of <@U1>:)\n&gt; secret",
  };
  const [first] = await told(bob.id, [hostile, { person: bob.id, question: "And?" }]);
  expect(first).toEqual([bob.id, expect.stringContaining("after that of <@U3>"), false, false]);
  expect(first?.[1]).toContain("and one more");
  expect(first?.[1]).not.toMatch(/<!channel>|<https|secret/);
  expect((await told(alice.id, [hostile]))[0]?.slice(2)).toEqual([true, false]);
});

test.each([
  ["comes with a file", { text: "And this?", files: ["F01 a.pdf"] }],
  ["is about somebody's message", { text: aboutMessage("And this?", carol.id, "secret") }],
  ["is the mention alone", { text: "<@UBOT>" }],
])("a question that %s cannot become part of the answer before it", async (_, asks) =>
  expect((await told(bob.id, [{ person: bob.id, question: "Why?" }], asks))[0]?.slice(2)).toEqual([true, false]),
);

test("where no other question is before it, nothing is said", async () => expect(await told(bob.id, [])).toEqual([]));
