import type { OutsideWorld } from "../../fakes/outside-world.ts";

const repository = (name: string, more: object = {}) => ({
  id: 1,
  full_name: name,
  private: false,
  html_url: `https://github.com/${name}`,
  description: "A planner for teams.",
  stargazers_count: 4200,
  language: "TypeScript",
  topics: ["planning", "kanban"],
  archived: false,
  license: { key: "mit", spdx_id: "MIT" },
  pushed_at: "2026-11-20T10:00:00Z",
  ...more,
});

const issue = {
  html_url: "https://github.com/octo/planner/issues/7",
  number: 7,
  title: "Dates shift by a day",
  state: "open",
  user: { login: "mona" },
  labels: [{ name: "bug" }],
  comments: 3,
  body: "On Mondays\r\nall dates shift.",
  updated_at: "2026-11-21T10:00:00Z",
};

/** Lets the world answer like GitHub's REST interface, in its shapes; the texts are made up. */
export function gitHub(world: OutsideWorld): void {
  world.handle = (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://x");
    const answers: Record<string, [number, object]> = {
      "/search/repositories": [
        200,
        {
          total_count: 812,
          incomplete_results: false,
          items: [
            repository("octo/planner"),
            repository("octo/secret", { private: true }),
            repository("a/bare", { description: null, language: null, topics: [], license: null, archived: true, stargazers_count: 0 }),
            { full_name: "without/address" },
          ],
        },
      ],
      "/search/issues": [200, { total_count: 1, incomplete_results: false, items: [issue, { title: "Broken" }] }],
      "/repos/octo/planner/issues": [201, { ...issue, number: 8, html_url: "https://github.com/octo/planner/issues/8", body: null }],
    };
    const [status, answer] = answers[pathname] ?? [404, { message: "Not Found" }];
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(answer));
  };
}
