import { z } from "zod";
import { each, words } from "./answers.ts";
import { type SearchProvider, withParameters } from "./provider.ts";

const answer = z.object({ organic_results: z.array(z.unknown()).optional(), error: z.string().optional() });
const result = z.object({ title: z.string(), link: z.string(), snippet: words, date: z.string().nullish() });

const periods = { day: "qdr:d", week: "qdr:w", month: "qdr:m", year: "qdr:y" } as const;

/** Google's results by https://serpapi.com/search-api. The service takes its key in the address alone. */
export const serpApi = (key: string): SearchProvider => ({
  name: "SerpAPI",
  request: ({ words, limit, within }) => ({
    url: withParameters("https://serpapi.com/search.json", {
      engine: "google",
      q: words,
      num: limit,
      tbs: within && periods[within],
      api_key: key,
    }),
  }),
  read(body) {
    const { organic_results: results, error } = answer.parse(body);
    // That there is nothing is told as an error.
    if (!results && error !== undefined && !/returned any results/i.test(error)) throw new Error("SerpAPI could not search.");
    return each(result, results ?? []).map(({ title, link, snippet, date }) => ({ title, url: link, snippet, date }));
  },
});
