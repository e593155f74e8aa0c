import type { Plugin } from "../contract.ts";
import type { SlackSearch } from "../slack-messages.ts";
import { searchSlack } from "./tools/search-slack.ts";

/** What people have written in the workspace's public channels, by Slack's own search. */
export const slackSearch = (search: SlackSearch): Plugin => ({ name: "slack-search", tools: [searchSlack(search)] });
