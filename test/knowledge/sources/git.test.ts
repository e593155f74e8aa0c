import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
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

  test.each<[string, (gitFolder: string, outside: string) => Promise<void>]>([
    [
      "a .git that is a file",
      async (gitFolder, outside) => {
        await rm(gitFolder, { recursive: true });
        await writeFile(gitFolder, `gitdir: ${outside}\n`);
      },
    ],
    [
      "a .git that is a link",
      async (gitFolder, outside) => {
        await rm(gitFolder, { recursive: true });
        await symlink(outside, gitFolder);
      },
    ],
    ["a second .git inside", (gitFolder, outside) => writeFile(join(gitFolder, ".git"), `gitdir: ${outside}\n`)],
    ["a common folder", (gitFolder, outside) => writeFile(join(gitFolder, "commondir"), `${outside}\n`)],
    ["alternates", (gitFolder, outside) => writeFile(join(gitFolder, "objects/info/alternates"), `${join(outside, "objects")}\n`)],
    [
      "linked objects",
      async (gitFolder, outside) => {
        await rm(join(gitFolder, "objects"), { recursive: true });
        await symlink(join(outside, "objects"), join(gitFolder, "objects"));
      },
    ],
    [
      "one linked folder of objects",
      async (gitFolder, outside) => {
        await rename(join(gitFolder, "objects/info"), join(listed, "info"));
        await symlink(join(outside, "objects/info"), join(gitFolder, "objects/info"));
      },
    ],
  ])("a repository below the listed folders that leads out of them by %s is not read", async (_way, leadOut) => {
    await handbook();
    const inside = join(listed, "listed");
    await mkdir(inside);
    git("clone", "-q", work, join(inside, "handbook"));
    [localFolders, address] = [[inside], `file://${join(inside, "handbook")}`];
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    await leadOut(join(inside, "handbook/.git"), join(work, ".git"));
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("takes its content from elsewhere")] });
  });

  test("a folder that is no repository does not stand for a link of a like name", async () => {
    await handbook();
    const inside = join(listed, "listed");
    await mkdir(join(inside, "handbook/objects"), { recursive: true });
    await symlink(join(work, ".git"), join(inside, "handbook.git"));
    [localFolders, address] = [[inside], `file://${join(inside, "handbook")}`];
    expect(await sync()).toMatchObject({ status: "failed", added: 0 });
  });

  test("a mirror is read, whatever characters its path has", async () => {
    await handbook();
    const mirror = join(listed, 'a "new"; #1 %41 mirror.git');
    git("clone", "-q", "--mirror", work, mirror);
    address = pathToFileURL(mirror).href;
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
  });

  /** Git behind a script that first does what is given. */
  const gitAfter = async (...lines: string[]) => {
    program = join(listed, "git-after");
    await writeFile(program, ["#!/bin/sh", ...lines, 'exec git "$@"', ""].join("\n"), { mode: 0o755 });
  };

  test("git may take 2 GiB of memory at most, whatever a server sends it", async () => {
    await handbook();
    await gitAfter(`ulimit -v >> ${join(listed, "memory")}`);
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    const limits = (await readFile(join(listed, "memory"), "utf8")).trim().split("\n");
    // Systems without such a limit answer "unlimited" to everybody.
    const most = execFileSync("/bin/sh", ["-c", "ulimit -v 2097152 2>/dev/null || :; ulimit -v"]).toString().trim();
    expect(new Set(limits)).toEqual(new Set([most]));
  });

  test("another user's repository is read where the operator lists it, and no other is trusted on the way", async () => {
    await handbook();
    await gitAfter("export GIT_TEST_ASSUME_DIFFERENT_OWNER=1", `cp -f "$GIT_CONFIG_GLOBAL" ${join(listed, "trusted")} 2>/dev/null`);
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
    const trusted = (await readFile(join(listed, "trusted"), "utf8")).match(/directory = .*/g);
    expect(trusted).toEqual([`directory = "${join(await realpath(work), ".git")}"`]);
  });

  test("a git that does not ask whose a repository is reads none of this machine; the run says what to install", async () => {
    await handbook();
    await gitAfter('[ "$1" = --version ] && echo "git version 2.39.3" && exit');
    expect(await sync()).toMatchObject({ status: "failed", notes: [expect.stringContaining("version 2.39.4 or newer")] });
    await gitAfter('[ "$1" = --version ] && echo "git version 2.39.4" && exit');
    expect(await sync()).toMatchObject({ status: "ok", added: 2 });
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
    "https://host.example;x/handbook.git",
    'https://host"x.example/handbook.git',
  ])("%s is no address", (wrong) => {
    expect(() => checkAddress({ kind: "git", address: wrong })).toThrow(expect.objectContaining({ code: "SOURCE_INVALID" }));
  });

  test.each([
    "https://host.example/handbook.git",
    "https://host.example/a/b.git#release/1.2:docs/guides",
    "https://[2001:db8::1]/a.git",
    "https://git_1.host-2.example:8443/a.git",
    "file:///srv/git/handbook.git",
  ])("%s is one", (right) => expect(() => checkAddress({ kind: "git", address: right })).not.toThrow());
});

const overHttp = existsSync(BACKEND) ? describe : describe.skip;

overHttp("a Git repository over the network (set git's http-backend up to run these)", () => {
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
