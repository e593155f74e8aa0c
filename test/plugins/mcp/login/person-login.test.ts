import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { type Clock, systemClock } from "../../../../src/core/clock.ts";
import { personId } from "../../../../src/core/ids.ts";
import { Secret } from "../../../../src/core/secret.ts";
import { entryOf, isLoggedIn, keptFor } from "../../../../src/plugins/mcp/login/kept-login.ts";
import { PersonLogin } from "../../../../src/plugins/mcp/login/person-login.ts";
import type { LoginRules } from "../../../../src/plugins/mcp/server.ts";
import type { ServerFetch } from "../../../../src/plugins/mcp/server-fetch.ts";
import { serverFetch } from "../../../../src/plugins/mcp/server-fetch.ts";
import { MemoryLogins } from "../../../fakes/memory-logins.ts";
import { OutsideWorld } from "../../../fakes/outside-world.ts";
import { ManualClock } from "../../../playground/manual-clock.ts";
import { LoginWorld } from "./authorization-server.ts";

const alice = personId("U_ALICE");
const entry = entryOf("https://mcp.example/api", { issuer: "https://auth.example", scopes: [] });
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
  const process = (more: { url?: string; rules?: Partial<LoginRules>; out?: ServerFetch; clock?: Clock } = {}) =>
    new PersonLogin({
      ...{ server: "tracker", url: "https://mcp.example/api", person: alice, logins, out: fetch ?? world.fetch, clock: systemClock },
      ...more,
      rules: { issuer, scopes: [], ...more.rules },
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
    expect(isLoggedIn(entry, await kept())).toBe(true);
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
    expect(isLoggedIn(entry, await kept())).toBe(false);
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
    expect(isLoggedIn(entry, await kept())).toBe(true);
    await login.onUnauthorized(unauthorized);
    expect(await login.token()).toBe("access-2");
  });

  test("and is asked for the scope that the server turned out to want, beside those that it had", async () => {
    const { process, logIn, kept } = setup();
    await logIn();
    const login = process();
    await login.token();
    await expect(login.lacks("write")).rejects.toMatchObject({ name: "LoginNeeded" });
    expect(isLoggedIn(entry, await kept())).toBe(false);
    expect(new URL((await process().begin("state")).page).searchParams.get("scope")).toBe("write");
  });
});

describe("T43: a log-in counts for the operator's entry with which it was made", () => {
  const client = { id: "footnote", secret: new Secret("secret-canary") };
  async function loggedIn() {
    const made = setup();
    made.world.issuer = { ...made.world.issuer, token_endpoint_auth_methods_supported: ["client_secret_post"] };
    const { kept } = await made.process({ rules: { client } }).begin("state");
    await made.process({ rules: { client } }).finish(kept, { code: "code", iss: "https://auth.example" });
    made.world.asked.length = 0;
    return made;
  }

  test.each<[string, { url?: string; rules?: Partial<LoginRules> }]>([
    ["another authorization server", { rules: { issuer: "https://new-auth.example", client } }],
    ["another address of the server", { url: "https://other.example/api", rules: { client } }],
    ["another client", { rules: { client: { ...client, id: "footnote-2" } } }],
  ])(
    "%s: the old token is not used, no secret goes to the old authorization server, and the person is asked to log in anew",
    async (_what, now) => {
      const { world, process } = await loggedIn();
      const login = process(now);
      expect(await login.token()).toBeUndefined();
      await expect(login.onUnauthorized(unauthorized)).rejects.toMatchObject({ name: "LoginNeeded" });
      expect(world.asked).toEqual([]);
    },
  );

  test("its twin: a new secret of the same client renews what there is", async () => {
    const { world, process } = await loggedIn();
    const login = process({ rules: { client: { ...client, secret: new Secret("new-secret") } } });
    expect(await login.token()).toBe("access-1");
    await login.onUnauthorized(unauthorized);
    expect([await login.token(), world.asked.at(-1)?.body]).toEqual(["access-2", expect.stringContaining("client_secret=new-secret")]);
  });

  test("one that was begun under another entry is not finished", async () => {
    const { world, process } = await loggedIn();
    const { kept } = await process({ rules: { client } }).begin("state");
    const other = process({ rules: { client: { ...client, id: "footnote-2" } } });
    await expect(other.finish(kept, { code: "code", iss: "https://auth.example" })).rejects.toMatchObject({ code: "LOGIN_INVALID" });
    expect(world.to("https://auth.example/token")).toEqual([]);
  });

  test("the operator's secret is in nobody's row", async () => {
    const { kept } = await loggedIn();
    expect((await kept())?.reveal()).toContain("access-1");
    expect((await kept())?.reveal()).not.toContain("secret-canary");
  });
});

describe("somebody logs in anew, or out, while their token is being renewed", () => {
  /** Does something after the authorization server has decided about a renewal, and before its answer is here. */
  const meanwhile =
    (out: ServerFetch, work: () => Promise<unknown>): ServerFetch =>
    async (url, init) => {
      const response = await out(url, init);
      if (String(init?.body ?? "").includes("grant_type=refresh_token")) await work();
      return response;
    };

  test("a refusal of the old token leaves the new log-in alone, and the call goes on with it", async () => {
    const { world, process, logIn, kept } = setup();
    await logIn();
    world.refresh = "revoked elsewhere";
    const login = process({ out: meanwhile(world.fetch, logIn) });
    await login.token();
    await login.onUnauthorized(unauthorized);
    expect(isLoggedIn(entry, await kept())).toBe(true);
    expect(await login.token()).toBe("access-2");
  });

  test("a wish for more rights that comes late leaves it alone, too", async () => {
    const { process, logIn, kept } = setup();
    await logIn();
    const login = process();
    await login.token();
    await logIn();
    await login.lacks("write");
    expect(isLoggedIn(entry, await kept())).toBe(true);
  });

  test("a renewal does not bring back what its person has taken back", async () => {
    const { world, logins, process, logIn, kept } = setup();
    await logIn();
    const login = process({ out: meanwhile(world.fetch, () => logins.remove("tracker", alice)) });
    await login.token();
    await expect(login.onUnauthorized(unauthorized)).rejects.toMatchObject({ name: "LoginNeeded" });
    expect(await kept()).toBeUndefined();
  });

  test("an authorization server that does not answer is given up before another process takes the renewal over, and the log-in stays", async () => {
    const { logins, process, logIn, kept } = setup();
    await logIn();
    const clock = new ManualClock();
    let leased = 0;
    const claim = logins.claimRenewal.bind(logins);
    logins.claimRenewal = async (server, person, holder, leaseMs = 0) => {
      leased = leaseMs;
      return claim(server, person, holder);
    };
    const silent: ServerFetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        // Nearly as long as the lease passes while it says nothing.
        clock.advance(leased - 1);
      });
    const login = process({ clock, out: silent });
    await login.token();
    await expect(login.onUnauthorized(unauthorized)).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
    expect(isLoggedIn(entry, await kept())).toBe(true);
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
    expect(keptFor(entryOf("https://mcp.example/api", { issuer: "https://auth.example/", scopes: [] }), found).tokens).toMatchObject({
      access_token: "access-1",
      issuer: "https://auth.example",
    });
  });
});
