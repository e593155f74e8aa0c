import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defined } from "./config/defined.ts";
import { type PluginsConfig, pluginPrefix, pluginsConfig } from "./config/plugins.ts";
import { type Env, withSecretFiles } from "./config/secret-files.ts";
import { type SlackConfig, slackConfig } from "./config/slack.ts";
import { secretNames, type Variables, variables } from "./config/variables.ts";
import { AppError } from "./core/errors.ts";
import type { LogLevel } from "./core/logger.ts";
import { Secret } from "./core/secret.ts";

export type { OAuthConfig, SlackConfig } from "./config/slack.ts";

/** Everything an operator can set, read once at start. */
export interface Config {
  /** Absolute path of the data folder: embedded database, keys, control socket. */
  readonly home: string;
  /** Folder that relative paths on the command line start from: npm runs scripts in the project's root, wherever the person is. */
  readonly callerFolder: string;
  readonly logLevel: LogLevel;
  readonly database: { readonly url?: Secret; readonly migrateUrl?: Secret; readonly poolSize: number };
  /** Absent when no Slack app is configured: then the playground is started in its place. */
  readonly slack?: SlackConfig;
  readonly slackMode: "socket" | "http";
  /** Whether answers use Slack's own streams where they work. */
  readonly slackStreaming: boolean;
  readonly playground: { readonly enabled: boolean; readonly port: number };
  /** Absent when no model is configured: then the built-in offline answerer answers. */
  readonly model?: ModelConfig;
  readonly embedder: EmbedderConfig;
  /** Full text beside the database; the search key's value and id both or none. */
  readonly meilisearch?: { readonly url: string; readonly key: Secret; readonly search?: { readonly key: Secret; readonly id: string } };
  readonly http: { readonly host: string; readonly port: number; readonly publicUrl?: string };
  readonly secretKeys?: Secret;
  /** Origins in the operator's own network that configured addresses may lead to, e.g. "http://searxng:8080". */
  readonly internalOrigins: readonly string[];
  /** Folders of this machine below which Git repositories may be sources. */
  readonly gitFolders: readonly string[];
  /** Absolute path of the list of external MCP servers, when there is one. */
  readonly mcpFile?: string;
  /** External servers that a workspace's admins add: how many at most, and which origins in the operator's network they may be at. */
  readonly workspaceServers: { readonly most: number; readonly origins: readonly string[] };
  readonly plugins: PluginsConfig;
  /** Days for which the data of a workspace that has removed the app is kept. */
  readonly purgeDays: number;
  readonly limits: LimitsConfig;
}

export interface ModelConfig {
  readonly name: string;
  readonly apiKey?: Secret;
  readonly baseUrl?: string;
  /** Tokens that fit into one request and its reply together. */
  readonly contextTokens: number;
  /** Other models of the same endpoint that a channel's template may name. */
  readonly others: readonly string[];
  /** The model that is asked when this one fails. */
  readonly fallback?: Omit<ModelConfig, "fallback" | "contextTokens" | "others">;
}

export type EmbedderConfig =
  | { readonly kind: "local" }
  | { readonly kind: "openai"; readonly model: string; readonly dimensions: number; readonly baseUrl?: string; readonly apiKey?: Secret };

/** Ceilings per answer and per process; docs/operating.md lists each with its variable. */
export interface LimitsConfig {
  readonly steps: number;
  readonly toolCalls: number;
  readonly parallelTools: number;
  /** Milliseconds one answer may take. */
  readonly answerMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Answers in progress at once, per workspace and in the process. */
  readonly tenantAnswers: number;
  readonly processAnswers: number;
  /** How many times Slack's documented rate limits may be used. */
  readonly slackFactor: number;
  /** Questions that may wait: in one thread (the running one included), of one workspace, and over all. */
  readonly queue: { readonly perThread: number; readonly perTenant: number; readonly total: number };
  /** Questions over HTTP with one key: within a minute, and at the same moment. */
  readonly apiPerMinute: number;
  readonly apiAtOnce: number;
  /** Milliseconds that running answers get to finish when the process is told to stop. */
  readonly shutdownMs: number;
}

