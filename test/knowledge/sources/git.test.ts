import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../../src/core/clock.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { repositorySource } from "../../../src/knowledge/sources/git/repository.ts";
import { checkAddress } from "../../../src/knowledge/sources/open-source.ts";
import type { StoredSource } from "../../../src/knowledge/sources/source-store.ts";
import { createPin } from "../../../src/safe-fetch/pin.ts";
import { openSources, type SourceFixture } from "./source-fixture.ts";

/** Debian's; others keep it elsewhere. Without it the way over the network is not tried. */
const BACKEND = "/usr/lib/git-core/git-http-backend";

let at: SourceFixture;
let tenant: TenantId;
let source: StoredSource;
/** Holds the repository and nothing else. */
let listed: string;
let work: string;
/** What the source is, and what the operator allows. */
let address: string;
let localFolders: string[];
let internalOrigins: string[];
let program: string | undefined;

beforeAll(async () => {
  at = await openSources("embedded", () =>
    repositorySource(address, { clock: systemClock, pin: createPin({ internalOrigins }), localFolders, program }),
  );
});
afterAll(() => at.test.close());
beforeEach(async () => {
  listed = await mkdtemp(join(tmpdir(), "footnote-git-test-"));
  work = join(listed, "handbook");
  await mkdir(work);
  git("init", "-q", "-b", "main");
  tenant = await at.test.addTenant();
  source = await at.addSource(tenant);
  [address, localFolders, internalOrigins, program] = [`file://${work}`, [listed], [], undefined];
});
afterEach(() => rm(listed, { recursive: true, force: true }));

const settings = [
  "-c",
  "user.name=Test",
  "-c",
  "user.email=test@example.com",
  "-c",
  "commit.gpgsign=false",
  "-c",
  "protocol.file.allow=always",
];
const git = (...args: string[]) =>
  execFileSync("git", [...settings, ...args], { cwd: work, env: { PATH: "/usr/bin:/bin", HOME: listed }, stdio: "ignore" });
const write = async (name: string, text: string) => {
  await mkdir(dirname(join(work, name)), { recursive: true });
  await writeFile(join(work, name), text);
};
const commit = () => {
  git("add", "-A");
  git("commit", "-q", "-m", "change");
};
const sync = (options = {}) => at.sync(tenant, source, options);
const titles = () => at.titles(tenant);
const handbook = async () => {
  await write("leave.md", "# Leave\n\nEighteen weeks.");
  await write("guides/travel.md", "# Travel\n\nTrains are booked in Wayfare.");
  commit();
};

describe("a Git repository as a source", () => {
  test("what was committed is followed: new, changed, moved and deleted documents; what is not committed is not there", async () => {
    await handbook();
    await write("draft.md", "# Draft\n\nNot yet.");
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    expect(await titles()).toEqual(["Leave", "Travel"]);
    const embedded = at.embedder.embedded.length;
    expect(await sync()).toMatchObject({ status: "ok", unchanged: 2 });
    await rename(join(work, "guides/travel.md"), join(work, "journeys.md"));
    await write("leave.md", "# Leave\n\nTwenty weeks.");
    commit();
    expect(await sync()).toMatchObject({ status: "ok", added: 1, changed: 1, moved: 1 });
    expect(at.embedder.embedded.slice(embedded).join()).not.toContain("Wayfare");
    git("rm", "-q", "journeys.md");
    commit();
    expect(await sync()).toMatchObject({ status: "ok", removed: 1 });
    expect(await titles()).toEqual(["Draft", "Leave"]);
  });

  test("a branch and a folder are kept to", async () => {
    await handbook();
    git("switch", "-q", "-c", "next/2.0");
    await write("guides/pay.md", "# Pay\n\nOn the 25th.");
    commit();
    git("switch", "-q", "main");
    address = `file://${work}#next/2.0:guides`;
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    expect(await titles()).toEqual(["Pay", "Travel"]);
  });

  test("hidden files, programs, links, other repositories and what lies in LFS are not read", async () => {
    await handbook();
    await write(".github/notes.md", "# Hidden");
    await write("src/main.js", "// Program");
    await write("large.pdf", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
    await write("sub/inner.md", "# Inner");
    execFileSync("git", [...settings, "init", "-q"], { cwd: join(work, "sub") });
    execFileSync("git", [...settings, "add", "-A"], { cwd: join(work, "sub") });
    execFileSync("git", [...settings, "commit", "-q", "-m", "inner"], { cwd: join(work, "sub") });
    await symlink("/etc/hostname", join(work, "secret.md"));
    commit();
    expect(await sync()).toMatchObject({ status: "partial", added: 2, failed: 1 });
    expect(await titles()).toEqual(["Leave", "Travel"]);
    const failures = (await at.rowsOf(tenant).items(source.id)).flatMap(({ failure }) => failure ?? []);
    expect(failures).toEqual([expect.stringContaining("LFS")]);
  });

  test("nothing of the repository runs: no hook and no filter, whatever it brings along", async () => {
    const proof = join(listed, "proof");
    await handbook();
    await write(".gitattributes", "*.md filter=evil\n");
    commit();
    git("config", "filter.evil.smudge", `touch ${proof}`);
    git("config", "uploadpack.packObjectsHook", `sh -c 'touch ${proof}; exec "$@"' --`);
    for (const hook of ["post-checkout", "post-merge", "pre-auto-gc", "reference-transaction"]) {
      await writeFile(join(work, ".git/hooks", hook), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    }
    expect(await sync()).toMatchObject({ added: 2 });
    expect(existsSync(proof)).toBe(false);
  });

  test.each([
    ["there is no such branch", "#gone", "The repository has no such branch."],
    ["there is no such folder", "#main:nowhere", "The branch has no such folder."],
    ["there is no such repository", "/elsewhere", "There is no such repository"],
  ])("where %s, the run says so and nothing is taken for gone", async (_case, end, reason) => {
    await handbook();
    await sync();
    address = `file://${work}${end}`;
    expect(await sync()).toMatchObject({ status: "failed", removed: 0, notes: [expect.stringContaining(reason)] });
    expect(await titles()).toEqual(["Leave", "Travel"]);
  });

  test("a repository of this machine is read below the folders that the operator lists, and nowhere else; a link out of them is none", async () => {
    await handbook();
    const open = await mkdtemp(join(tmpdir(), "footnote-git-listed-"));
    await symlink(work, join(open, "handbook"));
    localFolders = [];
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("FOOTNOTE_GIT_FOLDERS")] });
    [localFolders, address] = [[open], `file://${join(open, "handbook")}`];
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("FOOTNOTE_GIT_FOLDERS")] });
    localFolders = [listed];
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    await rm(open, { recursive: true, force: true });
  });

  test("without git the run says what to install", async () => {
    program = "/nowhere/git";
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("git is not installed where Footnote runs")] });
  });

  test.each([
    "ext::sh -c touch% /tmp/proof",
    "ssh://git@host.example/handbook.git",
    "git@host.example:handbook.git",
    "https://alice:secret@host.example/handbook.git",
    "file://elsewhere.example/handbook.git",
    "https://host.example/handbook.git#--upload-pack=touch",
    "https://host.example/handbook.git#a..b",
    "https://host.example/handbook.git#main:../../etc",
    "--upload-pack=touch",
  ])("%s is no address", (wrong) => {
    expect(() => checkAddress({ kind: "git", address: wrong })).toThrow(expect.objectContaining({ code: "SOURCE_INVALID" }));
  });

  test.each(["https://host.example/handbook.git", "https://host.example/a/b.git#release/1.2:docs/guides", "file:///srv/git/handbook.git"])(
    "%s is one",
    (right) => expect(() => checkAddress({ kind: "git", address: right })).not.toThrow(),
  );
});

