import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { responder } from "../../../src/bot/commands/response-url.ts";

let server: Server;
let origin: string;
let got: { readonly url: string; readonly body: unknown }[];
beforeEach(async () => {
  got = [];
  server = createServer(async (request, response) => {
    got.push({ url: request.url ?? "", body: JSON.parse(await text(request)) });
    if (request.url === "/moved") response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    else response.writeHead(request.url === "/used" ? 404 : 200).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const body = { text: "Hello", blocks: [] };

test("an answer goes to the address Slack gave, for the author alone", async () => {
  expect(await responder(`${origin}/api/`)(`${origin}/response/1`, body)).toBe(true);
  expect(got).toEqual([{ url: "/response/1", body: { response_type: "ephemeral", replace_original: false, text: "Hello", blocks: [] } }]);
});

test("an address that is used up is told", async () => expect(await responder(`${origin}/api/`)(`${origin}/used`, body)).toBe(false));

test.each([
  "http://169.254.169.254/latest",
  "http://127.0.0.1:1/x",
  "https://hooks.slack.com.evil.example/x",
  "file:///etc/passwd",
  "",
  "no address",
])("nothing is sent to %j", async (address) => {
  expect(await responder(`${origin}/api/`)(address, body)).toBe(false);
  expect(await responder(undefined)(address, body)).toBe(false);
  expect(got).toEqual([]);
});

test("with Slack itself only Slack's own host takes answers", async () => {
  expect(await responder(undefined)(`${origin}/response/1`, body)).toBe(false);
  expect(got).toEqual([]);
});

test("a redirect is not followed", async () => {
  expect(await responder(`${origin}/api/`)(`${origin}/moved`, body)).toBe(false);
  expect(got.map(({ url }) => url)).toEqual(["/moved"]);
});
