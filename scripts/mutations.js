// Shows that the controls of the threat list are tested: takes each one out of a copy of the program, and expects its test to fail.
//   npm run mutations              all
//   npm run mutations -- T26 T28   those of some threats
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const list = JSON.parse(readFileSync(join(root, "test/security/mutations.json"), "utf8"));
const wanted = process.argv.slice(2);
const chosen = list.mutations.filter(({ threat }) => wanted.length === 0 || wanted.includes(threat));

/** Longest run of one test file, in milliseconds: a test that hangs without its control has failed, too. */
const LONGEST_RUN_MS = 240_000;

const copy = mkdtempSync(join(tmpdir(), "mutations-"));
const leftOut = new Set(["node_modules", ".git"].map((name) => join(root, name)));
cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(path) && !path.includes(".unfinished") });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

const jest = ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js", "--runInBand", "--bail"];
/** Whether a test file passes in the copy, and how many of its tests failed. */
function run(test) {
  const { status, stderr } = spawnSync(process.execPath, [...jest, "--runTestsByPath", test], {
    ...{ cwd: copy, encoding: "utf8", timeout: LONGEST_RUN_MS, env: { ...process.env, FORCE_COLOR: "0" } },
  });
  return { green: status === 0, failed: /^Tests: +(\d+) failed/m.exec(stderr)?.[1] ?? (status === null ? "it hangs" : "it does not run") };
}

let survived = 0;
try {
  const tests = [...new Set(chosen.map(({ test }) => test))];
  for (const test of tests)
    if (!run(test).green) {
      process.stderr.write(`${test} fails as it is, so it shows nothing.\n`);
      survived += 1;
    }
  for (const { threat, control, file, remove, put, test } of chosen) {
    const path = join(copy, file);
    const whole = readFileSync(path, "utf8");
    if (whole.split(remove).length !== 2) {
      process.stdout.write(`STALE  ${threat}  "${control}": ${file} is otherwise by now; mend test/security/mutations.json.\n`);
      survived += 1;
      continue;
    }
    writeFileSync(
      path,
      whole.replace(remove, () => put),
    );
    const { green, failed } = run(test);
    writeFileSync(path, whole);
    if (green) survived += 1;
    const told = `${green ? "SURVIVED" : "red"}  ${threat}  without "${control}" (${file}): ${test}${green ? "" : `, failed: ${failed}`}`;
    process.stdout.write(`${told}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`${chosen.length} controls taken out one at a time, ${survived} not missed by a test.\n`);
process.exitCode = survived === 0 ? 0 : 1;
