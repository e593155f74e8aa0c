import { z } from "zod";
import { each, words } from "./answers.ts";
import { type SearchProvider, withParameters } from "./provider.ts";

const answer = z.object({ type: z.literal("search"), web: z.object({ results: z.array(z.unknown()) }).nullish() });
const result = z.object({
  title: z.string(),
  url: z.string(),
  description: words,
  page_age: z.string().nullish(),
  age: z.string().nullish(),
});

const periods = { day: "pd", week: "pw", month: "pm", year: "py" } as const;

/** Brave's own index by https://api-dashboard.search.brave.com/app/documentation. */
export const brave = (key: string): SearchProvider => ({
  name: "Brave Search",
  request: ({ words, limit, within }) => ({
    url: withParameters("https://api.search.brave.com/res/v1/web/search", {
      q: words,
      count: limit,
      freshness: within && periods[within],
      text_decorations: "false",
    }),
    headers: { "x-subscription-token": key },
  }),
  read: (body) =>
    each(result, answer.parse(body).web?.results ?? []).map(({ title, url, description, page_age, age }) => ({
      ...{ title, url, snippet: description },
      date: page_age ?? age,
    })),
  // A key that is not one is told as a request that cannot be processed.
  refusal: (status) => (status === 422 ? "it does not accept the key or the query" : undefined),
});
