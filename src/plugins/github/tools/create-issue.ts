import { defineTool, text } from "../../define.ts";
import { failed } from "../../outside-failure.ts";
import { quoted } from "../../wording.ts";
import type { GitHub } from "../client.ts";
import { notConfigured } from "../settings.ts";
import { citable, issueSource } from "../sources.ts";
import { repositoryName } from "./search-issues.ts";

interface Params {
  readonly repository: string;
  readonly title: string;
  readonly body?: string;
}

/** Opens an issue on GitHub, in the name of the token's owner. */
export const createIssue = (github: () => Promise<GitHub>) =>
  defineTool<Params>({
    name: "github_create_issue",
    description: "Opens an issue on GitHub. Use it only when the person has asked for it; they see and confirm the exact text first.",
    parameters: {
      type: "object",
      properties: {
        repository: { type: "string", pattern: repositoryName, description: "Where, as owner/name." },
        title: { type: "string", minLength: 1, maxLength: 250, description: "Its title." },
        body: { type: "string", maxLength: 20_000, description: "Its text, in Markdown." },
      },
      required: ["repository", "title"],
    },
    annotations: { title: "Create a GitHub issue", readOnly: false, destructive: false, openWorld: true },
    effect: "side-effect",
    featureFlag: "github-write",
    configure: notConfigured,
    describeCall: (params) => `Creating an issue in ${quoted(params?.repository)}: ${quoted(params?.title)}`,

    async execute({ repository, title, body }, context) {
      context.signal.throwIfAborted();
      try {
        const created = await (await github()).createIssue(repository, { title, ...(body !== undefined && { body }) }, context);
        return text(`Issue ${created.number} was created.`, { count: 1, sources: [created].filter(citable).map(issueSource) });
      } catch (thrown) {
        return failed(thrown, context.signal);
      }
    },
  });
