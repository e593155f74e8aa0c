import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { KnownBlock, ModalView } from "@slack/types";
import { turnId } from "../../../src/core/ids.ts";
import { documentIdOf, passageIdOf } from "../../fakes/memory-library.ts";
import { channel } from "../../fakes/people.ts";
import { admin, Bench, hall, identities, member, owner, thread } from "./surface-bench.ts";

const direct = channel(`DM_${member.id}`);
const handbook = [{ n: 1, id: passageIdOf("Handbook", 1), relevance: 0.9, documentId: documentIdOf("Handbook") }];

let bench: Bench;
let own: { readonly turn: string; readonly trace: string };
beforeAll(async () => {
  bench = await Bench.open("embedded");
});
afterAll(() => bench.db.close());
beforeEach(async () => {
  bench.outsiders = "none";
  bench.readers = 5;
  await bench.reset();
  own = (await bench.privateAnswers(handbook)).get(member.id) ?? { turn: "", trace: "" };
});

/** Everything that anybody but the person themselves could read. */
const seenByOthers = () => bench.posted.filter((message) => message.channel !== direct);
const told = () => bench.told.map(({ text }) => text).join("\n");

describe("T17: search privately", () => {
  const search = (who = member, value = own.turn) => bench.click(who, "search_privately", { value, at: { channel: hall, thread } });

  test("asks the same question in the asker's direct message, with their rights, and says so to them alone", async () => {
    await search();
    expect(bench.asked).toEqual([
      expect.objectContaining({ channel: direct, person: member.id, text: "How long is *leave*?", asks: "always", thread: "9.000001" }),
    ]);
    expect(bench.posted.map((message) => message.channel)).toEqual([direct]);
    expect(bench.posted[0]?.body.text).toContain(`You asked in <#${hall}>`);
    expect(bench.told.map(({ to }) => to)).toEqual([member.id]);
  });

  test("what is asked there is known to come from the channel, for its asker alone", async () => {
    await search();
    const { searches } = await bench.desk(bench.tenant);
    const origin = { channel: hall, thread, person: member.id };
    expect(await searches.origin(direct, bench.asked[0]?.thread ?? thread)).toEqual(origin);
    expect(await searches.origin(direct, thread)).toBeUndefined();
  });

  test("a second click asks nothing and points to the answer", async () => {
    await search();
    await search();
    expect([bench.asked.length, told()]).toEqual([1, expect.stringContaining("is in our direct message.")]);
  });

  test.each([
    ["another member", () => search(admin)],
    ["an admin, for a question that does not exist", () => search(admin, "5f0c7f0e-0000-4000-8000-000000000000")],
    ["a forged button", () => search(member, "' OR 1=1")],
  ])("%s gets nothing searched, and that is noted", async (_, click) => {
    await click();
    expect([bench.asked, bench.posted]).toEqual([[], []]);
    expect(await bench.audit()).toEqual([expect.stringMatching(/search-privately .*refused/)]);
  });

  test("when no direct message can be written, nothing is asked, nothing is said in the channel, and a later click works", async () => {
    bench.postRefusals = ["cannot_dm_bot"];
    await search();
    expect([bench.asked, bench.posted, told()]).toEqual([[], [], expect.stringContaining("cannot write you a direct message")]);
    await search();
    expect(bench.asked).toHaveLength(1);
  });

  test("when too many questions wait, nothing is asked, and a later click works", async () => {
    bench.accepting = async () => "workspace-full";
    await search();
    expect(told()).toBe("");
    bench.accepting = async () => "queued";
    await search();
    expect([bench.asked.length, told()]).toEqual([2, expect.stringContaining("on its way")]);
  });

  test("a process that is gone before it has asked holds nobody up: after a minute a click asks; what was asked is asked once", async () => {
    const claimed = (ago: string) => bench.db.asOwner(`UPDATE private_searches SET claimed_at = now() - interval '${ago}'`);
    await bench.db.asOwner(
      `INSERT INTO private_searches (tenant_id, turn_id, person, channel, thread_ts, direct_channel, direct_thread)
       VALUES ('${bench.tenant}', '${own.turn}', '${member.id}', '${hall}', '${thread}', '${direct}', '8.000001')`,
    );
    await claimed("30 seconds");
    await search();
    expect(bench.asked).toEqual([]);
    await claimed("2 minutes");
    await search();
    expect(bench.asked).toHaveLength(1);
    await claimed("2 minutes");
    await search();
    expect([bench.asked.length, told()]).toEqual([1, expect.stringContaining("is in our direct message.")]);
  });
});

