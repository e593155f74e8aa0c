import { createHmac } from "node:crypto";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createSlackApp } from "../../../src/bot/in/slack-app.ts";
import { Secret } from "../../../src/core/secret.ts";
import { NotingContext } from "../../fakes/listener-context.ts";
import { type Bot, World } from "./bot.ts";

type Headers = Record<string, string | string[]>;

describe("requests that Slack did not sign are refused", () => {
  let world: World;
  let bot: Bot;
  let url: string;
  let secret: string;
  beforeAll(async () => {
    world = await World.start();
    bot = await world.bot({ mode: "http", works: false });
    url = await world.serve(bot.slack);
    secret = world.slack.signingSecret;
  });
  afterAll(() => world?.stop());

  const now = () => Math.floor(Date.now() / 1_000);
  const sign = (body: string | Buffer, at: number | string = now(), key = secret): Headers => ({
    "content-type": "application/json",
    "x-slack-request-timestamp": String(at),
    "x-slack-signature": `v0=${createHmac("sha256", key).update(`v0:${at}:`).update(body).digest("hex")}`,
  });

  function send(body: string | Buffer, headers: Headers): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request(url, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  let events = 0;
  function event(): string {
    events += 1;
    const { teamId, botUserId } = world.slack.workspace("acme");
    const inner = { type: "app_mention", channel: "C9", user: "U9", text: `<@${botUserId}> hi`, ts: `100.${events}` };
    return JSON.stringify({ type: "event_callback", api_app_id: "A0FOOTNOTE1", team_id: teamId, event_id: `EvS${events}`, event: inner });
  }
  const stored = () => world.turnCount();

  test("a signed event is taken", async () => {
    const before = await stored();
    const body = event();
    expect(await send(body, sign(body))).toBe(200);
    expect(await stored()).toBe(before + 1);
  });

  test.each([
    ["no signature", (body: string) => ({ ...sign(body), "x-slack-signature": "" })],
    ["no time", (body: string) => ({ ...sign(body), "x-slack-request-timestamp": "" })],
    ["two signatures", (body: string) => ({ ...sign(body), "x-slack-signature": [String(sign(body)["x-slack-signature"]), "v0=00"] })],
    [
      "another version",
      (body: string) => ({ ...sign(body), "x-slack-signature": String(sign(body)["x-slack-signature"]).replace("v0", "v1") }),
    ],
    ["too old", (body: string) => sign(body, now() - 301)],
    ["from the future", (body: string) => sign(body, now() + 600)],
    ["a time that is no number", (body: string) => sign(body, "NaN")],
    ["another key", (body: string) => sign(body, now(), "another secret of 32 characters..")],
    ["an empty key", (body: string) => sign(body, now(), "")],
    ["a signature of another length", (body: string) => ({ ...sign(body), "x-slack-signature": "v0=abc" })],
    ["the signature of another body", (body: string) => sign(`${body} `)],
    [
      "an unsigned certificate check that carries an event",
      (body: string) => ({ ...sign(body, now(), "x"), "content-type": "application/x-www-form-urlencoded" }),
    ],
  ])("%s", async (_name, headers) => {
    const before = await stored();
    const body = event();
    expect(await send(body, headers(body))).toBe(401);
    expect(await stored()).toBe(before);
  });

  test("the same data written in another order", async () => {
    const body = event();
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as object).reverse()));
    expect(await send(reordered, sign(body))).toBe(401);
  });

  test("a compressed body", async () => {
    const body = gzipSync(event());
    expect(await send(body, { ...sign(body), "content-encoding": "gzip" })).toBe(401);
  });

  test("a body that is no JSON, though signed, starts nothing and breaks nothing", async () => {
    const before = await stored();
    expect(await send("{", sign("{"))).toBeGreaterThanOrEqual(400);
    expect(await stored()).toBe(before);
  });

  test("a body over the limit", async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 32);
    expect(await send(body, sign(body)).catch(() => 413)).toBe(413);
  });

  test("a click that is played again; an event that Slack repeats in the same second is no replay", async () => {
    const form = `payload=${encodeURIComponent(JSON.stringify({ type: "block_actions", team: { id: world.slack.workspace("acme").teamId }, user: { id: "U9" }, channel: { id: "C9" }, actions: [{ type: "button", action_id: "retry_turn", value: "x" }] }))}`;
    const headers = { ...sign(form), "content-type": "application/x-www-form-urlencoded" };
    expect([await send(form, headers), await send(form, headers)]).toEqual([200, 401]);
    const body = event();
    const signed = sign(body);
    expect([await send(body, signed), await send(body, signed)]).toEqual([200, 200]);
  });

  test("an event of another app is acknowledged and ignored, without a call to Slack", async () => {
    const [before, calls] = [await stored(), world.slack.calls.length];
    const body = event().replace("A0FOOTNOTE1", "A0SOMEBODY1");
    expect(await send(body, sign(body))).toBe(200);
    expect(await stored()).toBe(before);
    expect(world.slack.calls).toHaveLength(calls);
  });

  test("an event of an unknown workspace is acknowledged and ignored, without a call to Slack", async () => {
    const [before, calls] = [await stored(), world.slack.calls.length];
    const body = event().replace(world.slack.workspace("acme").teamId, "TUNKNOWN");
    expect(await send(body, sign(body))).toBe(200);
    expect(await stored()).toBe(before);
    expect(world.slack.calls).toHaveLength(calls);
  });

  test("Slack's check of the address is answered", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "c" });
    expect(await send(body, sign(body))).toBe(200);
  });

  test("after the stop nothing is taken, so that Slack delivers it to another process", async () => {
    await bot.slack.stop();
    const body = event();
    expect(await send(body, sign(body))).toBe(503);
  });

  test.each([undefined, "", "   ", "short"])("the program does not start with the signing secret %j", (value) => {
    const options = { mode: "http" as const, installations: { byTeam: async () => undefined }, inbox: bot.inbox };
    const start = () =>
      createSlackApp({
        ...options,
        context: new NotingContext(),
        signingSecret: value === undefined ? undefined : new Secret(value),
        clock: world.clock,
        log: world.log,
      });
    expect(start).toThrow(expect.objectContaining({ code: "SIGNING_SECRET_UNSAFE" }));
  });
});
