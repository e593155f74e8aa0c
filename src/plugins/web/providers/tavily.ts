import { z } from "zod";
import { each, words } from "./answers.ts";
import type { SearchProvider } from "./provider.ts";

const answer = z.object({ results: z.array(z.unknown()) });
const result = z.object({ title: z.string(), url: z.string(), content: words, published_date: z.string().nullish() });

/** Search made for language models, by https://docs.tavily.com. */
export const tavily = (key: string): SearchProvider => ({
  name: "Tavily",
  request: ({ words, limit, within }) => ({
    url: new URL("https://api.tavily.com/search"),
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query: words, max_results: limit, search_depth: "basic", ...(within && { time_range: within }) }),
  }),
  read: (body) =>
    each(result, answer.parse(body).results).map(({ title, url, content, published_date }) => ({
      ...{ title, url, snippet: content },
      date: published_date,
    })),
  refusal: (status) => (status === 432 || status === 433 ? "the plan's searches are used up" : undefined),
});
