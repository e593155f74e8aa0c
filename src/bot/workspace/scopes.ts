/** The bot scopes of manifest.yml; a test compares them. Without one of them some questions cannot be received or answered. */
export const requiredScopes: readonly string[] = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "im:write",
  "mpim:history",
  "mpim:read",
  "users:read",
];
