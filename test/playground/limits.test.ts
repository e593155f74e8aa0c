import type { Json } from "../../playground/server/state.ts";
import { apiOf, startSlack } from "./harness.ts";

const plain = (length: number) => ({ type: "plain_text", text: "x".repeat(length) });
const mrkdwn = (length: number) => ({ type: "mrkdwn", text: "x".repeat(length) });
const button = (more: Json = {}) => ({ type: "button", text: plain(5), action_id: "a", ...more });
const actions = (...elements: Json[]) => [{ type: "actions", elements }];
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const select = (options: Json[]) => actions({ type: "static_select", action_id: "s", placeholder: plain(5), options });
const option = (index: number, text = 5) => ({ text: plain(text), value: `v${index}` });

/** What is still taken, and the first that is not. */
const edges: readonly [string, (size: number) => Json[], number, number][] = [
  ["blocks of a message", (n) => many(n, () => ({ type: "divider" })), 50, 51],
  ["characters of a section", (n) => [{ type: "section", text: mrkdwn(n) }], 3_000, 3_001],
  ["characters of a section: at least one", (n) => [{ type: "section", text: mrkdwn(n) }], 1, 0],
  ["fields of a section", (n) => [{ type: "section", fields: many(n, () => mrkdwn(5)) }], 10, 11],
  ["characters of a field", (n) => [{ type: "section", fields: [mrkdwn(n)] }], 2_000, 2_001],
  ["characters of a header", (n) => [{ type: "header", text: plain(n) }], 150, 151],
  ["elements of a context", (n) => [{ type: "context", elements: many(n, () => mrkdwn(5)) }], 10, 11],
  ["elements of an actions block", (n) => actions(...many(n, (index) => button({ action_id: `a${index}` }))), 25, 26],
  ["characters on a button", (n) => actions(button({ text: plain(n) })), 75, 76],
  ["characters of a button's value", (n) => actions(button({ value: "v".repeat(n) })), 2_000, 2_001],
  ["characters of a button's address", (n) => actions(button({ url: `https://a.example/${"p".repeat(n - 18)}` })), 3_000, 3_001],
  ["characters of an action id", (n) => actions(button({ action_id: "a".repeat(n) })), 255, 256],
  ["characters of a block id", (n) => [{ type: "divider", block_id: "b".repeat(n) }], 255, 256],
  [
    "characters of an image's alternative text",
    (n) => [{ type: "image", image_url: "https://a.example/i.png", alt_text: "x".repeat(n) }],
    2_000,
    2_001,
  ],
  ["options of a menu", (n) => select(many(n, (index) => option(index))), 100, 101],
  ["characters of an option", (n) => select([option(1, n)]), 75, 76],
  ["check boxes", (n) => actions({ type: "checkboxes", action_id: "c", options: many(n, (index) => option(index)) }), 10, 11],
  ["entries of an overflow menu", (n) => actions({ type: "overflow", action_id: "o", options: many(n, (index) => option(index)) }), 5, 6],
  ["rows of a table", (n) => [{ type: "table", rows: many(n, () => [{ type: "raw_text", text: "c" }]) }], 100, 101],
  ["columns of a table", (n) => [{ type: "table", rows: [many(n, () => ({ type: "raw_text", text: "c" }))] }], 20, 21],
];

