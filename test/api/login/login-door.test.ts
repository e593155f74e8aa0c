import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type HttpServer, startHttpServer } from "../../../src/api/http-server.ts";
import { loginRoutes } from "../../../src/api/login/login-door.ts";
import { LoginFlow } from "../../../src/api/login/login-flow.ts";
import { personId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { memoryLogins } from "../../fakes/memory-logins.ts";
import { acme, globex } from "../../fakes/tool-context.ts";

const alice = personId("U_ALICE");
let server: HttpServer;
let flow: LoginFlow;
let locale: string | undefined;
const finished: unknown[] = [];
const told: unknown[] = [];

beforeAll(async () => {
  flow = new LoginFlow({
    loginsOf: memoryLogins(),
    pageOf: async (tenant, name, person) =>
      name !== "tracker"
        ? undefined
        : {
            begin: async (state) => ({ page: `https://auth.example/authorize?state=${state}`, kept: new Secret("verifier-canary") }),
            finish: async (kept, back) => void finished.push({ tenant, person, kept: kept.reveal(), ...back }),
          },
    namesOf: async (_tenant, name, person) => ({ server: name, person: `Alice <b>(@${person})`, workspace: "Acme", locale }),
    publicUrl: () => server.url,
    loggedIn: (tenant, name, person) => void told.push([tenant, name, person]),
  });
  server = await startHttpServer(loginRoutes({ flow, publicUrl: () => server.url, log: silentLogger }), {
    ...{ host: "127.0.0.1", port: 0, log: silentLogger },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  finished.length = 0;
  told.length = 0;
});

const open = (url: string, cookie?: string) => fetch(url, { redirect: "manual", headers: cookie === undefined ? {} : { Cookie: cookie } });

/** Clicks the button of a link's page. */
const goOn = (link: string, headers: Readonly<Record<string, string>>) => fetch(link, { method: "POST", redirect: "manual", headers });

/** Opens a link and goes on: the way to the server's page and back. */
async function opened(link?: string) {
  const url = link ?? (await flow.link(acme, "tracker", alice));
  const asked = await open(url);
  const cookie = asked.headers.get("set-cookie")?.split(";")[0] ?? "";
  const response = await goOn(url, { Cookie: cookie, "Sec-Fetch-Site": "same-origin" });
  const onward = /href="(https:[^"]+)"/.exec(await response.text())?.[1]?.replaceAll("&amp;", "&");
  const state = new URL(onward ?? "https://none").searchParams.get("state") ?? "";
  const back = (more: Readonly<Record<string, string>> = {}) =>
    `${server.url}/mcp/login/return?${new URLSearchParams({ state, code: "the-code", ...more })}`;
  return { asked, response, onward, cookie, state, back };
}

test("a link leads to the server's page, and the way back ends the log-in of the person whose link it was", async () => {
  const { asked, response, onward, cookie, back } = await opened();
  expect(response.status).toBe(200);
  expect(onward).toMatch(/^https:\/\/auth\.example\/authorize\?state=/);
  expect(asked.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax; Max-Age=600/);
  const page = await open(back({ iss: "https://auth.example" }), cookie);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("You are logged in at tracker")]);
  expect(finished).toEqual([{ tenant: acme, person: alice, kept: "verifier-canary", code: "the-code", iss: "https://auth.example" }]);
  expect(told).toEqual([[acme, "tracker", alice]]);
});

test("a link that nobody waits for any more is worth nothing, and the next one is", async () => {
  const link = await flow.link(acme, "tracker", alice);
  await flow.withdraw(link);
  expect((await open(link)).status).toBe(400);
  expect((await open(await flow.link(acme, "tracker", alice))).status).toBe(200);
});

