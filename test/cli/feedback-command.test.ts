import { expect, test } from "@jest/globals";
import { Command } from "commander";
import { addFeedbackCommand } from "../../src/cli/feedback-command.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

async function run(...argv: string[]) {
  let out = "";
  const program = new Command();
  addFeedbackCommand(program, {
    out: {
      write: (text) => {
        out += text;
      },
    },
    using: (work) => work(new CannedOperations()),
    printJson: (value) => {
      out += JSON.stringify(value);
    },
  });
  await program.parseAsync(["feedback", "--workspace", "acme", ...argv], { from: "user" });
  return out;
}

test("an operator sees the worst answers, each on a line, with what people say about them", async () =>
  expect(await run("--limit", "1")).toBe(
    "2026-03-02 10:00  general  2 bad, 1 good  footnote trace 6d1ef6b5-0000-4000-8000-000000000000\n    bob: Wrong year (of 1)\n2 more: --limit 3\n",
  ));

test("and as JSON; a limit that is no number is the usual one", async () =>
  expect(JSON.parse(await run("--json", "--limit", "many"))).toMatchObject({ total: 3, answers: [{ comments: [{ person: "bob" }] }] }));
