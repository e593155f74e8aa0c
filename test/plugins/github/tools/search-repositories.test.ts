import { describe, expect, test } from "@jest/globals";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { inGitHub } from "../setup.ts";

const { state, context, call } = inGitHub("github_search_repositories");

toolContract("github_search_repositories", () => ({
  tool: state.tool,
  good: { query: "planner" },
  bad: [{}, { query: "" }, { query: "x".repeat(201) }, { query: 7 }, { query: "x", limit: 0 }, { query: "x", limit: 21 }, null],
  context: (signal) => context({ signal }),
  hang: () => {
    state.world.handle = () => undefined;
  },
}));

test("projects are sources with address, figures and the day of the last change", async () => {
  const { content, metadata } = await call({ query: "planner language:typescript" });
  expect(content).toBe("2 of 812 projects.");
  expect(metadata.sources).toEqual([
    {
      id: "https://github.com/octo/planner",
      title: "octo/planner",
      url: "https://github.com/octo/planner",
      passage: "A planner for teams. Stars: 4200. Language: TypeScript. Licence: MIT. Topics: planning, kanban.",
      timestamp: "2026-11-20T10:00:00.000Z",
      relevance: 1,
    },
    expect.objectContaining({ title: "a/bare", passage: "No description. Stars: 0. Archived." }),
  ]);
  expect(state.world.visits).toMatchObject([
    {
      url: "http://api.github.com/search/repositories?q=is%3Apublic+planner+language%3Atypescript&per_page=5",
      headers: { authorization: "Bearer ghp_canary", accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    },
  ]);
});

describe("whose projects are found", () => {
  const query = async (query: string, settings = {}) => {
    await call({ query }, { settings: { token: "t", ...settings } });
    return new URL(state.world.visits.at(-1)?.url ?? "").searchParams.get("q");
  };

  test("public ones alone, whatever the words ask for: the token may read more than the readers may", async () => {
    expect(await query("board is:private")).toBe("is:public board");
    expect(await query('board IS:internal visibility:private -is:public is:"private"')).toBe("is:public board");
    expect((await call({ query: "planner" })).metadata.sources?.map(({ title }) => title)).not.toContain("octo/secret");
  });

  test.each([
    ["another choice", "board OR planner", "board planner"],
    ["a choice in parentheses", "board) or (planner", "board planner"],
    ["a condition turned round", "board NOT", "board"],
    ["an open quotation", 'board "', "board"],
    ["a quotation that only seems to end", '"a\\" b" OR "c"', '"a " b" OR "c'],
    ["words that hold such words, and quotations", 'reason:"not planned" rock-and-roll', 'reason:"not planned" rock-and-roll'],
  ])("%s does not get past that", async (_what, words, sent) => {
    expect(await query(words)).toBe(`is:public ${sent}`);
  });

  test("all that the token reads, where whoever set it says so", async () => {
    expect(await query("board is:private", { repositories: "all" })).toBe("board is:private");
    const { metadata } = await call({ query: "planner" }, { settings: { token: "t", repositories: "all" } });
    expect(metadata.sources?.map(({ title }) => title)).toContain("octo/secret");
  });
});

describe("what can go wrong is said", () => {
  test.each<[string, number, Record<string, string>, string, RegExp]>([
    ["a token that is refused", 401, {}, "GITHUB_REFUSED", /does not accept the token/],
    ["a right that is missing", 403, {}, "GITHUB_REFUSED", /may not do this/],
    ["too many requests", 403, { "x-ratelimit-remaining": "0" }, "RATE_LIMITED", /asked too often/],
    ["a query that is none", 422, {}, "BAD_PARAMETERS", /does not understand/],
    ["a fault of GitHub", 502, {}, "GITHUB_FAILED", /status 502/],
  ])("%s", async (_, status, headers, code, words) => {
    state.world.handle = (_request, response) => void response.writeHead(status, headers).end('{"message":"ghp_canary"}');
    const { error, content } = await call({ query: "planner" });
    expect(error?.code).toBe(code);
    expect(content).toMatch(words);
    expect(content).not.toContain("canary");
  });

  test("an answer of another form", async () => {
    for (const body of ["[]", "{"]) {
      state.world.handle = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body);
      expect((await call({ query: "planner" })).error?.code).toBe("GITHUB_FAILED");
    }
  });

  test("a redirect, with which the token would go elsewhere", async () => {
    state.world.handle = (_, response) => void response.writeHead(302, { location: "https://evil.example/" }).end();
    expect((await call({ query: "planner" })).error?.code).toBe("FETCH_REFUSED");
    expect(state.world.visits).toHaveLength(1);
  });
});

describe("where it is set up", () => {
  test("without a token it says so", () => {
    expect(state.tool.configure?.({})).toBe("GitHub needs a token, which is not set.");
    expect(state.tool.configure?.({ token: "t" })).toBeUndefined();
    expect(state.tool.configure?.({ token: "t", api_url: "github.internal" })).toMatch(/must begin with http/);
  });

  test("a GitHub of one's own is asked where the operator has listed it, and nowhere else inside", async () => {
    state.world.names.set("github.internal", [["10.0.0.8"]]).set("other.internal", [["10.0.0.9"]]);
    const at = (api_url: string) => call({ query: "planner" }, { settings: { token: "t", api_url } });
    await at("https://github.internal/api/v3/");
    expect(state.world.visits[0]?.url).toMatch(/^http:\/\/github\.internal\/api\/v3\/search\/repositories/);
    expect((await at("https://other.internal/api/v3")).error?.code).toBe("FETCH_REFUSED");
  });
});
