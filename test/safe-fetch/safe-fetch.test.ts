import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { OutsideWorld, publicAddress } from "../fakes/outside-world.ts";

let world: OutsideWorld;
beforeEach(async () => {
  world = await OutsideWorld.start({ internalOrigins: ["http://searxng.internal:8080", "http://wiki.internal"] });
});
afterEach(() => world.stop());

test("a page is fetched from the address its name has, and the response says where it came from", async () => {
  const response = await world.fetch("https://example.org/a?b=1#part");
  expect(await response.text()).toBe("Hello.");
  expect([response.status, response.url, response.headers.get("content-type")]).toEqual([200, "https://example.org/a?b=1", "text/plain"]);
  expect(world.connections).toEqual([`${publicAddress}:443 example.org`]);
  expect(world.visits[0]?.headers).toMatchObject({ host: "example.org", "user-agent": expect.stringMatching(/^Footnote/) });
});

test("an origin that the operator lists is open to what is configured, and to nothing else", async () => {
  world.names.set("searxng.internal", [["10.0.0.7"]]);
  const response = await world.fetch("http://searxng.internal:8080/search", { configured: true });
  expect(await response.text()).toBe("Hello.");
  await expect(world.fetch("http://searxng.internal:8080/search")).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  await expect(world.fetch("http://searxng.internal/search", { configured: true })).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  await expect(world.fetch("http://user@searxng.internal:8080/", { configured: true })).rejects.toMatchObject({ code: "FETCH_REFUSED" });
});

test("a listed origin leads to no other one of the own network; to a page of its own it does", async () => {
  world.names.set("searxng.internal", [["10.0.0.7"]]);
  world.names.set("wiki.internal", [["10.0.0.9"]]);
  let location = "http://wiki.internal/admin/delete";
  world.handle = (request, response) =>
    void (request.url === "/from" ? response.writeHead(302, { location }).end() : response.writeHead(200).end("There."));
  await expect(world.fetch("http://searxng.internal:8080/from", { configured: true })).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  expect(world.connections).toEqual(["10.0.0.7:8080"]);
  location = "/to";
  expect(await (await world.fetch("http://searxng.internal:8080/from", { configured: true })).text()).toBe("There.");
});

test("a status that HTTP does not know is an error and keeps no connection; 599 is an answer", async () => {
  let status = 999;
  let open = 0;
  world.handle = (request, response) => {
    open++;
    request.socket.once("close", () => void open--);
    response.writeHead(status).write("endless");
  };
  await expect(world.fetch("http://example.org/")).rejects.toMatchObject({ code: "FETCH_FAILED" });
  while (open > 0) await new Promise((resolve) => setImmediate(resolve));
  status = 599;
  const answered = await world.fetch("http://example.org/");
  expect(answered.status).toBe(599);
  await answered.body?.cancel();
});

test("a connection that was opened to a listed place is never used for anything else", async () => {
  world.names.set("wiki.internal", [["10.0.0.9"], [publicAddress]]);
  await (await world.fetch("http://wiki.internal/", { configured: true })).text();
  await (await world.fetch("http://wiki.internal/")).text();
  expect(world.visits.map(({ address }) => address)).toEqual(["10.0.0.9", publicAddress]);
});
