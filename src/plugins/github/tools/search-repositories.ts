import { defineTool, text } from "../../define.ts";
import { failed } from "../../outside-failure.ts";
import { quoted } from "../../wording.ts";
import type { GitHub } from "../client.ts";
import { notConfigured } from "../settings.ts";
import { citable, repositorySource } from "../sources.ts";

interface Params {
  readonly query: string;
  readonly limit?: number;
}

const DEFAULT_RESULTS = 5;

/** Search for projects on GitHub. */
export const searchRepositories = (github: () => Promise<GitHub>) =>
  defineTool<Params>({
    name: "github_search_repositories",
    description:
      "Finds projects on GitHub with their description, stars, language and licence. Use it to compare with or look for open-source " +
      "projects. The query goes to GitHub, so put nothing private into it.",
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "A few words; GitHub's qualifiers such as language:rust or stars:>100 are understood.",
        },
        limit: { type: "integer", minimum: 1, maximum: 20, description: `Most results wanted, ${DEFAULT_RESULTS} unless given.` },
      },
      required: ["query"],
    },
    annotations: { title: "Search GitHub for projects", readOnly: true, openWorld: true },
    configure: notConfigured,
    trustedQuery: ({ query }) => query,
    describeCall: (params) => `Searching GitHub for projects: ${quoted(params?.query)}`,

    async execute({ query, limit = DEFAULT_RESULTS }, context) {
      context.signal.throwIfAborted();
      try {
        const { total, items } = await (await github()).repositories(query, limit, context);
        const sources = items.filter(citable).map(repositorySource);
        return text(sources.length === 0 ? "No project found." : `${sources.length} of ${total} projects.`, {
          count: sources.length,
          sources,
        });
      } catch (thrown) {
        return failed(thrown, context.signal);
      }
    },
  });
