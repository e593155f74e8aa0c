import type { Workspace } from "../state.ts";

/** What a workspace grants that was given no list of its own: whatever a bot of this kind may ask for. */
const generous: readonly string[] = [
  ...["app_mentions:read", "assistant:write", "commands", "reactions:read", "reactions:write", "team:read", "usergroups:read"],
  ...["channels:history", "groups:history", "im:history", "mpim:history"],
  ...["channels:read", "groups:read", "im:read", "mpim:read", "channels:join"],
  ...["chat:write", "chat:write.public", "chat:write.customize", "im:write", "mpim:write"],
  ...["files:read", "files:write", "users:read", "users:read.email", "links:read", "links:write", "search:read.public"],
];

/** Slack names a token's scopes in a header of every answer to it. */
export const scopeHeader = ({ scopes = generous }: Workspace): Readonly<Record<string, string>> => ({ "x-oauth-scopes": scopes.join(",") });
