/**
 * The bot scopes of manifest.yml, and for people: what does not work without each. A test compares them with the manifest.
 */
const withoutScope: Readonly<Record<string, string>> = {
  "app_mentions:read": "Footnote does not notice that it is mentioned.",
  "assistant:write": "Slack's agent view and the line that says what Footnote is doing are missing.",
  "channels:history": "Follow-up questions in threads of public channels are not noticed.",
  "channels:read": "In public channels Footnote cannot tell who reads along, so it answers from no document there.",
  "chat:write": "Footnote cannot answer at all.",
  commands: "The command /footnote does nothing.",
  "files:read": "Footnote cannot read files that come with questions, nor add files to the documents.",
  "groups:history": "Follow-up questions in threads of private channels are not noticed.",
  "groups:read": "In private channels Footnote cannot tell who reads along, so it answers from no document there.",
  "im:history": "Direct messages to Footnote are not noticed.",
  "im:read": "Footnote cannot look at the direct message that it is to answer in.",
  "im:write": "Footnote cannot begin a direct message, for instance to answer privately.",
  "mpim:history": "Questions in group messages are not noticed.",
  "mpim:read": "In group messages Footnote cannot tell who reads along, so it answers from no document there.",
  "usergroups:read": "Documents cannot be granted to user groups.",
  "users:read": "Footnote cannot tell who asks, so it answers nobody.",
};

/** The scopes that the app asks for. */
export const requiredScopes: readonly string[] = Object.keys(withoutScope);

/** Scopes that the app can do without, and the tool that needs each. */
export const optionalScopes: readonly { readonly scope: string; readonly tool: string }[] = [
  { scope: "search:read.public", tool: "search_slack" },
];

/** A scope that was not granted, and what does not work without it. */
export interface MissingScope {
  readonly scope: string;
  readonly consequence: string;
}

export const missingScopes = (granted: readonly string[]): readonly MissingScope[] =>
  Object.entries(withoutScope).flatMap(([scope, consequence]) => (granted.includes(scope) ? [] : [{ scope, consequence }]));
