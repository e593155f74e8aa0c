import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { readTemplate } from "../../src/agent/templates/read-template.ts";
import { ServerOperator } from "../../src/api/operator/server-operator.ts";
import { createExternalServers } from "../../src/app/external-servers.ts";
import { slashCommand } from "../../src/bot/commands/command.ts";
import { decideExternal } from "../../src/bot/commands/external-commands.ts";
import type { Work } from "../../src/bot/commands/given.ts";
import type { Click } from "../../src/bot/surfaces/click.ts";
import { wordsFor } from "../../src/bot/words/catalogue.ts";
import { systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Person } from "../../src/permissions/directory.ts";
import { checkServer } from "../../src/plugins/check-server.ts";
import { readServers } from "../../src/plugins/mcp/read-servers.ts";
import { admin, Bench, identities, owner, wordsOf } from "../bot/surfaces/surface-bench.ts";
import { serverDeskOn } from "../fakes/own-servers.ts";
import { acme } from "../fakes/tool-context.ts";
import { TrustingTools } from "../fakes/trusting-tools.ts";
import { call, closeAll, connectionTo, program } from "../plugins/mcp/fixture.ts";

/** Every program that this process starts. */
let spawned = 0;
const count = () => void spawned++;
beforeAll(() => subscribe("child_process", count));
afterAll(() => void unsubscribe("child_process", count));
beforeEach(() => {
  spawned = 0;
});
afterEach(closeAll);

/** What somebody tries who wants a program of theirs to run here. */
const programs: readonly Readonly<Record<string, unknown>>[] = [
  { command: "/bin/sh" },
  { command: "/bin/sh", args: ["-c", "touch /tmp/canary"], url: "https://x.example/mcp" },
  { transport: "stdio", url: "https://x.example/mcp" },
  { transport: { kind: "stdio", command: "/bin/sh" }, url: "https://x.example/mcp" },
  { url: "https://x.example/mcp", sandbox: "none" },
  { url: "https://x.example/mcp", env_files: { KEY: "/etc/passwd" } },
  { url: "https://x.example/mcp", header_files: { Authorization: "/etc/passwd" } },
  { url: "https://x.example/mcp", header: { name: "X-Key", value_file: "/etc/passwd" } },
  { url: "stdio:///bin/sh" },
  { url: "file:///bin/sh" },
];