/**
 * Reads the environment (and a .env file beside it, when there is one) into a Config.
 * @throws AppError CONFIG_INVALID that lists every mistake with its mend, never a value
 */
export function loadConfig(env: Env = environment()): Config {
  const mistakes: string[] = [];
  const given = withSecretFiles(env, mistakes);
  mistakes.push(...unknownNames(env));

  const parsed = variables.safeParse(given);
  if (!parsed.success) mistakes.push(...parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`));
  const values = parsed.data;
  const slack = values && slackConfig(values, mistakes);
  const plugins = pluginsConfig(values?.FOOTNOTE_PLUGINS ?? "", values?.FOOTNOTE_WORKSPACE_SETTINGS_FILE, env, mistakes);
  if (values?.FOOTNOTE_EMBEDDER === "openai" && !values.FOOTNOTE_EMBEDDING_MODEL)
    mistakes.push("FOOTNOTE_EMBEDDING_MODEL is missing: FOOTNOTE_EMBEDDER=openai needs the model's name.");
  if (values?.MEILI_URL && !values.MEILI_KEY)
    mistakes.push("MEILI_KEY is missing: MEILI_URL needs a key, since a server without keys shows every document to everybody.");
  if ((values?.MEILI_SEARCH_KEY === undefined) !== (values?.MEILI_SEARCH_KEY_ID === undefined))
    mistakes.push("MEILI_SEARCH_KEY and MEILI_SEARCH_KEY_ID belong together: set both, or neither.");
  if (mistakes.length > 0 || !values) throw new AppError("CONFIG_INVALID", `\n${mistakes.map((mistake) => `- ${mistake}`).join("\n")}`);

  const secretOf = (value: string | undefined) => (value === undefined ? undefined : new Secret(value));
  const model = values.OPENAI_API_KEY || values.OPENAI_BASE_URL;
  return defined<Config>({
    home: resolve(values.FOOTNOTE_HOME),
    callerFolder: env.INIT_CWD ?? process.cwd(),
    logLevel: values.FOOTNOTE_LOG_LEVEL,
    database: defined({
      url: secretOf(values.DATABASE_URL),
      migrateUrl: secretOf(values.FOOTNOTE_MIGRATE_DATABASE_URL),
      poolSize: values.FOOTNOTE_DATABASE_POOL,
    }),
    slack,
    slackMode: values.FOOTNOTE_SLACK_MODE ?? (values.SLACK_SIGNING_SECRET && !values.SLACK_APP_TOKEN ? "http" : "socket"),
    slackStreaming: values.FOOTNOTE_SLACK_STREAMING === "auto",
    playground: { enabled: values.FOOTNOTE_PLAYGROUND === "on", port: values.FOOTNOTE_PLAYGROUND_PORT },
    model: model ? modelConfig(values) : undefined,
    embedder:
      values.FOOTNOTE_EMBEDDER === "openai"
        ? defined({
            kind: "openai" as const,
            model: values.FOOTNOTE_EMBEDDING_MODEL ?? "",
            dimensions: values.FOOTNOTE_EMBEDDING_DIMENSIONS,
            baseUrl: values.FOOTNOTE_EMBEDDING_BASE_URL ?? values.OPENAI_BASE_URL,
            apiKey: secretOf(values.FOOTNOTE_EMBEDDING_API_KEY ?? (values.FOOTNOTE_EMBEDDING_BASE_URL ? undefined : values.OPENAI_API_KEY)),
          })
        : { kind: "local" },
    meilisearch: meilisearchConfig(values),
    http: defined({ host: values.FOOTNOTE_HOST, port: values.FOOTNOTE_PORT, publicUrl: values.FOOTNOTE_PUBLIC_URL?.replace(/\/$/, "") }),
    secretKeys: secretOf(values.FOOTNOTE_SECRET_KEYS),
    internalOrigins: values.FOOTNOTE_INTERNAL_ORIGINS,
    gitFolders: values.FOOTNOTE_GIT_FOLDERS,
    mcpFile: values.FOOTNOTE_MCP_FILE === undefined ? undefined : resolve(values.FOOTNOTE_MCP_FILE),
    workspaceServers: { most: values.FOOTNOTE_WORKSPACE_MCP_SERVERS, origins: values.FOOTNOTE_WORKSPACE_MCP_ORIGINS },
    plugins,
    purgeDays: values.FOOTNOTE_PURGE_DAYS,
    limits: {
      steps: values.FOOTNOTE_MAX_STEPS,
      toolCalls: values.FOOTNOTE_MAX_TOOL_CALLS,
      parallelTools: values.FOOTNOTE_MAX_PARALLEL_TOOLS,
      answerMs: values.FOOTNOTE_MAX_ANSWER_SECONDS * 1000,
      inputTokens: values.FOOTNOTE_MAX_INPUT_TOKENS,
      outputTokens: values.FOOTNOTE_MAX_OUTPUT_TOKENS,
      tenantAnswers: values.FOOTNOTE_TENANT_ANSWERS,
      processAnswers: values.FOOTNOTE_PROCESS_ANSWERS,
      slackFactor: values.FOOTNOTE_SLACK_LIMITS_FACTOR,
      queue: {
        perThread: values.FOOTNOTE_THREAD_QUESTIONS,
        perTenant: values.FOOTNOTE_TENANT_QUESTIONS,
        total: values.FOOTNOTE_TOTAL_QUESTIONS,
      },
      apiPerMinute: values.FOOTNOTE_API_PER_MINUTE,
      apiAtOnce: values.FOOTNOTE_API_AT_ONCE,
      shutdownMs: values.FOOTNOTE_SHUTDOWN_SECONDS * 1000,
    },
  });
}

function meilisearchConfig(values: Variables): Config["meilisearch"] {
  const { MEILI_URL: url, MEILI_KEY: key, MEILI_SEARCH_KEY: searchKey, MEILI_SEARCH_KEY_ID: id } = values;
  if (url === undefined || key === undefined) return undefined;
  return { url, key: new Secret(key), ...(searchKey && id && { search: { key: new Secret(searchKey), id } }) };
}

/** The fallback's key and address are those of the model, but a key never goes to another address than it was given for. */
function modelConfig(values: Variables): ModelConfig {
  const { FOOTNOTE_FALLBACK_BASE_URL: otherUrl, FOOTNOTE_FALLBACK_API_KEY: otherKey, OPENAI_API_KEY, OPENAI_FALLBACK_MODEL } = values;
  const endpoint = (name: string, key: string | undefined, baseUrl: string | undefined) =>
    defined({ name, apiKey: key === undefined ? undefined : new Secret(key), baseUrl });
  return defined<ModelConfig>({
    ...endpoint(values.OPENAI_MODEL, OPENAI_API_KEY, values.OPENAI_BASE_URL),
    contextTokens: values.FOOTNOTE_CONTEXT_TOKENS,
    others: values.FOOTNOTE_MODELS.filter((name) => name !== values.OPENAI_MODEL),
    fallback: OPENAI_FALLBACK_MODEL
      ? endpoint(OPENAI_FALLBACK_MODEL, otherKey ?? (otherUrl ? undefined : OPENAI_API_KEY), otherUrl ?? values.OPENAI_BASE_URL)
      : undefined,
  });
}

function unknownNames(env: Env): string[] {
  const known = new Set<string>([...Object.keys(variables.shape), ...secretNames.map((name) => `${name}_FILE`)]);
  // Variables that steer the test suite are none of the program's business.
  const tests = /^FOOTNOTE_(TEST_|SHARED$|SLOW$)/;
  return Object.keys(env)
    .filter((name) => name.startsWith("FOOTNOTE_") && !name.startsWith(pluginPrefix) && !tests.test(name) && !known.has(name))
    .map((name) => `${name} is not a setting: check its spelling in docs/operating.md.`);
}

function environment(): Env {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}
