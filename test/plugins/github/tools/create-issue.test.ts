import { describe, expect, test } from "@jest/globals";
import { effectOf } from "../../../../src/permissions/approval.ts";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { inGitHub } from "../setup.ts";

const { state, context, call } = inGitHub("github_create_issue");
const good = { repository: "octo/planner", title: "Dates shift", body: "On Mondays." };

toolContract("github_create_issue", () => ({
  tool: state.tool,
  good,
  bad: [
    {},
    { title: "x" },
    { repository: "octo/planner" },
    { repository: "octo/planner", title: "" },
    { repository: "octo/planner", title: "x".repeat(251) },
    { repository: "octo/../../user", title: "x" },
    { repository: "octo/..", title: "x" },
    { ...good, body: "x".repeat(20_001) },
    null,
  ],
  context: (signal) => context({ signal }),
  hang: () => {
    state.world.handle = () => undefined;
  },
}));

test("an issue is opened with exactly these words, and its address is the source", async () => {
  const { content, metadata } = await call(good);
  expect(content).toBe("Issue 8 was created.");
  expect(metadata.sources?.[0]).toMatchObject({ url: "https://github.com/octo/planner/issues/8" });
  expect(state.world.visits).toMatchObject([
    { method: "POST", url: "http://api.github.com/repos/octo/planner/issues", body: '{"title":"Dates shift","body":"On Mondays."}' },
  ]);
});

test("T19: it changes something, so it waits for a click, and is not released without the operator's flag", () => {
  expect(effectOf(state.tool)).toBe("side-effect");
  expect(state.tool.featureFlag).toBe("github-write");
});

describe("what can go wrong", () => {
  test("a repository that is not there creates nothing", async () => {
    expect((await call({ ...good, repository: "octo/gone" })).error?.code).toBe("NOT_FOUND");
  });

  test.each<[string, () => void]>([
    [
      "the connection is cut after it was sent",
      () => {
        state.world.handle = (_, response) => void response.destroy();
      },
    ],
    [
      "the answer is none",
      () => {
        state.world.handle = (_, response) => void response.writeHead(201, { "content-type": "application/json" }).end("{}");
      },
    ],
  ])("F07: when %s nobody claims that it failed, and it is not sent again", async (_, break_) => {
    break_();
    const { error, content } = await call(good);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN", retryable: false });
    expect(content).toMatch(/Look there before another try/);
    expect(state.world.visits).toHaveLength(1);
  });
});
