import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { systemClock } from "../../../../src/core/clock.ts";
import { personId } from "../../../../src/core/ids.ts";
import { isLoggedIn, readKept } from "../../../../src/plugins/mcp/login/kept-login.ts";
import { PersonLogin } from "../../../../src/plugins/mcp/login/person-login.ts";
import type { ServerFetch } from "../../../../src/plugins/mcp/server-fetch.ts";
import { serverFetch } from "../../../../src/plugins/mcp/server-fetch.ts";
import { MemoryLogins } from "../../../fakes/memory-logins.ts";
import { OutsideWorld } from "../../../fakes/outside-world.ts";
import { LoginWorld } from "./authorization-server.ts";

const alice = personId("U_ALICE");
const unauthorized = { response: new Response(null, { status: 401 }) };

/** The protocol's client prints warnings. */
const warned: string[] = [];
beforeEach(() => {
  warned.length = 0;
  jest.spyOn(console, "warn").mockImplementation((...words) => void warned.push(words.join(" ")));
});
afterEach(() => {
  jest.restoreAllMocks();
  expect(warned.join(" ")).not.toMatch(/words-of-the-server|refresh-|access-/);
});

function setup({ fetch, issuer = "https://auth.example" }: { readonly fetch?: ServerFetch; readonly issuer?: string } = {}) {
  const world = new LoginWorld();
  const logins = new MemoryLogins();
  /** One of several processes. */
  const process = () =>
    new PersonLogin({
      ...{ server: "tracker", url: "https://mcp.example/api", person: alice, logins, out: fetch ?? world.fetch, clock: systemClock },
      rules: { issuer, scopes: [] },
      redirect: { redirectUrl: "https://footnote.test/mcp/login/return" },
    });
  const logIn = async () => {
    const { kept } = await process().begin("state");
    await process().finish(kept, { code: "code", iss: "https://auth.example" });
  };
  const kept = async () => logins.find("tracker", alice);
  return { world, logins, process, logIn, kept };
}

describe("a person logs in", () => {
  test("with PKCE, a client that registers itself, and the server as the only one that the token is for", async () => {
    const { world, process, logIn, kept } = setup();
    const { page } = await process().begin("the-state");
    const { searchParams, origin } = new URL(page);
    expect(origin).toBe("https://auth.example");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ client_id: "client-1", state: "the-state", code_challenge_method: "S256", resource: "https://mcp.example/api" },
      redirect_uri: "https://footnote.test/mcp/login/return",
    });
    await logIn();
    expect(isLoggedIn(await kept())).toBe(true);
    expect(await process().token()).toBe("access-1");
    expect(world.asked.find(({ url }) => url.endsWith("/token"))?.body).toContain("code_verifier=");
  });

  test("and the token is renewed once, also when two processes need it at the same moment: a refresh token works once", async () => {
    const { world, process, logIn } = setup();
    await logIn();
    const [one, other] = [process(), process()];
    expect(await Promise.all([one.token(), other.token()])).toEqual(["access-1", "access-1"]);
    await Promise.all([one.onUnauthorized(unauthorized), other.onUnauthorized(unauthorized)]);
    expect(await Promise.all([one.token(), other.token()])).toEqual(["access-2", "access-2"]);
    expect(world.to("https://auth.example/token")).toHaveLength(2);
  });

  test("and when nothing can be renewed any more, is asked to log in again, with what was registered before", async () => {
    const { world, process, logIn, kept } = setup();
    await logIn();
    world.refresh = "revoked elsewhere";
    const login = process();
    await login.token();
    await expect(login.onUnauthorized(unauthorized)).rejects.toMatchObject({ name: "LoginNeeded" });
    expect(isLoggedIn(await kept())).toBe(false);
    await process().begin("again");
    expect(world.to("https://auth.example/register")).toHaveLength(1);
  });

  test("and stays logged in when the authorization server is down for a while", async () => {
    const { world, process, logIn, kept } = setup();
    await logIn();
    const login = process();
    await login.token();
    world.down = true;
    await expect(login.onUnauthorized(unauthorized)).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
    world.down = false;
    expect(isLoggedIn(await kept())).toBe(true);
    await login.onUnauthorized(unauthorized);
    expect(await login.token()).toBe("access-2");
  });

  test("and is asked for the scope that the server turned out to want, beside those that it had", async () => {
    const { process, logIn, kept } = setup();
    await logIn();
    await process().lacks("write");
    expect(isLoggedIn(await kept())).toBe(false);
    expect(new URL((await process().begin("state")).page).searchParams.get("scope")).toBe("write");
  });
});

describe("T43: a server lies about where people log in", () => {
  test("one that names another authorization server than the operator gets nobody there, and that one gets nothing at all", async () => {
    const { world, process } = setup();
    world.resource = { ...world.resource, authorization_servers: ["https://evil.example"] };
    await expect(process().begin("state")).rejects.toMatchObject({ code: "MCP_ISSUER_CHANGED" });
    expect(world.to("https://evil.example").filter((path) => !path.startsWith("/.well-known/"))).toEqual([]);
  });

  test("one that changes its mind afterwards does not get the refresh token: it goes where it came from", async () => {
    const { world, process, logIn } = setup();
    await logIn();
    world.resource = { ...world.resource, authorization_servers: ["https://evil.example"] };
    world.issuer = { ...world.issuer, token_endpoint: "https://evil.example/token" };
    const login = process();
    await login.token();
    await login.onUnauthorized(unauthorized);
    expect(world.to("https://evil.example")).toEqual([]);
    expect(await login.token()).toBe("access-2");
  });

  test("the answer of another authorization server than the one that was asked is refused, and its code is not redeemed", async () => {
    const { world, process, kept } = setup();
    const begun = await process().begin("state");
    await expect(process().finish(begun.kept, { code: "code", iss: "https://evil.example" })).rejects.toThrow();
    expect(world.to("https://auth.example/token")).toEqual([]);
    expect(await kept()).toBeUndefined();
  });

  test("metadata for another resource are refused", async () => {
    const { world, process } = setup();
    world.resource = { ...world.resource, resource: "https://evil.example/api" };
    await expect(process().begin("state")).rejects.toThrow();
    expect(world.to("https://auth.example/register")).toEqual([]);
  });

  test.each(["file:///etc/passwd", "javascript:alert(1)", "ssh://host/$(touch x)", "https://u:p@auth.example/authorize"])(
    "%s is no page that anybody is sent to",
    async (page) => {
      const { world, process } = setup();
      world.issuer = { ...world.issuer, authorization_endpoint: page };
      await expect(process().begin("state")).rejects.toThrow();
    },
  );

  test("metadata inside of our own network are not fetched", async () => {
    const outside = await OutsideWorld.start();
    outside.handle = (_request, response) =>
      void response.writeHead(401, { "WWW-Authenticate": 'Bearer resource_metadata="http://169.254.169.254/latest"' }).end();
    const { process } = setup({ fetch: serverFetch({ kind: "http", url: "https://mcp.example/api", headers: {} }, outside.fetch) });
    await expect(process().begin("state")).rejects.toThrow();
    expect(outside.connections.filter((to) => to.startsWith("169.254."))).toEqual([]);
    await outside.stop();
  });

  test("its twin: what the operator has named is used", async () => {
    const { logIn, kept } = setup({ issuer: "https://auth.example/" });
    await logIn();
    const found = await kept();
    expect(found && readKept(found).tokens).toMatchObject({ access_token: "access-1", issuer: "https://auth.example" });
  });
});
