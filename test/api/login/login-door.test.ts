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

/** Opens a link: the way to the server's page and back. */
async function opened(link?: string) {
  const response = await open(link ?? (await flow.link(acme, "tracker", alice)));
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const state = new URL(response.headers.get("location") ?? "https://none").searchParams.get("state") ?? "";
  const back = (more: Readonly<Record<string, string>> = {}) =>
    `${server.url}/mcp/login/return?${new URLSearchParams({ state, code: "the-code", ...more })}`;
  return { response, cookie, state, back };
}

test("a link leads to the server's page, and the way back ends the log-in of the person whose link it was", async () => {
  const { response, cookie, back } = await opened();
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toMatch(/^https:\/\/auth\.example\/authorize\?state=/);
  expect(response.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax; Max-Age=600/);
  const page = await open(back({ iss: "https://auth.example" }), cookie);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("You are logged in at tracker")]);
  expect(finished).toEqual([{ tenant: acme, person: alice, kept: "verifier-canary", code: "the-code", iss: "https://auth.example" }]);
  expect(told).toEqual([[acme, "tracker", alice]]);
});

describe("T39: nobody gets somebody else logged in", () => {
  const refused = async (url: string, cookie?: string) => {
    const { status } = await open(url, cookie);
    expect([status, finished]).toEqual([400, []]);
  };

  test("a link is worth something once", async () => {
    const link = await flow.link(acme, "tracker", alice);
    await opened(link);
    await refused(link);
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
