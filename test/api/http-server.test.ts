import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { healthRoutes } from "../../src/api/health.ts";
import { type HttpServer, type Route, respond, startHttpServer } from "../../src/api/http-server.ts";
import { silentLogger } from "../../src/core/logger.ts";

let server: HttpServer;
const handled: string[] = [];
const page = (path: string, policy: Route["policy"], method: Route["method"] = "GET"): Route => ({
  ...{ method, path, policy },
  handle: (request, response) => {
    handled.push(`${request.method} ${path}`);
    respond(response, 200, "here");
  },
});

beforeAll(async () => {
  const routes = [
    ...healthRoutes(() => false),
    page("/linked/", "signed-link"),
    page("/back", "login-state"),
    page("/post", "api-key", "POST"),
  ];
  server = await startHttpServer(routes, { host: "127.0.0.1", port: 0, log: silentLogger });
});
afterAll(() => server.close());
const ask = (path: string, method: string) => fetch(`${server.url}${path}`, { method });

describe("HEAD, as probes send it,", () => {
  test.each([
    ["/healthz", 200],
    ["/readyz", 503],
    ["/linked/x", 200],
  ])("is answered at %s as GET is, without a body", async (path, status) => {
    const [head, get] = [await ask(path, "HEAD"), await ask(path, "GET")];
    expect([head.status, get.status]).toEqual([status, status]);
    expect(await head.text()).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });

  test("uses up nothing that is worth something once, and is no POST", async () => {
    handled.length = 0;
    expect([(await ask("/back", "HEAD")).status, (await ask("/post", "HEAD")).status]).toEqual([405, 405]);
    expect(handled).toEqual([]);
    expect((await ask("/back", "GET")).status).toBe(200);
  });
});