describe("T47: nobody but the operator's file names a program", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open("embedded");
  });
  afterAll(() => bench.db.close());
  beforeEach(() => bench.reset());

  const servers = async () => (await bench.desk(bench.tenant)).servers.list();
  const form = (who: Person, entered: Readonly<Record<string, unknown>>): Partial<Click> => ({
    view: { id: "V1", hash: "h", kind: "modal", metadata: JSON.stringify({ person: who.id, language: "en", access: "open" }) },
    entered: new Map(Object.entries(entered).map(([field, value]) => [field, typeof value === "string" ? value : JSON.stringify(value)])),
  });
  const address = { name: "crm", title: "CRM", url: "https://crm.example/mcp" };

  test("a forged form is refused with the reason, and stores nothing; the form as it is stores an address", async () => {
    // A header is a field of the form, whatever stands in it.
    for (const forged of programs.filter((given) => !("header" in given))) {
      const refused = await bench.submit(admin, "server_save", form(admin, { ...address, ...forged }));
      expect(JSON.stringify(refused)).toMatch(/named by whoever runs this Footnote|begins with https/);
    }
    const otherAccess = {
      id: "V1",
      hash: "h",
      kind: "modal" as const,
      metadata: JSON.stringify({ person: admin.id, language: "en", access: "stdio" }),
    };
    await bench.submit(admin, "server_save", { ...form(admin, address), view: otherAccess });
    expect([await servers(), spawned]).toEqual([[], 0]);
    expect(await bench.submit(admin, "server_save", form(admin, address))).toContain("*CRM* is saved");
    expect(await servers()).toMatchObject([{ ...address, access: { kind: "open" } }]);
  });

  test("nobody but an admin stores, changes or removes one; each try is noted", async () => {
    for (const who of identities.slice(2)) await bench.submit(who, "server_save", form(who, address));
    expect(await servers()).toEqual([]);
    await bench.submit(owner, "server_save", form(owner, address));
    for (const who of identities.slice(2)) await bench.click(who, "server_remove", { ...form(who, {}), value: "crm" });
    expect(await servers()).toHaveLength(1);
    expect((await bench.audit()).filter((line) => line.includes(" server-"))).toEqual([
      "U_MEMBER server-add crm refused",
      "U_GUEST server-add crm refused",
      "U_OWNER server-add crm done",
      "U_MEMBER server-remove crm refused",
      "U_GUEST server-remove crm refused",
    ]);
    await bench.click(admin, "server_remove", { ...form(admin, {}), value: "crm" });
    expect(await servers()).toEqual([]);
  });

  test("a secret is never shown again: neither in the list nor in the form, nor when the form comes back with a mistake", async () => {
    const view = {
      id: "V1",
      hash: "h",
      kind: "modal" as const,
      metadata: JSON.stringify({ person: admin.id, language: "en", access: "header" }),
    };
    const sent = { ...form(admin, { ...address, header: "Authorization", secret: "Bearer canary-key" }), view };
    await bench.submit(admin, "server_save", sent);
    await bench.click(admin, "show_servers", { view: { ...view, kind: "home" } });
    await bench.click(admin, "server_edit", { view, value: "crm" });
    await bench.click(admin, "server_access", { ...sent, value: "header" });
    const { servers: desk } = await bench.desk(bench.tenant);
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
      await desk.save({ ...address, name, title: name, access: { kind: "open" } }, { key: newId(), actor: owner.id });
    const full = await bench.submit(admin, "server_save", {
      ...sent,
      entered: new Map([...(sent.entered ?? []), ["name", "one-too-many"]]),
    });
    expect(full).toContain("as many servers of its own as it may have");
    expect(bench.shown.length).toBeGreaterThan(4);
    expect(JSON.stringify([bench.shown, await bench.audit(), await servers(), [...(await bench.stored())]])).not.toContain("canary-key");
    const [{ access } = { access: undefined }] = (await servers()).filter(({ name }) => name === "crm");
    expect(access?.kind === "header" && access.secret?.reveal()).toBe("Bearer canary-key");
  });

  test("the slash command adds nothing, and says where servers are added", async () => {
    const typed = ["mcp add files command=/bin/sh", "mcp add x --command /bin/sh --transport stdio", "mcp add $(touch /tmp/canary)"];
    for (const text of typed) {
      const work = {
        given: { key: newId(), person: admin.id, channel: "C1" },
        person: admin,
        words: wordsFor("en"),
        desk: await bench.desk(bench.tenant),
      };
      const command = slashCommand(text);
      const reply = command.kind === "external" ? await decideExternal(work as unknown as Work, command) : undefined;
      expect(wordsOf(reply?.map(({ blocks }) => blocks))).toContain("programs are named by whoever runs this Footnote");
    }
    expect([await servers(), spawned]).toEqual([[], 0]);
  });

  test("neither does what comes from a terminal as YAML, nor a template: all mistakes are told at once; an address is taken", async () => {
    const door = new ServerOperator(() => serverDeskOn(bench.db, bench.tenant));
    const apply = (given: object) => door.apply(bench.tenant, { yaml: JSON.stringify({ servers: given }) });
    for (const given of programs) await expect(apply({ x: given })).rejects.toMatchObject({ code: "SERVERS_INVALID" });
    await expect(apply({ x: programs[1], y: programs[2], Z: {} })).rejects.toThrow(
      /x: command is nothing.*\n- servers\.x: args is nothing.*\n- servers\.y: transport is nothing.*\n- servers\.Z: name must be/,
    );
    await expect(door.apply(bench.tenant, { yaml: "servers: {a: &a {url: 'https://a.example'}, b: *a}" })).rejects.toThrow("aliases");
    for (const key of ["command", "mcp_servers", "servers"])
      expect(() => readTemplate(`name: x\ntitle: X\nother_tools: on\nreply: thread\n${key}: /bin/sh\n`, { tools: [], models: [] })).toThrow(
        expect.objectContaining({ code: "TEMPLATE_INVALID" }),
      );
    expect([await servers(), spawned]).toEqual([[], 0]);
    expect(await apply({ crm: { url: address.url } })).toMatchObject([{ name: "crm", status: "added" }]);
    expect(await servers()).toHaveLength(1);
  });
});

test("T47: what the operator's file says stays one literal argument, and a zero character is refused", async () => {
  const args = ["; id", "$(touch /tmp/canary)", "--exec=touch /tmp/canary", "a\nb", "`id`", "| cat"];
  const fileOf = (given: readonly string[]) =>
    JSON.stringify({ servers: { files: { command: process.execPath, args: [program, "", ...given], sandbox: "none" } } });
  expect(() => readServers(fileOf(["a\0b"]))).toThrow("must not hold a zero character");
  const [server] = readServers(fileOf(args));
  if (!server) throw new Error("it was not read");
  const seen = JSON.parse(await call(connectionTo(server), "look", { value: "/proc/self/cmdline" })) as { files: Record<string, string> };
  expect(seen.files["/proc/self/cmdline"]?.split("\0")).toEqual([process.execPath, program, "", ...args, ""]);
  expect(spawned).toBe(1);
});

