import type { IncomingMessage, ServerResponse } from "node:http";
import type { OutsideWorld, Visit } from "../../fakes/outside-world.ts";

/** Answers in the shapes in which the services give them; the texts are made up. */
const answers = {
  "serpapi.com": {
    search_metadata: { id: "6749a0", status: "Success", total_time_taken: 1.2 },
    search_parameters: { engine: "google", q: "node release", num: "5" },
    organic_results: [
      {
        position: 1,
        title: "Node.js 26 is here",
        link: "https://nodejs.example/blog/26",
        displayed_link: "https://nodejs.example › blog",
        snippet: "Node.js 26 brings a faster start.",
        date: "2 days ago",
        source: "Node.js",
      },
      { position: 2, title: "Releases", link: "https://nodejs.example/releases", snippet: "All releases & dates.", date: "Nov 3, 2026" },
      { position: 3, title: "No address", snippet: "Left out." },
    ],
  },
  "api.search.brave.com": {
    type: "search",
    query: { original: "node release", more_results_available: true },
    web: {
      type: "search",
      results: [
        {
          title: "Node.js 26 is here",
          url: "https://nodejs.example/blog/26",
          description: "Node.js 26 brings a <strong>faster</strong> start.",
          page_age: "2026-11-28T12:00:00",
          age: "2 days ago",
        },
        { title: "Releases", url: "https://nodejs.example/releases", description: "All releases &amp; dates.", age: "November 3, 2026" },
        { title: "No address" },
      ],
    },
  },
  "api.tavily.com": {
    query: "node release",
    follow_up_questions: null,
    answer: null,
    images: [],
    results: [
      {
        title: "Node.js 26 is here",
        url: "https://nodejs.example/blog/26",
        content: "Node.js 26 brings a faster start.",
        score: 0.98,
        published_date: "Sat, 28 Nov 2026 12:00:00 GMT",
        raw_content: null,
      },
      {
        title: "Releases",
        url: "https://nodejs.example/releases",
        content: "All releases & dates.",
        score: 0.7,
        published_date: "2026-11-03",
      },
      { url: 7 },
    ],
    response_time: 1.1,
  },
  "searxng.internal:8080": {
    query: "node release",
    number_of_results: 0,
    results: [
      {
        url: "https://nodejs.example/blog/26",
        title: "Node.js 26 is here",
        content: "Node.js 26 brings a faster start.",
        publishedDate: "2026-11-28T12:00:00",
        engine: "bing",
        score: 4,
      },
      {
        url: "https://nodejs.example/releases",
        title: "Releases",
        content: "All releases & dates.",
        publishedDate: "2026-11-03 00:00:00",
      },
      { title: "No address" },
    ],
    answers: [],
    unresponsive_engines: [["google", "timeout"]],
  },
} as const;

/** Lets the world answer like the search services. */
export function searchServices(world: OutsideWorld): void {
  world.names.set("searxng.internal", [["10.0.0.7"]]);
  world.handle = (_request: IncomingMessage, response: ServerResponse, { headers }: Visit) => {
    const answer = answers[headers.host as keyof typeof answers];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(answer ?? {}));
  };
}

/** Each service with the settings that choose it, and what it must be asked. */
export const services = [
  {
    name: "SerpAPI",
    settings: { provider: "serpapi", serpapi_key: "serp-canary" },
    asked: {
      method: "GET",
      url: "http://serpapi.com/search.json?engine=google&q=node+release&num=5&tbs=qdr%3Aw&api_key=serp-canary",
    },
  },
  {
    name: "Brave Search",
    settings: { brave_key: "brave-canary" },
    asked: {
      method: "GET",
      url: "http://api.search.brave.com/res/v1/web/search?q=node+release&count=5&freshness=pw&text_decorations=false",
      headers: { "x-subscription-token": "brave-canary" },
    },
  },
  {
    name: "Tavily",
    settings: { tavily_key: "tavily-canary" },
    asked: {
      method: "POST",
      url: "http://api.tavily.com/search",
      headers: { authorization: "Bearer tavily-canary" },
      body: '{"query":"node release","max_results":5,"search_depth":"basic","time_range":"week"}',
    },
  },
  {
    name: "SearXNG",
    settings: { searxng_url: "http://searxng.internal:8080/" },
    asked: { method: "GET", url: "http://searxng.internal:8080/search?q=node+release&format=json&time_range=week" },
  },
] as const;
