import { AppError } from "../../../core/errors.ts";
import { everyone } from "../../../core/principal.ts";
import { defineTool, failure, text } from "../../define.ts";
import { type FoundMessage, type SlackSearch, searchFlag } from "../../slack-messages.ts";
import { quoted } from "../../wording.ts";

interface Params {
  readonly query: string;
  readonly limit?: number;
}

const DEFAULT_RESULTS = 8;

/** Search of the workspace's public channels. The same for everybody who may read them, so it waits for nobody's click. */
export const searchSlack = (search: SlackSearch) =>
  defineTool<Params>({
    name: "search_slack",
    description:
      "Searches what people have written in the workspace's public channels in Slack. Use it for what was said or decided in conversations, " +
      "and for what is in no document. Messages are people's words at their time: say who wrote what, and when.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 300, description: "What to look for: a few words, or a whole question." },
        limit: { type: "integer", minimum: 1, maximum: 20, description: `Most messages wanted, ${DEFAULT_RESULTS} unless given.` },
      },
      required: ["query"],
    },
    annotations: { title: "Search Slack", readOnly: true },
    featureFlag: searchFlag,
    describeCall: (params) => `Searching Slack for ${quoted(params?.query)}`,

    async execute({ query, limit = DEFAULT_RESULTS }, { tenant, person, audience, asked, signal }) {
      // Public channels are open to full members: never before guests or other organisations.
      if (!audience.principals.includes(everyone))
        return failure("NOT_BEFORE_OTHERS", "Guests or people of other organisations may read along here, so Slack is not searched.", {
          status: "denied",
        });
      if (!asked?.message) return nothingHere;
      try {
        const found = await search.search({ tenant, person, ...asked, message: asked.message }, { words: query, limit }, signal);
        const count = found.length;
        const head = count === 0 ? "No messages found." : `${count} message${count === 1 ? "" : "s"} found in public channels.`;
        return text(head, { count, public: true, sources: found.map(sourceOf) });
      } catch (thrown) {
        if (signal.aborted || !(thrown instanceof AppError)) throw thrown;
        return failure(thrown.code, thrown.message, { retryable: thrown.code !== "SLACK_SEARCH_UNAVAILABLE" });
      }
    },
  });

const nothingHere = failure("SLACK_SEARCH_UNAVAILABLE", "Slack can be searched only for a question that was asked in Slack.");

/** Slack's terms: shown and told, and kept nowhere. */
const sourceOf = ({ text: passage, channel, author, at, url }: FoundMessage, rank: number) => ({
  id: url ?? `${channel ?? ""} ${at.toISOString()} ${rank}`,
  title: `${author ?? "Somebody"} in ${channel === undefined ? "Slack" : `#${channel}`}`,
  ...(url !== undefined && { url }),
  passage,
  timestamp: at.toISOString(),
  relevance: Math.round(100 / (1 + rank / 10)) / 100,
  transient: true as const,
});
