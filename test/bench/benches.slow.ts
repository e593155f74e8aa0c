import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, jest, test } from "@jest/globals";

jest.setTimeout(600_000);

const run = promisify(execFile);

/** Every bench beside the load bench, with as little to do as it takes. What they print is looked at for its form; nothing is timed here. */
const benches: readonly [string, readonly string[], object][] = [
  ["what the agent costs beside a bare loop", ["bench/agent-loop.js", "5"], { answers: 5, ratio: expect.any(Number) }],
  ["what an external tool's call costs", ["bench/mcp-calls.js", "5"], { calls: 5, results: [{ kind: "stdio" }, { kind: "http" }] }],
  ["what a question costs in statements", ["bench/question.js", "1"], { questions: 1, statements: expect.any(Number) }],
  ["how well the offline answerer answers", ["dist/bench/offline-answers.js"], { questions: expect.any(Number), wrong: [] }],
];

test.each(benches)("the bench runs: %s", async (_name, args, figures) => {
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, DATABASE_URL: "" }, timeout: 500_000 });
  expect(JSON.parse(stdout)).toMatchObject(figures);
});
