import { expect, test } from "@jest/globals";
import { commandLine } from "../../src/cli/program.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

async function run(...argv: string[]) {
  const operations = new CannedOperations();
  const printed = { out: "", side: "" };
  const never = () => Promise.reject(new Error("not asked for"));
  const program = commandLine({
    ...{ config: { callerFolder: "/" }, signal: new AbortController().signal },
    ...{ start: never, migrate: never, doctor: never, manifest: never },
    connect: async () => ({ operations, close: async () => {} }),
    out: { write: (text) => (printed.out += text) },
    side: { write: (text) => (printed.side += text) },
  });
  return { code: await program.run(["key", ...argv]), ...printed };
}

test("a new key is printed once, in a line of its own, with the command that ends it", async () => {
  const { out, code } = await run("add", "--workspace", "acme", "--as", "alice", "--name", "laptop");
  expect(out).toBe("fnk_x.y\n\nKeep it: it is not shown again. It asks as alice in acme.\nTo end it: footnote key revoke k-1\n");
  expect(code).toBe(0);
  expect(JSON.parse((await run("add", "--workspace", "acme", "--as", "alice", "--json")).out)).toMatchObject({ id: "k-1", key: "fnk_x.y" });
});

test("the list shows whose they are and when they were used, never a key", async () => {
  const { out } = await run("list");
  expect(out).toBe("k-1  acme  alice  api  laptop  made 2026-11-30, never used\n");
  expect(JSON.parse((await run("list", "--workspace", "globex", "--json")).out)).toMatchObject({
    keys: [{ id: "k-1", workspace: "globex" }],
  });
});

test("revoking says so, or that there is no such key; a key without a person is a wrong call", async () => {
  expect(await run("revoke", "k-1")).toMatchObject({ code: 0, out: "Revoked.\n" });
  expect(await run("revoke", "k-2")).toMatchObject({ code: 1, side: "There is no such API key, or it was revoked before.\n" });
  expect((await run("add", "--workspace", "acme")).code).toBe(2);
});