test("all pages of the way are in the person's language; where nobody knows whose it is, in the browser's", async () => {
  locale = "de-DE";
  const { response: _onward, cookie, back } = await opened();
  expect(await (await open(back(), cookie)).text()).toMatch(/<html lang="de">.*Du bist bei tracker angemeldet.*In Slack geht die Antwort/s);
  locale = undefined;
  const headers = { "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" };
  const invalid = await (await fetch(back(), { headers })).text();
  expect(invalid).toMatch(/<html lang="de">.*Du bist nicht angemeldet.*Diese Anmeldung gilt nicht mehr/s);
  expect(await (await open(back())).text()).toContain("This log-in is not valid any more");
});

describe("T39: nobody gets somebody else logged in", () => {
  const refused = async (url: string, cookie?: string) => {
    const { status } = await open(url, cookie);
    expect([status, finished]).toEqual([400, []]);
  };

  test("a link is worth something once", async () => {
    const link = await flow.link(acme, "tracker", alice);
    const { cookie, onward } = await opened(link);
    expect(onward).toBeDefined();
    await refused(link);
    expect((await goOn(link, { Cookie: cookie })).status).toBe(400);
  });

  test("whoever opens a link sees whose it is before anything happens, in that person's language", async () => {
    const link = await flow.link(acme, "tracker", alice);
    const asked = await open(link);
    const page = await asked.text();
    expect(page).toContain("You connect tracker to the Slack account Alice &lt;b&gt;(@U_ALICE) of Acme. Go on only if that is you.");
    expect(page).not.toContain("auth.example");
    expect(asked.headers.get("content-security-policy")).toMatch(/form-action 'self'; frame-ancestors 'none'/);
    locale = "de-DE";
    expect(await (await open(link)).text()).toContain("Du verbindest tracker mit dem Slack-Konto");
    locale = undefined;
  });

  test("programs that look at links use none up", async () => {
    const link = await flow.link(acme, "tracker", alice);
    for (let times = 0; times < 3; times++) expect((await open(link)).status).toBe(200);
    expect((await opened(link)).onward).toBeDefined();
  });

  test("another site cannot press the button for somebody, with or without their cookie", async () => {
    const link = await flow.link(acme, "tracker", alice);
    const cookie = (await open(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await goOn(link, {})).status).toBe(400);
    expect((await goOn(link, { Cookie: cookie, "Sec-Fetch-Site": "cross-site" })).status).toBe(400);
    expect((await opened(link)).onward).toBeDefined();
  });

  test("the way back is worth something once", async () => {
    const { cookie, back } = await opened();
    await open(back(), cookie);
    finished.length = 0;
    await refused(back(), cookie);
  });

  test("the way back is worth nothing in another browser, without its cookie or with two", async () => {
    const [one, other] = [await opened(), await opened()];
    await refused(one.back(), other.cookie);
    await refused((await opened()).back());
    const third = await opened();
    await refused(third.back(), `${third.cookie}; ${third.cookie}`);
  });

  test("a state that was changed, is given twice or is another workspace's is worth nothing", async () => {
    for (const change of [(state: string) => `${state.slice(0, -1)}_`, (state: string) => state.replace(acme, globex), () => "nonsense"]) {
      const { cookie, state, back } = await opened();
      await refused(back({ state: change(state) }), cookie);
    }
    const { cookie, back, state } = await opened();
    await refused(`${back()}&state=${state}`, cookie);
  });

  test("the state of the way back is no link, and a link is no way back", async () => {
    const { state } = await opened();
    await refused(`${server.url}/mcp/login/start/${state}`);
    const token = (await flow.link(acme, "tracker", alice)).split("/").at(-1) ?? "";
    await refused(`${server.url}/mcp/login/return?state=${token}&code=x`, "footnote-login=x");
  });
});

test("whoever says no there is told so, and what the server says of it is not shown", async () => {
  const { cookie, state } = await opened();
  const page = await open(
    `${server.url}/mcp/login/return?state=${state}&error=access_denied&error_description=<script>evil</script>`,
    cookie,
  );
  const text = await page.text();
  expect(text).toContain("You are not logged in");
  expect(text).not.toContain("evil");
  expect(finished).toEqual([]);
});

test("there is no link to a server at which nobody logs in", async () => {
  await expect(flow.link(acme, "files", alice)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
