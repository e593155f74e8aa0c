import { defineTool, failure, text } from "../../define.ts";
import { failed } from "../../outside-failure.ts";
import { quoted } from "../../wording.ts";
import { chosenProvider } from "../providers/choose.ts";
import type { Period } from "../providers/provider.ts";
import { moment, sourceOf } from "../sources.ts";
import type { Web } from "../web.ts";

interface Params {
  readonly query: string;
  readonly limit?: number;
  readonly within?: Period;
}

const DEFAULT_RESULTS = 5;

/** Search of the public web. */
export const webSearch = (web: () => Promise<Web>) =>
  defineTool<Params>({
    name: "web_search",
    description:
      "Searches the public web. Use it for what is new or changes (news, versions, prices) and for what the team's documents cannot hold, " +
      "not for the team's own matters and not for general knowledge. The query goes to an outside service, so put nothing private into it. " +
      "To read more than the snippet of a result use read_web_page.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 200, description: "A few words to look for. No addresses." },
        limit: { type: "integer", minimum: 1, maximum: 10, description: `Most results wanted, ${DEFAULT_RESULTS} unless given.` },
        within: { type: "string", enum: ["day", "week", "month", "year"], description: "Only what was published within this time." },
      },
      required: ["query"],
    },
    annotations: { title: "Search the web", readOnly: true, openWorld: true },
    configure(settings) {
      const provider = chosenProvider(settings);
      return typeof provider === "string" ? provider : undefined;
    },
    trustedQuery: ({ query }) => query,
    describeCall: (params) => `Searching the web for ${quoted(params?.query)}`,

    async execute({ query, limit = DEFAULT_RESULTS, within }, context) {
      const { settings, signal } = context;
      signal.throwIfAborted();
      if (holdsAddress(query))
        return failure("BAD_PARAMETERS", "A query holds words, not addresses. To read an address use read_web_page.");
      try {
        const { results, retrievedAt, provider } = await (await web()).search(
          { words: query, limit, ...(within && { within }) },
          settings,
          context,
        );
        const count = results.length;
        const head = `${count === 0 ? "No results" : `${count} result${count === 1 ? "" : "s"}`} from ${provider}, retrieved ${moment(retrievedAt)}.`;
        return text(head, { count, sources: results.map((result, rank) => sourceOf(result, rank, retrievedAt)) });
      } catch (thrown) {
        return failed(thrown, signal);
      }
    },
  });

/** An address in a query is of no use to a search and a way to have one visited. */
const holdsAddress = (query: string): boolean => /\w:\/\/|\bwww\.|%[\da-f]{2}/i.test(query);
