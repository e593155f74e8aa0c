import type { Plugin } from "../contract.ts";
import { loadedOnce } from "../loaded-once.ts";
import { readWebPage } from "./tools/read-web-page.ts";
import { webSearch } from "./tools/web-search.ts";
import type { WebServices } from "./web.ts";

/** The public web: search it, read a page of it. */
export const web = (services: WebServices): Plugin => {
  const outside = loadedOnce(async () => new (await import("./web.ts")).Web(services));
  return { name: "web", tools: [webSearch(outside), readWebPage(outside)] };
};