describe("T17: sharing a private answer", () => {
  const at = { channel: direct, thread };
  const preview = async (who = member) => {
    await bench.click(who, "share_answer", { value: own.trace, at });
    return bench.shown.at(-1)?.view as ModalView;
  };
  const send = (who = member, view = bench.top) => bench.click(who, "share_confirmed", { view });
  /** What the preview promises, without its own words around it. */
  const promised = (view: ModalView): readonly KnownBlock[] =>
    view.blocks.slice(view.blocks.findIndex(({ type }) => type === "divider") + 1) as KnownBlock[];

  test("posts in the thread, byte for byte, what the preview showed, with the sources' titles and no link to them", async () => {
    const view = await preview();
    expect(JSON.stringify(view.blocks)).toContain(`<#${hall}>`);
    expect(bench.posted).toEqual([]);
    await send();
    const [shared] = seenByOthers();
    expect([shared?.channel, shared?.thread]).toEqual([hall, thread]);
    expect(JSON.stringify(shared?.body.blocks)).toBe(JSON.stringify(promised(view)));
    expect(JSON.stringify(shared?.body.blocks)).toMatch(/18 weeks.*Handbook/s);
    expect(JSON.stringify(shared?.body.blocks)).not.toContain("footnote.example");
    expect(await bench.audit()).toEqual([`${member.id} answer-share ${own.trace} ${hall} ${thread} done`]);
  });

  test("posts once, however often it is sent", async () => {
    await preview();
    const form = bench.top;
    await send(member, form);
    await send(member, form);
    expect(seenByOthers()).toHaveLength(1);
    expect(bench.posted.at(-1)?.body.text).toContain("shared before");
  });

  test.each(identities.filter(({ id }) => id !== member.id).map((who) => [who.name, who] as const))(
    "the %s neither sees nor posts a member's private answer",
    async (_, who) => {
      const view = await preview(who);
      expect(JSON.stringify(view?.blocks ?? [])).not.toContain("18 weeks");
      await preview();
      await send(who);
      expect(seenByOthers()).toEqual([]);
    },
  );

  test.each<[string, () => Promise<void>, RegExp]>([
    ["the answer is another one", () => rewrite("It is *20 weeks* [1]."), /have changed, so nothing was shared/],
    ["somebody more reads along", () => joinedByOneMore(), /have changed, so nothing was shared/],
    ["another organisation reads along", () => readAlong("some"), /another organisation/],
    ["it is not known whether another organisation reads along", () => readAlong("unknown"), /another organisation/],
  ])("is refused when, since the preview, %s", async (_, change, why) => {
    await preview();
    const form = bench.top;
    await change();
    await send(member, form);
    expect(seenByOthers()).toEqual([]);
    expect(bench.posted.at(-1)?.body.text).toMatch(why);
  });

  const joinedByOneMore = async () => {
    bench.readers += 1;
  };
  const readAlong = async (outsiders: Bench["outsiders"]) => {
    bench.outsiders = outsiders;
  };
  const rewrite = async (text: string) =>
    void (await bench.db.asOwner(
      `UPDATE thread_messages SET text = '${text}' WHERE tenant_id = '${bench.tenant}' AND channel = '${direct}'`,
    ));

  test("is refused when a source is not the asker's to see any more", async () => {
    const secret = [{ n: 1, id: passageIdOf("Board minutes", 1), relevance: 0.9, documentId: documentIdOf("Board minutes") }];
    await bench.reset();
    own = (await bench.privateAnswers(secret)).get(member.id) ?? own;
    expect(JSON.stringify((await preview()).blocks)).toMatch(/may not see source \[1\]/);
    expect(seenByOthers()).toEqual([]);
  });

  test("when Slack does not take it, the person is told, and may share it again", async () => {
    await preview();
    bench.postRefusals = ["is_archived"];
    await send();
    expect([seenByOthers(), bench.posted.at(-1)?.body.text]).toEqual([[], expect.stringContaining("nothing was shared")]);
    await preview();
    await send();
    expect(seenByOthers()).toHaveLength(1);
  });

  describe("when the program stops in the middle of sharing", () => {
    const begunAgo = (ago: string) =>
      bench.db.asOwner(
        `INSERT INTO shared_answers (tenant_id, trace_id, shared_at) VALUES ('${bench.tenant}', '${own.trace}', now() - interval '${ago}')
         ON CONFLICT (tenant_id, trace_id) DO UPDATE SET shared_at = excluded.shared_at, posted = false`,
      );

    test("before Slack had it, a later click shares it; one within the same minute says that it may still come", async () => {
      await begunAgo("20 seconds");
      await preview();
      await send();
      expect([seenByOthers(), bench.posted.at(-1)?.body.text]).toEqual([[], expect.stringContaining("is being shared")]);
      await begunAgo("2 minutes");
      await preview();
      await send();
      await send(member, bench.top);
      expect(seenByOthers()).toHaveLength(1);
      expect(bench.posted.at(-1)?.body.text).toContain("shared before");
    });

    test("after Slack had it, a later click posts nothing twice and says that it is there", async () => {
      await preview();
      await send();
      await begunAgo("2 minutes");
      await preview();
      await send();
      expect([seenByOthers().length, bench.posted.at(-1)?.body.text]).toEqual([1, `Shared in <#${hall}>.`]);
    });
  });

  test("an answer of a direct message that was no private search is not shared anywhere", async () => {
    const trace = await bench.answer(channel(`DM_${owner.id}`), { person: owner.id, thread, message: thread });
    await bench.click(owner, "share_answer", { value: trace.id, at: { channel: channel(`DM_${owner.id}`) } });
    expect(JSON.stringify(bench.shown.at(-1)?.view.blocks)).toContain("not yours to share");
    expect(await (await bench.desk(bench.tenant)).searches.question(turnId(own.turn))).toBeDefined();
  });
});
