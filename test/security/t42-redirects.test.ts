import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { OutsideWorld } from "../fakes/outside-world.ts";

let world: OutsideWorld;
beforeEach(async () => {
  world = await OutsideWorld.start({ internalOrigins: ["http://wiki.internal", "http://search.internal"] });
});
afterEach(() => world.stop());

/** From the first page to the given address; everything else is a page. */
const redirect = (status: number, location: string) => {
  world.handle = (request, response) =>
    request.url === "/start" ? void response.writeHead(status, { location }).end() : void response.end("Arrived.");
};
const refusal = { code: "FETCH_REFUSED" };
const secrets = { authorization: "Bearer canary", "x-api-key": "canary", "x-subscription-token": "canary", cookie: "a=canary" };

describe("H5-PRM-04: T42: a redirect gets no further than an address", () => {
  test.each([301, 302, 303, 307, 308])("%d to a private address, a file, a port or a user name is refused", async (status) => {
    for (const to of [
      "http://127.0.0.1/",
      "http://[::1]/",
      "//169.254.169.254/",
      "file:///etc/passwd",
      "http://a.example:22/",
      "http://b@a.example/",
    ]) {
      redirect(status, to);
      await expect(world.fetch("http://example.org/start")).rejects.toMatchObject(refusal);
    }
    expect(new Set(world.visits.map(({ url }) => url))).toEqual(new Set(["http://example.org/start"]));
  });

  test("a redirect to another public page is followed, and the response says where it ended", async () => {
    redirect(302, "https://www.example.org/page");
    const response = await world.fetch("http://example.org/start");
    expect([await response.text(), response.url]).toEqual(["Arrived.", "https://www.example.org/page"]);
  });

  test("what pages ask for with Refresh or meta tags is not followed", async () => {
    world.handle = (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html", refresh: "0; url=http://127.0.0.1/" })
        .end('<meta http-equiv="refresh" content="0; url=http://10.0.0.1/"><img src="http://10.0.0.1/x.png">');
    await (await world.fetch("http://example.org/")).text();
    expect(world.visits).toHaveLength(1);
  });

  test("from https to http is refused, from http to https is not", async () => {
    redirect(302, "http://example.org/page");
    await expect(world.fetch("https://example.org/start")).rejects.toMatchObject(refusal);
    expect(world.visits).toHaveLength(1);
  });

  test("five hops are followed, a sixth and a circle are not", async () => {
    world.handle = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return void response.end("Arrived.");
      response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    expect(await (await world.fetch("http://example.org/5")).text()).toBe("Arrived.");
    await expect(world.fetch("http://example.org/6")).rejects.toMatchObject(refusal);
    redirect(302, "/start");
    await expect(world.fetch("http://example.org/start")).rejects.toMatchObject(refusal);
  });

  test("keys and cookies do not go along to another host; to the same one keys do", async () => {
    redirect(302, "https://evil.example/");
    await (await world.fetch("https://example.org/start", { headers: secrets })).text();
    expect(JSON.stringify(world.visits[1]?.headers)).not.toContain("canary");

    redirect(302, "/page");
    await (await world.fetch("https://example.org/start", { headers: secrets })).text();
    expect(world.visits[3]?.headers).toMatchObject({ authorization: "Bearer canary", "x-api-key": "canary" });
    // Cookies are sent to nobody.
    expect(world.visits.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("another port or scheme of the same host is another place", async () => {
    redirect(302, "https://example.org/page");
    await (await world.fetch("http://example.org/start", { headers: secrets })).text();
    expect(JSON.stringify(world.visits[1]?.headers)).not.toContain("canary");
  });

  test("what was posted does not go to another host", async () => {
    redirect(307, "https://evil.example/");
    const posted = { method: "POST", body: "refresh_token=canary" };
    await expect(world.fetch("https://example.org/start", posted)).rejects.toMatchObject(refusal);
    redirect(302, "https://evil.example/");
    await (await world.fetch("https://example.org/start", posted)).text();
    expect(world.visits.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "refresh_token=canary"],
      ["POST", "refresh_token=canary"],
      ["GET", ""],
    ]);
    redirect(308, "/page");
    await (await world.fetch("https://example.org/start", posted)).text();
    expect(world.visits.at(-1)).toMatchObject({ method: "POST", body: "refresh_token=canary" });
  });

  test("a stranger's redirect does not reach what the operator has listed", async () => {
    world.names.set("wiki.internal", [["10.0.0.9"]]);
    redirect(302, "http://wiki.internal/");
    await expect(world.fetch("http://example.org/start")).rejects.toMatchObject(refusal);
    expect(world.visits).toHaveLength(1);
  });

  test("what the operator has listed is open where it was asked for itself, and leads to nothing else that is listed", async () => {
    for (const host of ["wiki.internal", "search.internal"]) world.names.set(host, [["10.0.0.9"]]);
    redirect(302, "http://search.internal/");
    expect(await (await world.fetch("http://wiki.internal/page", { configured: true })).text()).toBe("Arrived.");
    await expect(world.fetch("http://wiki.internal/start", { configured: true })).rejects.toMatchObject(refusal);
  });

  test("a caller can have redirects refused, or handed over", async () => {
    redirect(302, "/page");
    await expect(world.fetch("http://example.org/start", { redirect: "error" })).rejects.toMatchObject(refusal);
    const response = await world.fetch("http://example.org/start", { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/page"]);
    await response.body?.cancel();
  });
});
