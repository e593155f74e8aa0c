import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { responder } from "../../src/bot/commands/response-url.ts";
import { checkBotToken } from "../../src/bot/workspace/check-slack.ts";
import { slackClient } from "../../src/bot/workspace/slack-clients.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";

const token = new Secret("xoxb-canary-token");

let servers: Server[];
beforeEach(() => {
  servers = [];
});
afterEach(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

/** A server that notes the headers of every request and answers in its way. */
async function listening(answer: (url: string) => { status: number; headers?: Record<string, string>; body?: string }) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(JSON.stringify([request.url, request.headers]));
    const { status, headers = {}, body = "" } = answer(request.url ?? "");
    response.writeHead(status, { connection: "close", ...headers }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("T44: the bot's token goes to Slack's Web API and nowhere else", () => {
  test.each([301, 302, 307, 308])("a redirect of Slack's with status %d does not take it along", async (status) => {
    const evil = await listening(() => ({ status: 200, headers: { "content-type": "application/json" }, body: '{"ok":true}' }));
    const slack = await listening(() => ({ status, headers: { location: `${evil.url}/api/auth.test` } }));
    const apiUrl = `${slack.url}/api/`;
    await expect(slackClient(token, silentLogger, apiUrl).auth.test()).rejects.toThrow();
    await checkBotToken(token, "acme", { apiUrl, clock: systemClock });
    expect(slack.seen.filter((request) => request.includes("canary")).length).toBeGreaterThan(0);
    expect(evil.seen.filter((request) => request.includes("canary"))).toEqual([]);
  });

  test("an absolute address in place of a method is no method", async () => {
    const evil = await listening(() => ({ status: 200, body: '{"ok":true}' }));
    const slack = await listening(() => ({ status: 200, headers: { "content-type": "application/json" }, body: '{"ok":true}' }));
    await slackClient(token, silentLogger, `${slack.url}/api/`)
      .apiCall(`${evil.url}/steal`)
      .catch(() => undefined);
    expect(evil.seen).toEqual([]);
  });

  test.each([
    "https://hooks.slack.com.evil.example/x",
    "https://hooks.slack.com@evil.example/x",
    "http://hooks.slack.com/x",
    "https://evil.example/",
  ])("an answer to a command does not go to %s", async (address) => {
    expect(await responder(undefined)(address, { text: "x", blocks: [] })).toBe(false);
  });

  test("nothing downloads a file by the address in an event", () => {
    const root = join(import.meta.dirname, "../../src");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    // Whoever adds a download must send the token to https://*.slack.com alone, and extend this test.
    expect(files.filter((path) => /url_private|permalink_public/.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });
});