describe("blocks", () => {
  it.each(edges)("%s: the limit is taken, one more is refused with the place of the mistake", async (_what, make, fine, wrong) => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    expect(await call("chat.postMessage", { channel, text: "t", blocks: make(fine) })).toMatchObject({ ok: true });
    const refused = await call("chat.postMessage", { channel, text: "t", blocks: make(wrong) });
    expect(refused).toMatchObject({ ok: false, error: "invalid_blocks" });
    expect((refused.errors as string[])[0]).toMatch(/\[json-pointer:\/blocks/);
    expect(slack.problems).toHaveLength(1);
    expect(slack.messages({ workspace: "acme", channel: "general" })).toHaveLength(1);
  });

  it.each<[string, Json]>([
    ["an unknown kind of block", { type: "sparkles" }],
    ["a section without words", { type: "section" }],
    ["a header in mrkdwn", { type: "header", text: mrkdwn(3) }],
    ["an unknown element", { type: "actions", elements: [{ type: "lever", action_id: "l" }] }],
    ["a button with a script address", { type: "actions", elements: [button({ url: "javascript:alert(1)" })] }],
    ["two buttons with one action id", { type: "actions", elements: [button(), button()] }],
    [
      "feedback with one side only",
      { type: "context_actions", elements: [{ type: "feedback_buttons", action_id: "f", positive_button: button() }] },
    ],
    ["an empty actions block", { type: "actions", elements: [] }],
  ])("%s is refused", async (_what, block) => {
    const slack = await startSlack();
    const channel = slack.workspace("acme").channel("general");
    expect(await apiOf(slack, "acme")("chat.postMessage", { channel, text: "t", blocks: [block] })).toMatchObject({
      error: "invalid_blocks",
    });
  });

  it("keep their ids and get one when they have none, the same for the same block", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const post = async () =>
      (
        (
          await apiOf(slack, "acme")("chat.postMessage", {
            channel,
            text: "t",
            blocks: [{ type: "divider" }, { type: "divider", block_id: "mine" }],
          })
        ).message as Json
      ).blocks as Json[];
    const [first, second] = await post();
    expect(first?.block_id).toMatch(/^\w{5}$/);
    expect(second?.block_id).toBe("mine");
    expect((await post())[0]).toEqual(first);
  });

  it("hold 12,000 characters of Markdown together and about 13,200 of everything", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    const post = (blocks: Json[]) => apiOf(slack, "acme")("chat.postMessage", { channel, text: "t", blocks });
    const markdown = (length: number) => ({ type: "markdown", text: "x".repeat(length) });
    expect(await post([markdown(6_000), markdown(6_000)])).toMatchObject({ ok: true });
    expect(await post([markdown(6_000), markdown(6_001)])).toMatchObject({ error: "msg_blocks_too_long" });
    expect(await post(many(4, () => ({ type: "section", text: mrkdwn(3_000) })))).toMatchObject({ ok: true });
    expect(await post(many(5, () => ({ type: "section", text: mrkdwn(3_000) })))).toMatchObject({ error: "msg_blocks_too_long" });
  });
});

describe("texts", () => {
  it("are cut at 40,000 characters when posted, and noted; refused over 4,000 when updated", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const whole = await call("chat.postMessage", { channel, text: "x".repeat(40_000) });
    expect(slack.problems).toEqual([]);
    expect((whole.message as Json).text).toHaveLength(40_000);
    const cut = await call("chat.postMessage", { channel, text: "x".repeat(40_001) });
    expect((cut.message as Json).text).toHaveLength(40_000);
    expect(slack.problems).toMatchObject([{ method: "chat.postMessage", error: "text_truncated" }]);
    const { ts } = whole;
    expect(await call("chat.update", { channel, ts, text: "x".repeat(4_000) })).toMatchObject({ ok: true });
    expect(await call("chat.update", { channel, ts, text: "x".repeat(4_001) })).toEqual({ ok: false, error: "msg_too_long" });
  });

  it("must not be missing, nor come beside markdown_text", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    expect(await call("chat.postMessage", { channel })).toEqual({ ok: false, error: "no_text" });
    expect(await call("chat.postMessage", { channel, text: "" })).toEqual({ ok: false, error: "no_text" });
    expect(await call("chat.postMessage", { channel, markdown_text: "**a**" })).toMatchObject({ ok: true });
    expect(await call("chat.postMessage", { channel, markdown_text: "a", text: "b" })).toEqual({
      ok: false,
      error: "markdown_text_conflict",
    });
    expect(await call("chat.postMessage", { channel, markdown_text: "a", blocks: [{ type: "divider" }] })).toEqual({
      ok: false,
      error: "markdown_text_conflict",
    });
    expect(await call("chat.postMessage", { channel, markdown_text: "x".repeat(12_001) })).toEqual({ ok: false, error: "msg_too_long" });
  });

  it("lose their blocks when updated without, and are marked as edited only then", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    const { ts } = await call("chat.postMessage", { channel, text: "a", blocks: [{ type: "divider" }] });
    const withBlocks = (await call("chat.update", { channel, ts, text: "b", blocks: [{ type: "divider" }] })).message as Json;
    expect([withBlocks.blocks, withBlocks.edited]).toEqual([[expect.objectContaining({ type: "divider" })], undefined]);
    const without = (await call("chat.update", { channel, ts, text: "c" })).message as Json;
    expect([without.blocks, without.edited]).toEqual([undefined, expect.objectContaining({ user: slack.workspace("acme").botUserId })]);
  });

  it("are refused in closed channels", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("people-ops");
    expect(await apiOf(slack, "acme")("chat.postMessage", { channel, text: "a" })).toMatchObject({ ok: true });
    slack.administration.archive({ workspace: "acme", channel: "people-ops", as: "alice" });
    expect(await apiOf(slack, "acme")("chat.postMessage", { channel, text: "a" })).toEqual({ ok: false, error: "is_archived" });
  });
});
