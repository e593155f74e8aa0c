import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { channel } from "../../fakes/people.ts";
import { Bench, cellar, guest, hall, identities, member, owner, thread } from "./surface-bench.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open("embedded");
});
afterAll(() => bench.db.close());
beforeEach(() => bench.reset());

const message = { ts: thread, author: "U7", text: "Leave is <https://a.example|18 weeks> & more", files: ["F01 leave.pdf"] };
const open = (who = member, at: { channel: typeof hall; thread?: typeof thread } = { channel: hall }) =>
  bench.click(who, "ask_about_this", { at, message });
const send = (who = member, entered: Record<string, string> = {}, view = bench.top) =>
  bench.click(who, "ask_about", { view, entered: new Map(Object.entries({ question: "Is it <still> so?", where: "thread", ...entered })) });

describe("the shortcut Ask about this", () => {
  test("asks in the message's thread, in the person's name, with the message and its files", async () => {
    await open();
    await send();
    expect(bench.posted).toEqual([expect.objectContaining({ channel: hall, thread })]);
    expect(bench.posted[0]?.body.text).toContain(`<@${member.id}> asks about `);
    const [asked] = bench.asked;
    expect(asked).toMatchObject({ channel: hall, thread, person: member.id, asks: "always", files: ["F01 leave.pdf"] });
    expect(asked?.text).toContain("Is it &lt;still&gt; so?");
    expect(asked?.text).toContain("&gt; Leave is <https://a.example|18 weeks> & more");
  });

  test("asks in the thread in which the message stands", async () => {
    await open(member, { channel: hall, thread });
    await send();
    expect(bench.asked[0]).toMatchObject({ thread });
  });

  test("asks privately when that is chosen, and nothing shows in the channel", async () => {
    await open();
    await send(member, { where: "private" });
    expect(bench.posted.map((posted) => posted.channel)).toEqual([channel(`DM_${member.id}`)]);
    expect(bench.asked[0]).toMatchObject({ channel: channel(`DM_${member.id}`), thread: "9.000001" });
  });

  test("where the bot may not write, the answer comes privately and says why", async () => {
    await open();
    bench.postRefusals = ["not_in_channel"];
    await send();
    expect(bench.asked.map((asked) => asked.channel)).toEqual([channel(`DM_${member.id}`)]);
    expect(JSON.stringify(bench.posted[0]?.body.blocks)).toContain("I am not in");
  });

  test("about a message of a place that the person does not read here, the answer comes privately; for a reader, in the thread", async () => {
    await open(member, { channel: cellar });
    await send();
    await open(owner, { channel: cellar });
    await send(owner);
    expect(bench.asked.map((asked) => asked.channel)).toEqual([channel(`DM_${member.id}`), cellar]);
  });

  test("a form that is sent twice asks once; an empty one, and one without its message, ask nothing", async () => {
    await open();
    const view = bench.top;
    const twice = { view, entered: new Map([["question", "Why?"]]), trigger: "1.same" };
    await bench.click(member, "ask_about", twice);
    await bench.click(member, "ask_about", twice);
    await send(member, { question: "  " }, view);
    await send(member, {}, { ...view, metadata: "{}" });
    expect(bench.asked).toHaveLength(1);
  });

  test.each(identities.map((who, index) => [who.name, "yyyynnn"[index] === "y", who] as const))(
    "sent by the %s, it asks: %s",
    async (_, may, who) => {
      await open(guest);
      await send(who);
      expect(bench.asked.map((asked) => asked.person)).toEqual(may ? [who.id] : []);
    },
  );
});
