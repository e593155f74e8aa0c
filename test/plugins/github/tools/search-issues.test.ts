import { expect, test } from "@jest/globals";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { inGitHub } from "../setup.ts";

const { state, context, call } = inGitHub("github_search_issues");

toolContract("github_search_issues", () => ({
  tool: state.tool,
  good: { query: "dates", repository: "octo/planner" },
  bad: [
    {},
    { query: "" },
    { query: "x", kind: "commit" },
    ...["octo", "octo/..", "octo/planner/issues", "../x", "octo/planner org:secret", "-x/y"].map((repository) => ({
      query: "x",
      repository,
    })),
    { query: "x", limit: 21 },
    null,
  ],
  context: (signal) => context({ signal }),
  hang: () => {
    state.world.handle = () => undefined;
  },
}));

test("issues are sources with state, labels and the beginning of their text", async () => {
  const { content, metadata } = await call({ query: "dates", repository: "octo/planner" });
  expect(content).toBe("1 of 1 found.");
  expect(metadata.sources).toEqual([
    {
      id: "https://github.com/octo/planner/issues/7",
      title: "Dates shift by a day (octo/planner#7)",
      url: "https://github.com/octo/planner/issues/7",
      passage: "State: open. By: mona. Labels: bug. Comments: 3. On Mondays all dates shift.",
      timestamp: "2026-11-21T10:00:00.000Z",
      relevance: 1,
    },
  ]);
  expect(new URL(state.world.visits[0]?.url ?? "").searchParams.get("q")).toBe("is:public dates is:issue repo:octo/planner");
});

test("pull requests where they are asked for", async () => {
  await call({ query: "dates", kind: "pull-request" });
  expect(new URL(state.world.visits[0]?.url ?? "").searchParams.get("q")).toBe("is:public dates is:pr");
});

test("what goes out is what may need a click: the words and the repository", () => {
  expect(state.tool.trustedQuery?.({ query: "dates", repository: "octo/planner" })).toBe("dates octo/planner");
});
