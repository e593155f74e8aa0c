import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ServerOperator } from "../../../src/api/operator/server-operator.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { serverDeskOn } from "../../fakes/own-servers.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";
import { programServer } from "../../plugins/mcp/fixture.ts";

let db: TestDatabase;
let tenant: TenantId;
let door: ServerOperator;
beforeAll(async () => {
  db = await openTestDatabase("embedded");
  tenant = await db.addTenant();
  door = new ServerOperator(() =>
    serverDeskOn(db, tenant, { most: 2, operators: [{ ...programServer(), name: "files", title: "Files" }] }),
  );
});
afterAll(() => db.close());

const apply = (yaml: string, check = false) => door.apply(tenant, { yaml, check });
const tracker = `servers:
  tracker:
    title: Tracker
    url: https://tracker.example/mcp
    header:
      name: Authorization
`;

test("a file is stored with a difference that shows no secret; what is printed is a file again, and changes nothing", async () => {
  const secret = `${tracker}      value: Bearer canary-key\n`;
  expect(await apply(secret, true)).toMatchObject([{ name: "tracker", status: "added" }]);
  expect(await door.list(tenant)).toEqual([]);
  const [added] = await apply(secret);
  expect(added?.status).toBe("added");
  expect(added?.diff.join("\n")).toContain("+     (with a new value for its header)");
  expect(JSON.stringify([added, await door.list(tenant)])).not.toContain("canary");
  const [listed] = await door.list(tenant);
  expect(listed).toMatchObject({ name: "tracker", access: "header", problem: null, yaml: tracker });
  expect(await apply(listed?.yaml ?? "")).toEqual([{ name: "tracker", status: "unchanged", diff: [] }]);
  const [changed] = await apply(tracker.replace("/mcp", "/v2"));
  expect([changed?.status, changed?.diff.filter((line) => !line.startsWith(" "))]).toEqual([
    "changed",
    ["-     url: https://tracker.example/mcp", "+     url: https://tracker.example/v2"],
  ]);
});

test("what cannot be stored is refused with the reason: another host without its secret, the operator's names, one too many", async () => {
  await expect(apply(tracker.replace("tracker.example", "evil.example"))).rejects.toThrow("needs a value");
  const open = (name: string, title = name) => `servers: { ${name}: { title: ${title}, url: "https://x.example/mcp" } }`;
  await expect(apply(open("files"))).rejects.toThrow("operator's own list has a server of that name or title");
  await expect(apply(open("other", "FILES"))).rejects.toThrow("operator's own list");
  await expect(apply(`servers: { a: { url: "https://a.example" }, b: { url: "https://b.example" } }`)).rejects.toThrow("as many servers");
  expect((await door.list(tenant)).map(({ name }) => name)).toEqual(["a", "tracker"]);
  await door.remove(tenant, "a");
  await expect(door.remove(tenant, "a")).rejects.toMatchObject({ code: "MCP_SERVER_UNKNOWN" });
  await expect(new ServerOperator(() => undefined).apply(tenant, { yaml: tracker })).rejects.toMatchObject({ code: "SERVER_REFUSED" });
});
