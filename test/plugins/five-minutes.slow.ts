import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { ModelServer } from "../fakes/model-server.ts";

// Builds, a test run and several starts of the whole program, on a machine that may be busy.
jest.setTimeout(1_800_000);

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
let page: string;
let copy: string;

/** What somebody has who has just cloned the repository and installed it. */
beforeAll(async () => {
  page = await readFile(join(root, "src/plugins/README.md"), "utf8");
  copy = await mkdtemp(join(tmpdir(), "footnote-five-minutes-"));
  const parts = [
    "src",
    "migrations",
    "playground",
    "scripts",
    "test/contracts",
    "test/fakes",
    "test/sequencer.js",
    "package.json",
    "jest.config.js",
  ];
  for (const part of [...parts, "tsconfig.json", "tsconfig.build.json"]) await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Writes every file that the page shows below a name in a line of its own. Returns their paths. */
async function writeFilesUnder(prefix: RegExp): Promise<string[]> {
  const shown = [...page.matchAll(/^`([^`\n]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)].filter(([, path = ""]) => prefix.test(path));
  for (const [, path = "", content = ""] of shown) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), content);
  }
  return shown.map(([, path = ""]) => path);
}

/** Makes the page's change to a file: lines with + follow the line before them, or take the place of lines with -. */
async function applyDiff(path: string): Promise<void> {
  const [, diff = ""] = /^```diff\n([\s\S]*?)^```$/m.exec(page) ?? [];
  let content = await readFile(join(copy, path), "utf8");
  let before = { sign: " ", text: "" };
  for (const line of diff.trimEnd().split("\n")) {
    const [sign = " ", text] = [line[0], line.slice(1)];
    if (sign === "+") content = content.replace(before.text, () => (before.sign === "-" ? text : `${before.text}\n${text}`));
    expect(content.split("\n")).toContain(text);
    before = { sign, text };
  }
  await writeFile(join(copy, path), content);
}

/** Asks in a program of its own, with a model that calls the tool. Returns what the tool told the model, and the report. */
async function askFor(tool: string, params: unknown, env: Record<string, string> = {}) {
  const model = await ModelServer.start((request, reply) => {
    const last = request.messages.at(-1);
    if (last?.role === "tool") reply.say(String(last.content));
    else reply.call(tool, params);
  });
  // One data folder for all: the handbooks are read in once.
  const home = join(copy, "home");
  try {
    const command = [
      "dist/src/main.js",
      "ask",
      "Please look it up.",
      "--workspace",
      "acme",
      "--channel",
      "general",
      "--as",
      "alice",
      "--json",
    ];
    const { stdout } = await run(process.execPath, command, {
      cwd: copy,
      env: { PATH: process.env.PATH ?? "", FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0", OPENAI_BASE_URL: model.url, ...env },
    });
    return JSON.parse(stdout) as { status: string; answer: string; tools: { name: string; status: string }[] };
  } finally {
    await model.stop();
  }
}

const npm = (...args: string[]) => run("npm", args, { cwd: copy, env: { PATH: process.env.PATH ?? "", HOME: copy } });

test("who follows the page has a plugin that compiles, passes its test and answers", async () => {
  const written = await writeFilesUnder(/world-clock/);
  expect(written).toEqual([
    "src/plugins/world-clock/client.ts",
    "src/plugins/world-clock/tools/tell-time.ts",
    "src/plugins/world-clock/plugin.ts",
    "test/plugins/world-clock/tools/tell-time.test.ts",
  ]);
  await applyDiff("src/plugins/index.ts");
  const tested = await npm("test", "--", "test/plugins/world-clock");
  expect(tested.stderr).toMatch(/Tests: +\d+ passed, \d+ total/);
  const report = await askFor("tell_time", { zone: "Asia/Tokyo" });
  expect(report.tools).toMatchObject([{ name: "tell_time", status: "success" }]);
  expect(report.answer).toMatch(/It is \d\d:\d\d in Asia\/Tokyo\./);
});

test("who follows the page has a plugin as a package, with its settings", async () => {
  expect(await writeFilesUnder(/^office-hours/)).toEqual(["office-hours/package.json", "office-hours/index.js"]);
  const [, settings = ""] = /^```sh\n(FOOTNOTE_PLUGINS=.*) npm start\n```$/m.exec(page) ?? [];
  const env = Object.fromEntries(
    [...settings.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  );
  expect(Object.keys(env)).toEqual(["FOOTNOTE_PLUGINS", "FOOTNOTE_PLUGIN_OFFICE_HOURS_HOURS"]);
  await npm("run", "-s", "build");
  const report = await askFor("office_hours", { day: "Monday" }, env as Record<string, string>);
  expect(report.tools).toMatchObject([{ name: "office_hours", status: "success" }]);
  expect(report.answer).toContain("On Monday the office is staffed from 9:00 to 17:00.");
  const unset = await askFor("office_hours", { day: "Monday" }, { FOOTNOTE_PLUGINS: "./office-hours" });
  expect(unset.tools).toMatchObject([{ name: "office_hours", status: "denied" }]);
});

test("a package that breaks the contract keeps the program from starting, with one clear message", async () => {
  await writeFilesUnder(/^office-hours/);
  const broken = join(copy, "broken");
  await mkdir(broken);
  await writeFile(join(broken, "package.json"), '{ "name": "broken", "type": "module", "exports": "./index.js" }');
  await writeFile(join(broken, "index.js"), 'throw new Error("it is Monday");');
  const env = { FOOTNOTE_PLUGINS: "./broken,./office-hours", FOOTNOTE_PLUGIN_OFFICE_HOURS_HOURS: "9 to 5" };
  const failed = await askFor("office_hours", { day: "Monday" }, env).catch((thrown: { code: number; stdout: string }) => thrown);
  expect(failed).toMatchObject({ code: 1 });
  const { error } = JSON.parse((failed as { stdout: string }).stdout);
  expect(error).toEqual({
    code: "PLUGIN_INVALID",
    message: `A plugin does not keep the contract. \n- ${broken}: it failed while loading: it is Monday.\nMend or update these packages, or take them out of FOOTNOTE_PLUGINS.`,
  });
});
