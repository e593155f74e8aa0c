/**
 * Every error the program raises on purpose, with the sentence a person may read.
 * Sentences say what happened and how to mend it; details (ids, names) are appended by the thrower, never secrets or message text.
 */
const catalogue = {
  // start-up
  CONFIG_INVALID: "The configuration has mistakes.",
  HOME_LOCKED: "Another Footnote process is using this data folder.",
  HOME_NOT_WRITABLE: "The data folder cannot be written to.",
  CANCELLED: "Cancelled.",
  PROGRAM_GONE: "The running program stopped before it had answered. Start it, then try again.",
  PORT_TAKEN: "Another program, perhaps another Footnote, is listening on a port that is needed.",
  DATABASE_ROLE_UNSAFE: "The database role could bypass row-level security.",
  DATABASE_ROLE_UNFIT: "The database role lacks a right it needs.",
  DATABASE_UNREACHABLE: "The database cannot be reached.",
  DATABASE_NOT_MIGRATED: "The database schema is not up to date. Run: footnote migrate",
  // store
  NO_TENANT_CONTEXT: "A statement was issued outside a tenant's transaction.",
  SECRET_UNREADABLE: "A stored secret cannot be opened with the keys at hand.",
  // plugins
  TOOL_ALREADY_REGISTERED: "Two tools share one name.",
  TOOL_BAD_NAME: "A tool's name must be snake_case, at most 64 characters.",
  TOOL_BAD_SCHEMA: "A tool's parameters are not a valid JSON Schema.",
  PLUGIN_INVALID: "A plugin does not keep the contract.",
  // templates and flags
  TEMPLATE_INVALID: "The template has mistakes.",
  TEMPLATE_UNKNOWN: "There is no such template in this workspace.",
  TEMPLATE_REFUSED: "The template cannot be used.",
  FLAG_UNKNOWN: "No tool has this feature flag.",
  // asking
  WORKSPACE_NAME_TAKEN: "Another workspace already has this name.",
  WORKSPACE_UNKNOWN: "There is no such workspace.",
  PERSON_UNKNOWN: "There is no such person in this workspace, or Slack cannot say at the moment.",
  CHANNEL_UNKNOWN: "There is no such channel in this workspace, that person is not in it, or Slack cannot say at the moment.",
  QUESTION_EMPTY: "The question is empty.",
  NOT_FOUND: "Not found.",
  PERSON_DEACTIVATED: "This account is deactivated, so questions from it are not answered.",
  PERSON_IS_BOT: "Questions from other bots are not answered.",
  PERSON_IS_OUTSIDER: "Footnote answers people of this workspace only.",
  PLACE_HAS_OUTSIDERS:
    "People from outside this workspace read along here, or are invited to, so Footnote does not answer here. Ask in a direct message.",
  AUDIENCE_CHANGED: "Who reads along here has changed while the answer was made. Please ask again.",
  MODEL_FAILED: "The language model could not answer.",
  BUDGET_USED_UP: "The budget for this month is used up. An admin can raise it.",
  ANSWER_CUT: "The connection to the language model broke off, so the answer is incomplete.",
  INTERNAL: "Something went wrong on our side.",
  // sources of documents
  SOURCE_EXISTS: "Another source of this workspace has this name.",
  SOURCE_UNKNOWN: "There is no such source in this workspace.",
  SOURCE_INVALID: "The source cannot be used.",
  SOURCE_BUSY: "This source is being read at this moment.",
  SOURCE_WITHDRAWN: "Nothing of this source may be kept, so its documents were taken out.",
  SOURCE_UNREACHABLE: "The source cannot be read. Nothing was changed.",
  // the HTTP door
  KEY_REFUSED: "The API key is missing or not valid.",
  KEY_UNKNOWN: "There is no such API key, or it was revoked before.",
  ORIGIN_REFUSED: "Pages of other sites may not ask here.",
  REQUEST_INVALID: "The request does not have the form that docs/api.md describes.",
  METHOD_REFUSED: "This address takes another method.",
  BODY_TOO_LARGE: "The request is too large.",
  BODY_TYPE_REFUSED: "The request must be JSON, with Content-Type: application/json and no encoding.",
  RATE_LIMITED: "This key is used too often. Try again after the seconds that Retry-After names.",
  OVERLOADED: "Too many questions are being answered at this moment. Try again shortly.",
  // slack
  TOKEN_REFUSED: "Slack does not accept the bot token.",
  SLACK_UNREACHABLE: "Slack cannot be reached. Check the network, a proxy or firewall in between, and SLACK_API_URL if it is set.",
  SIGNING_SECRET_UNSAFE: "SLACK_SIGNING_SECRET is missing or too short. Copy it from the app's Basic Information page.",
  EVENT_UNROUTABLE: "The delivery belongs to no workspace that has installed this app.",
  EVENT_NOT_STORED: "The event could not be stored in time, so Slack was asked to deliver it again.",
  LEASE_LOST: "Another process has taken over this answer.",
  TURN_INTERRUPTED: "The answer was interrupted more than once.",
  TURN_STALLED: "The answer made no progress and was given up.",
  SLACK_SEARCH_UNAVAILABLE: "Slack cannot be searched here.",
  // external servers (MCP), and our tools for others
  MCP_SANDBOX_MISSING: "There is no sandbox for this server's program on this machine. Install bubblewrap, or say sandbox: none for it.",
  MCP_UNREACHABLE: "The external server cannot be reached.",
  SERVERS_INVALID: "The list of servers has mistakes.",
  SERVER_REFUSED: "The external server cannot be stored.",
  MCP_SERVER_UNKNOWN: "There is no such external server in this workspace.",
  MCP_LOGIN_NEEDED: "Each person logs in at this server. Its tools become known once somebody has: footnote mcp connect.",
  LOGIN_INVALID: "This log-in is not valid any more. Ask again in Slack to get a new link.",
  MCP_ISSUER_CHANGED: "The server names another authorization server than was allowed here, so nobody can log in there.",
  CALL_INVALID: "That call cannot be made.",
  // installing
  INSTALL_STATE_INVALID: "This installation was begun in another browser, was finished before, or was left alone for too long.",
  INSTALL_CODE_REFUSED: "Slack did not confirm the installation.",
  INSTALL_APP_DIFFERS: "Slack's answer is about another app.",
  INSTALL_NOT_ALLOWED: "This workspace is not among those that may install this Footnote.",
  TOKEN_NOT_RENEWED: "Slack no longer renews the workspace's token: the app has to be installed there again.",
  // knowledge
  DOCUMENT_UNREADABLE: "The document cannot be read.",
  SET_UNREADABLE: "The judged set cannot be read.",
  DOCUMENT_EMPTY: "The document holds no text.",
  FORMAT_UNSUPPORTED: "This kind of file is not supported.",
  READER_GAVE_UP: "The document could not be read within the limits.",
  DOCUMENT_BUSY: "This document is being stored by another process at this moment.",
  DOCUMENT_QUARANTINED: "The document is left alone until it changes.",
  FULL_TEXT_FAILED: "The search by words failed.",
  FULL_TEXT_REFUSED: "The full-text index does not take this document.",
  EMBEDDER_UNKNOWN: "There is no such embedding model here.",
  EMBEDDER_IN_USE: "This embedding model is in use, or is being prepared. Use another one first.",
  EMBEDDER_FAILED: "The embedding model failed.",
  // the outside world
  FETCH_REFUSED: "This address is not fetched.",
  FETCH_LIMIT: "What is at this address does not keep within the limits.",
  FETCH_FAILED: "This address cannot be reached.",
} as const;

export type ErrorCode = keyof typeof catalogue;

/** An error with a code from the catalogue. Its message is fit for a person; `cause` is for the log alone. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** What was appended to the catalogue's sentence: which one, and how to mend it. */
  readonly detail: string | undefined;

  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ? `${catalogue[code]} ${detail}` : catalogue[code], options);
    this.name = "AppError";
    this.code = code;
    this.detail = detail;
  }

  /** The catalogue's sentence alone. */
  get sentence(): string {
    return catalogue[this.code];
  }
}

export const errorCodes = Object.keys(catalogue) as readonly ErrorCode[];

/** What the log may say of anything that was thrown: its code when it is ours. Never its text, which may be somebody's. */
export const codeOf = (thrown: unknown): ErrorCode => (thrown instanceof AppError ? thrown.code : "INTERNAL");

/** The text of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