describe("T40, T47: what an admin may write as an address", () => {
  const faultOf = (url: string, origins: readonly string[] = []) => {
    const checked = checkServer({ name: "x", url }, origins);
    return "mistakes" in checked ? checked.mistakes.map(({ field }) => field).join() : undefined;
  };

  test.each([
    ...[
      "http://mcp.example.com/",
      "https://127.0.0.1/",
      "https://127.1/",
      "https://2130706433/",
      "https://0x7f.0.0.1/",
      "https://0177.0.0.1/",
    ],
    ...[
      "https://０.0.0.0/",
      "https://[::1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[64:ff9b::a9fe:a9fe]/",
      "https://[fd00::1]/",
      "https://10.0.0.1/",
    ],
    ...["https://169.254.169.254/latest", "https://localhost/", "https://localhost./", "https://searxng/", "https://mcp.example.com:8443/"],
    ...["https://user@mcp.example.com/", "https://user:pass@mcp.example.com/", "https://mcp.example.com/#x", "https://mcp.exam\nple.com/"],
    ...["https://mcp.example.com/\0", "ftp://mcp.example.com/", "javascript:alert(1)", "//mcp.example.com/", "", "$(id)"],
    `https://mcp.example.com/${"x".repeat(500)}`,
  ])("%j is refused", (url) => expect(faultOf(url)).toContain("url"));

  test.each(["https://mcp.example.com/", "https://mcp.example.com/a/b?c=d", "https://xn--bcher-kva.example/mcp"])("%s is taken", (url) =>
    expect(faultOf(url)).toBeUndefined(),
  );

  test("an origin that the operator lists for them is taken, and no other beside it", () => {
    expect(faultOf("http://127.0.0.1:8123/mcp", ["http://127.0.0.1:8123"])).toBeUndefined();
    expect(faultOf("http://127.0.0.1:8124/mcp", ["http://127.0.0.1:8123"])).toBe("url");
  });

  test("what looks like a variable stays as it is, in the address and in the secret", () => {
    process.env.SLACK_CLIENT_SECRET = "canary-of-the-environment";
    const [url, value] = ["https://x.example/$".concat("{SLACK_CLIENT_SECRET}"), "Bearer $".concat("{SLACK_CLIENT_SECRET}")];
    const checked = checkServer({ name: "x", url, header: { name: "Authorization", value } });
    delete process.env.SLACK_CLIENT_SECRET;
    if (!("entry" in checked) || checked.entry.access.kind !== "header") throw new Error("it was refused");
    expect([checked.entry.url, checked.entry.access.secret?.reveal()]).toEqual([url, value]);
    expect(new URL(checked.entry.url).href).not.toContain("canary");
  });

  test.each(["Host", "cookie", "Content-Length", "Mcp-Session-Id", "X-Forwarded-For", "Proxy-Authorization", "a b", "X\r\nY"])(
    "the header %j is none that a secret goes into",
    (name) => expect(checkServer({ name: "x", url: "https://x.example/", header: { name, value: "v" } })).toHaveProperty("mistakes"),
  );
  test.each(["Authorization", "X-Api-Key"])("%s is", (name) =>
    expect(checkServer({ name: "x", url: "https://x.example/", header: { name, value: "v" } })).toHaveProperty("entry"),
  );
});

describe("T40: what the operator opens inside for the program is not open to a workspace's admins", () => {
  let inside: Server;
  let requests = 0;
  beforeAll(async () => {
    inside = createServer((_request, response) => {
      requests++;
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => inside.close(resolve)));

  async function look(opened: { readonly internalOrigins: readonly string[]; readonly origins: readonly string[] }) {
    requests = 0;
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/mcp`;
    const server = { name: "own", title: "Own", url, access: { kind: "open" }, revision: newId() };
    const of = { servers: { list: async () => [server] }, externalTools: new TrustingTools() };
    const tools = createExternalServers([], {
      config: { internalOrigins: opened.internalOrigins, workspaceServers: { most: 10, origins: opened.origins } } as never,
      store: { forTenant: () => of, tenants: { byId: async () => undefined } } as never,
      ...{ publicUrl: () => "", news: { tell: () => undefined }, clock: systemClock, log: silentLogger },
    });
    await tools?.look(acme);
    await tools?.close();
    return requests;
  }
  const origin = () => `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;

  test("an origin listed for the program gets no request", async () =>
    expect(await look({ internalOrigins: [origin()], origins: [] })).toBe(0));
  test("one that is listed for them does", async () => expect(await look({ internalOrigins: [], origins: [origin()] })).toBeGreaterThan(0));
});