const overHttp = existsSync(BACKEND) ? describe : describe.skip;

overHttp("a Git repository over the network", () => {
  let server: Server;
  let origin: string;
  let redirects: boolean;
  let asked: string[];
  beforeEach(async () => {
    [redirects, asked] = [false, []];
    await handbook();
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", origin);
      asked.push(url.pathname);
      if (redirects) return void response.writeHead(302, { location: `${origin}/other${url.pathname}${url.search}` }).end();
      const backend = spawn(BACKEND, {
        env: {
          ...{ GIT_PROJECT_ROOT: work, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: url.pathname.replace("/handbook.git", "/.git"), HOME: listed },
          ...{ REQUEST_METHOD: request.method, QUERY_STRING: url.search.slice(1), CONTENT_TYPE: request.headers["content-type"] ?? "" },
          ...{
            GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
            HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
          },
        },
        stdio: ["pipe", "pipe", "ignore"],
      });
      request.pipe(backend.stdin);
      backend.stdin.on("error", () => undefined);
      const chunks: Buffer[] = [];
      backend.stdout.on("data", (data: Buffer) => chunks.push(data));
      backend.once("close", () => {
        const all = Buffer.concat(chunks);
        const end = all.indexOf("\r\n\r\n");
        const fields = all
          .toString("latin1", 0, end)
          .split("\r\n")
          .map((line) => line.split(/: (.*)/));
        const status = Number(fields.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
        for (const [name = "", value = ""] of fields) if (name !== "" && name !== "Status") response.setHeader(name, value);
        response.writeHead(status).end(all.subarray(end + 4));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    address = `${origin}/handbook.git`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test("is fetched from an origin of the own network that the operator lists", async () => {
    internalOrigins = [origin];
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    expect(await titles()).toEqual(["Leave", "Travel"]);
  });

  test("is not fetched from the own network otherwise: nothing is even asked", async () => {
    expect(await sync()).toMatchObject({ status: "failed" });
    address = `http://169.254.169.254/handbook.git`;
    expect(await sync()).toMatchObject({ status: "failed" });
    expect(asked).toEqual([]);
  });

  test("is not followed to another address", async () => {
    internalOrigins = [origin];
    redirects = true;
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("moved")] });
    expect(asked.filter((path) => path.startsWith("/other"))).toEqual([]);
  });

  test("is fetched from the address that was looked up, whatever the name leads to a moment later", async () => {
    const elsewhere = address.replace("localhost", "git.footnote.invalid");
    internalOrigins = [new URL(elsewhere).origin];
    const pin = createPin({ internalOrigins, resolve: async () => ["127.0.0.1"] });
    const found: string[] = [];
    const parts = { clock: systemClock, pin, localFolders: [] };
    for await (const item of repositorySource(elsewhere, parts).items(new AbortController().signal, () => undefined)) found.push(item.uri);
    expect(found).toEqual(["guides/travel.md", "leave.md"]);
  });

  test("of which somebody breaks off the run leaves nothing behind", async () => {
    internalOrigins = [origin];
    const stop = new AbortController();
    server.removeAllListeners("request");
    server.on("request", () => stop.abort(new Error("no more")));
    const run = repositorySource(address, { clock: systemClock, pin: createPin({ internalOrigins }), localFolders: [] });
    await expect(
      run
        .items(stop.signal, () => undefined)
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toThrow("no more");
    server.closeAllConnections();
  });
});
