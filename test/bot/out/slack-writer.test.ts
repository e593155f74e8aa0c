import { english } from "../../../src/bot/surfaces/answer/words.ts";
import { section } from "../../../src/bot/surfaces/blocks.ts";
import { notice } from "../../../src/bot/surfaces/notices.ts";
import { StreamBench } from "./stream-bench.ts";

let bench: StreamBench;
beforeEach(async () => {
  bench = await StreamBench.open();
});
afterEach(() => bench.slack.stop());

describe("the only place that writes to Slack", () => {
  test("no call lets Slack resolve names, fetch previews or look for addresses", async () => {
    const { channel, thread, person, turn } = bench.ask();
    const body = { text: "@alice example", blocks: [section("@alice example")] };
    const ts = await bench.writer.post(channel, thread, () => body, { mark: { turn, part: 0 } });
    if (!ts) throw new Error("not posted");
    await bench.writer.update(channel, ts, () => body);
    await bench.writer.postEphemeral(channel, person, body, thread);
    const calls = bench.slack.calls.filter((call) => call.method.startsWith("chat."));
    expect(calls.map((call) => call.method)).toEqual(["chat.postMessage", "chat.update", "chat.postEphemeral"]);
    for (const { args } of calls) {
      expect(args).toMatchObject({ parse: "none" });
      expect(String(args.link_names)).toBe("false");
      expect(JSON.stringify(args.blocks)).toContain("verbatim");
    }
    expect(String(calls[0]?.args.unfurl_links) + String(calls[0]?.args.unfurl_media)).toBe("falsefalse");
  });

  test("finds a message by its mark among many, and no other's", async () => {
    const { channel, thread, turn } = bench.ask();
    for (let at = 0; at < 205; at++) bench.slack.post({ workspace: "acme", as: "bob", channel: "general", text: `noise ${at}`, thread });
    const ts = await bench.writer.post(channel, thread, () => notice("An answer."), { mark: { turn, part: 1 } });
    expect(await bench.writer.findPosted(channel, thread, { turn, part: 1 })).toBe(ts);
    expect(await bench.writer.findPosted(channel, thread, { turn, part: 0 })).toBeUndefined();
  });

  test("a notice only one person sees reaches nobody else", async () => {
    const { channel, thread, person } = bench.ask();
    await bench.writer.postEphemeral(channel, person, notice(english.queueFull), thread);
    const [message] = bench.slack.messages({ workspace: "acme", channel: "general" }).filter((one) => one.botId);
    expect(message).toMatchObject({ ephemeralTo: person, text: english.queueFull });
  });

  test("a call is given up when its signal aborts while it waits", async () => {
    const { channel, thread } = bench.ask();
    bench.slack.fail({ method: "chat.postMessage", retryAfter: 60 });
    const stop = new AbortController();
    const posting = bench.writer.post(channel, thread, () => notice("Too late."), { signal: stop.signal });
    await bench.slack.waitFor(() => bench.calls("chat.postMessage")[0]?.answeredAt !== undefined);
    stop.abort(new Error("stopped"));
    await expect(posting).rejects.toThrow("stopped");
  });

  test("one workspace's dead token stops only that workspace", async () => {
    const { channel, thread } = bench.ask();
    bench.slack.fail({ method: "*", workspace: "acme", error: "token_revoked" });
    await expect(bench.writer.post(channel, thread, () => notice("x"))).rejects.toMatchObject({ kind: "token-dead", final: true });
    const globex = bench.slack.workspace("globex").channel("general");
    expect(await bench.newWriter("globex").post(globex as typeof channel, undefined, () => notice("x"))).toBeDefined();
  });
});
