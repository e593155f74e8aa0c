import type { Plugin } from "../contract.ts";
import { readWebPage } from "./tools/read-web-page.ts";
import { webSearch } from "./tools/web-search.ts";
import { Web, type WebServices } from "./web.ts";

/** The public web: search it, read a page of it. */
export const web = (services: WebServices): Plugin => {
  const outside = new Web(services);
  return { name: "web", tools: [webSearch(outside), readWebPage(outside)] };
};
