import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@jest/globals";
import { checksForPeople } from "../../src/cli/doctor-command.ts";
import { commandLine } from "../../src/cli/program.ts";
import type { Check } from "../../src/core/check.ts";

const fine: Check = { name: "Disk", status: "ok", summary: "12.0 GB are free." };
const odd: Check = { name: "Model", status: "warning", summary: "small answers but does not stream.", mend: "Switch streaming on." };
const broken: Check = {
  name: "Slack acme",
  status: "failed",
  summary: "The token lacks the scope im:history.",
  mend: "Add what is missing under OAuth & Permissions, then reinstall the app to the workspace.",
};

async function doctor(checks: readonly Check[], ...options: string[]) {
  let out = "";
  const never = () => Promise.reject(new Error("The doctor opens nothing of the program's own."));
  const program = commandLine({
    ...{ config: { callerFolder: "/" }, signal: new AbortController().signal },
    ...{ connect: never, start: never, migrate: never },
    out: { write: (text) => (out += text) },
    side: { write: () => {} },
    doctor: async () => checks,
    manifest: async () => "",
  });
  return { code: await program.run(["doctor", ...options]), out };
}

test("for people: a line a check, the mend below it, the sum at the end", async () => {
  const { out, code } = await doctor([fine, odd, broken]);
  expect(code).toBe(1);
  expect(out).toBe(`
  ✓ Disk        12.0 GB are free.
  ! Model       small answers but does not stream.
                → Switch streaming on.
  ✗ Slack acme  The token lacks the scope im:history.
                → Add what is missing under OAuth & Permissions, then reinstall the app to the
                  workspace.

  1 ok, 1 to look at, 1 failed

`);
});

test("a warning is no failure: the exit status is 0", async () => {
  expect((await doctor([fine, odd])).code).toBe(0);
  expect((await doctor([fine, broken], "--json")).code).toBe(1);
});

test("with --json it is one JSON object", async () => {
  const { out } = await doctor([fine, broken], "--json");
  expect(JSON.parse(out)).toEqual({ status: "failed", checks: [fine, broken] });
});

test("lines fit the terminal, and colours change nothing else", () => {
  const plain = checksForPeople([fine, odd, broken], { colour: false, width: 60 });
  expect(Math.max(...plain.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  const coloured = checksForPeople([fine, odd, broken], { colour: true, width: 60 });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});
