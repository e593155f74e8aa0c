import { z } from "zod";
import { each, words } from "./answers.ts";
import { type SearchProvider, withParameters } from "./provider.ts";

const answer = z.object({ results: z.array(z.unknown()) });
const result = z.object({ title: z.string(), url: z.string(), content: words, publishedDate: z.string().nullish() });

/**
 * A self-hosted SearXNG, which needs no account, by https://docs.searxng.org/dev/search_api.html. Its settings must list `json` among the
 * formats.
 * @param address where it is, with a path if it has one
 */
export const searxng = (address: string): SearchProvider => ({
  name: "SearXNG",
  // It gives a page of results, however many are wanted.
  request: ({ words, within }) => ({
    url: withParameters(`${address.replace(/\/$/, "")}/search`, { q: words, format: "json", time_range: within }),
  }),
  read: (body) =>
    each(result, answer.parse(body).results).map(({ title, url, content, publishedDate }) => ({
      ...{ title, url, snippet: content },
      date: publishedDate,
    })),
  refusal: (status) => (status === 403 ? "its settings do not list json among the formats" : undefined),
});
