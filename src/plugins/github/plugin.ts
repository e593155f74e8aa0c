import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { Plugin } from "../contract.ts";
import { loadedOnce } from "../loaded-once.ts";
import { createIssue } from "./tools/create-issue.ts";
import { searchIssues } from "./tools/search-issues.ts";
import { searchRepositories } from "./tools/search-repositories.ts";

/** GitHub by its REST interface: find projects and issues, open an issue. */
export const github = (safeFetch: SafeFetch): Plugin => {
  const client = loadedOnce(async () => new (await import("./client.ts")).GitHub(safeFetch));
  return { name: "github", tools: [searchRepositories(client), searchIssues(client), createIssue(client)] };
};
