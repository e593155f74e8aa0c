import { defineTool, text } from "../../define.ts";
import { failed } from "../../outside-failure.ts";
import { quoted } from "../../wording.ts";
import type { GitHub } from "../client.ts";
import { notConfigured } from "../settings.ts";
import { citable, issueSource } from "../sources.ts";

interface Params {
  readonly query: string;
  readonly kind?: "issue" | "pull-request";
  readonly repository?: string;
  readonly limit?: number;
}

const DEFAULT_RESULTS = 5;

/** "owner/name", as GitHub allows it. */
export const repositoryName = "^[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?![.]{1,2}$)[A-Za-z0-9._-]{1,100}$";

/** Search for issues and pull requests on GitHub. */
export const searchIssues = (github: () => Promise<GitHub>) =>
  defineTool<Params>({
    name: "github_search_issues",
    description:
      "Finds issues and pull requests on GitHub with their state, labels and text. Use it for known problems, plans and discussions of " +
      "projects. The query goes to GitHub, so put nothing private into it.",
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "A few words; GitHub's qualifiers such as state:open or label:bug are understood.",
        },
        kind: { type: "string", enum: ["issue", "pull-request"], description: "What is looked for, issues unless given." },
        repository: { type: "string", pattern: repositoryName, description: "Only in this one, as owner/name." },
        limit: { type: "integer", minimum: 1, maximum: 20, description: `Most results wanted, ${DEFAULT_RESULTS} unless given.` },
      },
      required: ["query"],
    },
    annotations: { title: "Search GitHub for issues", readOnly: true, openWorld: true },
    configure: notConfigured,
    trustedQuery: ({ query, repository = "" }) => `${query} ${repository}`.trim(),
    describeCall: (params) =>
      `Searching GitHub for ${params?.kind === "pull-request" ? "pull requests" : "issues"}: ${quoted(params?.query)}`,

    async execute({ query, kind = "issue", repository, limit = DEFAULT_RESULTS }, context) {
      context.signal.throwIfAborted();
      try {
        const words = [query, `is:${kind === "issue" ? "issue" : "pr"}`, ...(repository ? [`repo:${repository}`] : [])].join(" ");
        const { total, items } = await (await github()).issues(words, limit, context);
        const sources = items.filter(citable).map(issueSource);
        return text(sources.length === 0 ? "Nothing found." : `${sources.length} of ${total} found.`, { count: sources.length, sources });
      } catch (thrown) {
        return failed(thrown, context.signal);
      }
    },
  });
