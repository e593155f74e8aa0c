import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { responder } from "../../src/bot/commands/response-url.ts";
import { SlackFiles } from "../../src/bot/documents/slack-file.ts";
import { checkBotToken } from "../../src/bot/workspace/check-slack.ts";
import { slackClient } from "../../src/bot/workspace/slack-clients.ts";
import type { SlackReader } from "../../src/bot/workspace/slack-reader.ts";
import { systemClock } from "../../src/core/clock.ts";
import { channelId, personId, tenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { OutsideWorld } from "../fakes/outside-world.ts";

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
    const sent = jest.spyOn(globalThis, "fetch").mockResolvedValue(new Response("ok"));
    try {
      expect(await responder(undefined)(address, { text: "x", blocks: [] })).toBe(false);
      expect(sent).not.toHaveBeenCalled();
      expect(await responder(undefined)("https://hooks.slack.com/commands/T1/1/x", { text: "x", blocks: [] })).toBe(true);
    } finally {
      sent.mockRestore();
    }
  });

  test("one place alone reads the address of a file", () => {
    const root = join(import.meta.dirname, "../../src");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const reading = files.filter((path) => /url_private|permalink_public/.test(readFileSync(join(root, path), "utf8")));
    expect(reading).toEqual(["bot/documents/slack-file.ts"]);
  });
});

describe("T44: a file is fetched with the token from Slack's hosts for files alone", () => {
  let world: OutsideWorld;
  beforeEach(async () => {
    world = await OutsideWorld.start({ internalOrigins: ["http://slack.test:8080"] });
    world.names.set("slack.test", [["10.0.0.7"]]);
    world.handle = ({ url }, response) => {
      if (url === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
      else if (url === "/away") response.writeHead(302, { location: "https://evil.example/" }).end();
      else if (url === "/sibling") response.writeHead(307, { location: "https://files.slack.com/other" }).end();
      else response.writeHead(200, { "content-type": "application/octet-stream" }).end("contents!");
    };
  });
  afterEach(() => world.stop());

  const alice = personId("U1");
  const fetched = async (url: string, { more = {}, apiUrl, most = 1_000 }: { more?: object; apiUrl?: string; most?: number } = {}) => {
    const file = { id: "F01", name: "plan.pdf", size: 3, user: alice, url_private: url, ...more };
    const slack = { call: async () => ({ ok: true, file }) } as unknown as SlackReader;
    const files = new SlackFiles({ tenant: tenantId("t1"), slack, token, fetch: world.fetch, apiUrl });
    const found = await files.find("F01", alice, channelId("C1"));
    if (!found) throw new Error("It is not found.");
    return Buffer.from(await files.download(found, most, new AbortController().signal)).toString();
  };
  const withToken = () => world.visits.filter(({ headers }) => JSON.stringify(headers).includes("canary"));
  const asked = () => world.visits.map(({ url }) => url);

  test.each(["https://files.slack.com/files-pri/T1-F01/plan.pdf", "https://files.slack-gov.com/files-pri/T1-F01/plan.pdf"])(
    "%s: with it",
    async (url) => {
      expect(await fetched(url)).toBe("contents!");
      expect(withToken()).toHaveLength(1);
    },
  );
  test("where the operator has set another Web API, files come from there, and not from Slack", async () => {
    const apiUrl = "http://slack.test:8080/api/";
    expect(await fetched("http://slack.test:8080/files/plan.pdf", { apiUrl })).toBe("contents!");
    await expect(fetched("https://files.slack.com/plan.pdf", { apiUrl })).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(withToken().map(({ url }) => url)).toEqual(["http://slack.test:8080/files/plan.pdf"]);
  });

  test.each([
    "https://evil.example/plan.pdf",
    "https://files.slack.com.evil.example/plan.pdf",
    "https://files.slack.com@evil.example/plan.pdf",
    "https://user@files.slack.com/plan.pdf",
    "https://evil.example/?https://files.slack.com/",
    "https://evil.example\\@files.slack.com/plan.pdf",
    "http://files.slack.com/plan.pdf",
    "https://files.slack.com:8443/plan.pdf",
    "https://hooks.slack.com/plan.pdf",
    "https://\u0455lack.com/plan.pdf",
    "file:///etc/passwd",
    "plan.pdf",
  ])("%s: nothing is asked", async (url) => {
    await expect(fetched(url)).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(world.connections).toEqual([]);
  });

  test("a file that is kept elsewhere is not fetched", async () => {
    const more = { is_external: true };
    await expect(fetched("https://files.slack.com/plan.pdf", { more })).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(world.connections).toEqual([]);
  });
  test.each([
    ["to another host", "away"],
    ["to another file", "sibling"],
  ])("a redirect %s is not followed", async (_, path) => {
    await expect(fetched(`https://files.slack.com/${path}`)).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(asked()).toEqual([`http://files.slack.com/${path}`]);
  });
  test("Slack's name leading into the operator's network is not followed", async () => {
    world.names.set("files.slack.com", [["10.0.0.7"]]);
    await expect(fetched("https://files.slack.com/plan.pdf")).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(world.connections).toEqual([]);
  });
  test.each<[string, string, object, number]>([
    ["a page to sign in at", "page", {}, 1_000],
    ["more than Slack has said", "plan.pdf", {}, 5],
    ["more than is allowed", "plan.pdf", { size: 1_001 }, 1_000],
  ])("%s is no file", async (_, path, more, most) =>
    expect(fetched(`https://files.slack.com/${path}`, { more, most })).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" }),
  );
});
