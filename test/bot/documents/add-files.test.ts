import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Principal } from "../../../src/core/principal.ts";
import { admin, Bench, cellar, hall, identities, member, owner, thread } from "../surfaces/surface-bench.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open("embedded");
});
afterAll(() => bench.db.close());
beforeEach(() => bench.reset());

const message = { ts: thread, author: "U7", text: "", files: ["F01 leave.pdf", "no-id.pdf"] };
/** A form as somebody has it on their screen, whatever is entered into it. */
const form = (channel: string = hall, files = ["F01 leave.pdf"]) => ({
  ...{ id: "V1", hash: "h", kind: "modal" as const },
  metadata: JSON.stringify({ channel, files }),
});
const send = (who = member, entered: Record<string, string> = { who: "me" }, view = form()) =>
  bench.click(who, "add_documents", { view, entered: new Map(Object.entries(entered)) });
const grants = () => bench.read.map((file) => [...file.grants]);

describe("who may see a file that is added", () => {
  const own = `person:${member.id}` as Principal;
  test.each<[string, Record<string, string>, Principal[]]>([
    ["only me", { who: "me" }, [own]],
    ["this channel", { who: "channel" }, [`channel:${hall}`, own]],
    ["chosen people and groups", { who: "chosen", people: "U5\nU6", groups: "S1" }, ["person:U5", "person:U6", "group:S1", own]],
  ])("%s", async (_, entered, expected) => {
    await send(member, entered);
    expect(grants()).toEqual([expected]);
    expect(await bench.audit()).toEqual([`${member.id} document-add F01 ${hall} done`]);
  });

  test("the whole workspace: by an admin", async () => {
    await send(admin, { who: "workspace" });
    expect(grants()).toEqual([["everyone"]]);
  });

  test("the whole workspace: by a knowledge editor, while they are one", async () => {
    await send(owner);
    await send(member, { who: "workspace" });
    expect(bench.read.map((file) => file.person)).toEqual([owner.id]);
    const { roles } = await bench.desk(bench.tenant);
    const until = new Date(Date.now() + 86_400_000);
    const given = { person: member.id, role: "knowledge-editor", grantedBy: owner.id, until } as const;
    await roles.grant({ key: "grant", attempts: [] }, given, new Date(Date.now()));
    await send(member, { who: "workspace" });
    expect(grants().at(-1)).toEqual(["everyone"]);
  });

  test.each<[string, Record<string, string>, RegExp, string]>([
    ["the whole workspace, by a member who forges the form", { who: "workspace" }, /Only an admin/, hall],
    ["nobody", { who: "chosen" }, /at least one/, hall],
    ["a group that is not one of the workspace's", { who: "chosen", groups: "S9" }, /at least one/, hall],
    ["a channel that the member does not read", { who: "channel" }, /no file/, cellar],
    ["something else", { who: "all" }, /no file/, hall],
  ])("%s: nothing is added, and that is noted", async (_, entered, why, channel) => {
    await send(member, entered, form(channel));
    expect([bench.read, bench.posted.at(-1)?.body.text]).toEqual([[], expect.stringMatching(why)]);
    expect(await bench.audit()).toEqual([expect.stringMatching(/document-add F01 .*refused/)]);
  });

  test.each(identities.map((who, index) => [who.name, "yyynnnn"[index] === "y", who] as const))(
    "the %s adds one: %s",
    async (_, may, who) => {
      await send(who);
      expect(bench.read.map((file) => file.person)).toEqual(may ? [who.id] : []);
    },
  );

  test("that somebody else has added: for one's own readers, as if nobody had; a form that comes twice counts once", async () => {
    const same = { view: form(), entered: new Map([["who", "channel"]]), trigger: "1.same" };
    await bench.click(member, "add_documents", same);
    await bench.click(member, "add_documents", same);
    const alone = [grants(), bench.posted.map(({ body }) => body.text)];
    bench.read.splice(0);
    await bench.reset();
    await send(owner, { who: "me" });
    bench.read.splice(0);
    await bench.click(member, "add_documents", same);
    expect([grants(), bench.posted.map(({ body }) => body.text)]).toEqual(alone);
  });

  test("a file without Slack's id, and a message without one, offer nothing", async () => {
    await bench.click(member, "add_to_knowledge", { at: { channel: hall }, message });
    expect(bench.top.metadata).toBe(JSON.stringify({ channel: hall, files: ["F01 leave.pdf"] }));
    expect(await bench.click(member, "add_to_knowledge", { at: { channel: hall }, message: { ...message, files: [] } })).toContain(
      "no file",
    );
  });
});
