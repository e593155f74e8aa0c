import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readServers } from "../../../src/plugins/mcp/read-servers.ts";

const server = (lines: string) =>
  `servers:\n  files:\n${lines
    .trim()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")}\n`;

const login = "url: https://mcp.example/\nlogin: { issuer: 'https://auth.example' }";

describe("the operator's list of external servers", () => {
  test("a program runs in a sandbox without a network unless it says otherwise", () => {
    const [read] = readServers(server("command: /usr/bin/node\nargs: [/opt/server.js]"));
    expect(read).toMatchObject({
      ...{ name: "files", title: "files", workspaces: undefined, silenceMs: 60_000, totalMs: 300_000 },
      transport: { kind: "stdio", sandbox: { network: false, read: [], write: [], memoryMib: 1_024 } },
    });
    const [bare] = readServers(server("command: /usr/bin/node\nsandbox: none"));
    expect(bare?.transport).toMatchObject({ sandbox: undefined });
  });

  test("secrets come from files, and values are taken as they are", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "mcp-")), "key");
    await writeFile(file, "s3cret\n");
    const literal = "https://x/$".concat("{HOME}");
    const [read] = readServers(
      server(`url: https://mcp.example/\nheaders: { X-Base: "${literal}" }\nheader_files: { Authorization: ${file} }`),
    );
    if (read?.transport.kind !== "http") throw new Error("not remote");
    expect(read.transport.headers.Authorization?.reveal()).toBe("s3cret");
    expect(read.transport.headers["X-Base"]?.reveal()).toBe(literal);
    expect(JSON.stringify(read)).not.toContain("s3cret");
  });

  test.each([
    ["a command that is looked up in a path", "command: node", "absolute path"],
    ["arguments in one text", "command: /bin/sh\nargs: -c rm", "args"],
    ["an address of a file", "url: file:///etc/passwd", "http or https"],
    ["a misspelt setting", "command: /usr/bin/node\nsandbx: none", "sandbx"],
    ["a command and an address at once", "command: /usr/bin/node\nurl: https://x/", "url"],
    ["a header of two lines", 'url: https://x/\nheaders: { A: "b\\r\\nC: d" }', "one line"],
    ["an effect that does not exist", "url: https://x/\neffects: { a: harmless }", "effects"],
    ["a header of the operator's in place of people's own", `${login}\nheaders: { authorization: x }`, "Authorization header"],
    ["a log-in whose tokens could be read on the way", login.replace("https://mcp", "http://mcp"), "must be https"],
    ["an authorization server that is not reached safely", login.replace("https://auth", "http://auth"), "must be https"],
    ["a key that cannot be read", "url: https://x/\nheader_files: { A: /nowhere/key }", "cannot be read"],
  ])("%s is a mistake that keeps the program from starting", (_what, lines, said) => {
    expect(() => readServers(server(lines))).toThrow(said);
  });

  test.each([login, login.replaceAll("https://", "http://").replace("mcp.example", "127.0.0.1:1").replace("auth.example", "localhost:2")])(
    "its twin: a log-in over https, or on this very machine, is fine",
    (lines) => {
      expect(readServers(server(lines))[0]?.transport).toMatchObject({ login: { scopes: [] } });
    },
  );

  test("all mistakes are told at once, without values", () => {
    const read = () => readServers("servers:\n  Bad Name: { url: https://x/ }\n  b: { command: run-canary }\n");
    expect(read).toThrow(/name of a server/);
    try {
      read();
    } catch (thrown) {
      expect(String(thrown)).not.toContain("canary");
    }
  });
});
