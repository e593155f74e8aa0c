import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { AppError, messageOf } from "./core/errors.ts";
import type { LogLevel } from "./core/logger.ts";
import { Secret } from "./core/secret.ts";

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
  readonly playground: { readonly enabled: boolean; readonly port: number };
  /** Absent when no model is configured: then the built-in offline answerer answers. */
  readonly model?: ModelConfig;
  readonly embedder: EmbedderConfig;
  readonly meilisearch?: { readonly url: string; readonly key?: Secret };
  readonly http: { readonly host: string; readonly port: number; readonly publicUrl?: string };
  readonly secretKeys?: Secret;
  readonly limits: LimitsConfig;
}

export interface SlackConfig {
  readonly appToken?: Secret;
  readonly signingSecret?: Secret;
  /** Ends in /api/. Absent means Slack itself. */
  readonly apiUrl?: string;
  readonly workspaces: readonly WorkspaceConfig[];
}

/** A workspace whose bot token the operator gives. Its name is what the command line calls it; Slack's name if absent. */
export interface WorkspaceConfig {
  readonly name?: string;
  readonly botToken: Secret;
}

export interface ModelConfig {
  readonly name: string;
  readonly apiKey?: Secret;
  readonly baseUrl?: string;
  /** Tokens that fit into one request and its reply together. */
  readonly contextTokens: number;
  /** The model that is asked when this one fails. */
  readonly fallback?: Omit<ModelConfig, "fallback" | "contextTokens">;
}

export type EmbedderConfig =
  | { readonly kind: "local" }
  | { readonly kind: "openai"; readonly model: string; readonly dimensions: number; readonly baseUrl?: string; readonly apiKey?: Secret };

/** Ceilings per answer and per process; every one is printed by `footnote limits` and can be raised by its variable. */
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
  /** Milliseconds that running answers get to finish when the process is told to stop. */
  readonly shutdownMs: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Secrets that can also be given as a file, by NAME_FILE. */
const secretNames = [
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "DATABASE_URL",
  "OPENAI_API_KEY",
  "MEILI_KEY",
  "FOOTNOTE_MIGRATE_DATABASE_URL",
  "FOOTNOTE_SECRET_KEYS",
  "FOOTNOTE_EMBEDDING_API_KEY",
  "FOOTNOTE_FALLBACK_API_KEY",
] as const;

const url = z.url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" });
const whole = (least: number, most: number, standard: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${least} to ${most}` })
    .int()
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
    .default(standard);
const secret = (form: RegExp, mend: string) => z.string().regex(form, mend).optional();
const choice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z.enum(options, { error: `must be one of: ${options.join(", ")}` });

const variables = z.object({
  SLACK_BOT_TOKEN: secret(/^xox[a-z]-\S+$/, "must be a bot token, which begins with xoxb- (OAuth & Permissions page of the Slack app)"),
  SLACK_APP_TOKEN: secret(
    /^xapp-\S+$/,
    "must be an app-level token, which begins with xapp- (Basic Information page, scope connections:write)",
  ),
  SLACK_SIGNING_SECRET: secret(
    /^\S{16,}$/,
    "must be the app's signing secret, at least 16 characters (Basic Information page of the Slack app)",
  ),
  SLACK_API_URL: url.optional(),
  DATABASE_URL: secret(/^postgres(ql)?:\/\/\S+$/, "must begin with postgres://"),
  OPENAI_API_KEY: secret(/^\S+$/, "must not hold blanks"),
  OPENAI_BASE_URL: url.optional(),
  OPENAI_MODEL: z.string().default("gpt-4.1-mini"),
  OPENAI_FALLBACK_MODEL: z.string().optional(),
  FOOTNOTE_FALLBACK_BASE_URL: url.optional(),
  FOOTNOTE_FALLBACK_API_KEY: secret(/^\S+$/, "must not hold blanks"),
  FOOTNOTE_CONTEXT_TOKENS: whole(2_000, 10_000_000, 128_000),
  MEILI_URL: url.optional(),
  MEILI_KEY: secret(/^\S+$/, "must not hold blanks"),
  FOOTNOTE_HOME: z.string().default(".footnote"),
  FOOTNOTE_LOG_LEVEL: choice(["debug", "info", "warn", "error", "silent"]).default("info"),
  FOOTNOTE_MIGRATE_DATABASE_URL: secret(/^postgres(ql)?:\/\/\S+$/, "must begin with postgres://"),
  FOOTNOTE_DATABASE_POOL: whole(2, 200, 10),
  FOOTNOTE_SECRET_KEYS: z.string().optional(),
  FOOTNOTE_WORKSPACES_FILE: z.string().optional(),
  FOOTNOTE_SLACK_MODE: choice(["socket", "http"]).optional(),
  FOOTNOTE_PLAYGROUND: choice(["on", "off"]).default("on"),
  FOOTNOTE_PLAYGROUND_PORT: whole(0, 65535, 4000),
  FOOTNOTE_HOST: z.string().default("127.0.0.1"),
  FOOTNOTE_PORT: whole(0, 65535, 3000),
  FOOTNOTE_PUBLIC_URL: url.optional(),
  FOOTNOTE_EMBEDDER: choice(["local", "openai"]).default("local"),
  FOOTNOTE_EMBEDDING_MODEL: z.string().optional(),
  FOOTNOTE_EMBEDDING_DIMENSIONS: whole(1, 16000, 1536),
  FOOTNOTE_EMBEDDING_BASE_URL: url.optional(),
  FOOTNOTE_EMBEDDING_API_KEY: secret(/^\S+$/, "must not hold blanks"),
  FOOTNOTE_MAX_STEPS: whole(1, 100, 12),
  FOOTNOTE_MAX_TOOL_CALLS: whole(1, 1000, 24),
  FOOTNOTE_MAX_PARALLEL_TOOLS: whole(1, 64, 8),
  FOOTNOTE_MAX_ANSWER_SECONDS: whole(5, 600, 180),
  FOOTNOTE_MAX_INPUT_TOKENS: whole(1000, 2_000_000, 100_000),
  FOOTNOTE_MAX_OUTPUT_TOKENS: whole(100, 200_000, 8_000),
  FOOTNOTE_TENANT_ANSWERS: whole(1, 1000, 8),
  FOOTNOTE_PROCESS_ANSWERS: whole(1, 5000, 64),
  FOOTNOTE_SHUTDOWN_SECONDS: whole(1, 600, 25),
});

const workspaceFile = z.array(
  z.strictObject({ name: z.string().optional(), botToken: z.string().optional(), botTokenFile: z.string().optional() }),
);

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
  if (values?.FOOTNOTE_EMBEDDER === "openai" && !values.FOOTNOTE_EMBEDDING_MODEL)
    mistakes.push("FOOTNOTE_EMBEDDING_MODEL is missing: FOOTNOTE_EMBEDDER=openai needs the model's name.");
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
    meilisearch: values.MEILI_URL ? defined({ url: values.MEILI_URL, key: secretOf(values.MEILI_KEY) }) : undefined,
    http: defined({ host: values.FOOTNOTE_HOST, port: values.FOOTNOTE_PORT, publicUrl: values.FOOTNOTE_PUBLIC_URL?.replace(/\/$/, "") }),
    secretKeys: secretOf(values.FOOTNOTE_SECRET_KEYS),
    limits: {
      steps: values.FOOTNOTE_MAX_STEPS,
      toolCalls: values.FOOTNOTE_MAX_TOOL_CALLS,
      parallelTools: values.FOOTNOTE_MAX_PARALLEL_TOOLS,
      answerMs: values.FOOTNOTE_MAX_ANSWER_SECONDS * 1000,
      inputTokens: values.FOOTNOTE_MAX_INPUT_TOKENS,
      outputTokens: values.FOOTNOTE_MAX_OUTPUT_TOKENS,
      tenantAnswers: values.FOOTNOTE_TENANT_ANSWERS,
      processAnswers: values.FOOTNOTE_PROCESS_ANSWERS,
      shutdownMs: values.FOOTNOTE_SHUTDOWN_SECONDS * 1000,
    },
  });
}

/** The fallback's key and address are those of the model, but a key never goes to another address than it was given for. */
function modelConfig(values: z.infer<typeof variables>): ModelConfig {
  const { FOOTNOTE_FALLBACK_BASE_URL: otherUrl, FOOTNOTE_FALLBACK_API_KEY: otherKey, OPENAI_API_KEY, OPENAI_FALLBACK_MODEL } = values;
  const endpoint = (name: string, key: string | undefined, baseUrl: string | undefined) =>
    defined({ name, apiKey: key === undefined ? undefined : new Secret(key), baseUrl });
  return defined<ModelConfig>({
    ...endpoint(values.OPENAI_MODEL, OPENAI_API_KEY, values.OPENAI_BASE_URL),
    contextTokens: values.FOOTNOTE_CONTEXT_TOKENS,
    fallback: OPENAI_FALLBACK_MODEL
      ? endpoint(OPENAI_FALLBACK_MODEL, otherKey ?? (otherUrl ? undefined : OPENAI_API_KEY), otherUrl ?? values.OPENAI_BASE_URL)
      : undefined,
  });
}

/** A Slack app is configured as soon as one of its variables is set; then all that its mode needs must be there. */
function slackConfig(values: z.infer<typeof variables>, mistakes: string[]): SlackConfig | undefined {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, FOOTNOTE_WORKSPACES_FILE, FOOTNOTE_SLACK_MODE } = values;
  const workspaces = FOOTNOTE_WORKSPACES_FILE ? readWorkspaces(FOOTNOTE_WORKSPACES_FILE, mistakes) : [];
  if (SLACK_BOT_TOKEN) workspaces.push({ botToken: new Secret(SLACK_BOT_TOKEN) });
  if (workspaces.length === 0 && !SLACK_APP_TOKEN && !SLACK_SIGNING_SECRET && !FOOTNOTE_WORKSPACES_FILE) return undefined;

  const mode = FOOTNOTE_SLACK_MODE ?? (SLACK_SIGNING_SECRET && !SLACK_APP_TOKEN ? "http" : "socket");
  if (mode === "socket" && !SLACK_APP_TOKEN)
    mistakes.push(
      "SLACK_APP_TOKEN is missing: Socket Mode needs the app-level token (or set SLACK_SIGNING_SECRET and FOOTNOTE_SLACK_MODE=http).",
    );
  if (mode === "http" && !SLACK_SIGNING_SECRET) mistakes.push("SLACK_SIGNING_SECRET is missing: events over HTTP are checked with it.");
  return defined({
    appToken: SLACK_APP_TOKEN ? new Secret(SLACK_APP_TOKEN) : undefined,
    signingSecret: SLACK_SIGNING_SECRET ? new Secret(SLACK_SIGNING_SECRET) : undefined,
    apiUrl: SLACK_API_URL?.replace(/\/?$/, "/"),
    workspaces,
  });
}

function readWorkspaces(path: string, mistakes: string[]): WorkspaceConfig[] {
  try {
    const entries = workspaceFile.parse(JSON.parse(readFileSync(path, "utf8")));
    return entries.map(({ name, botToken, botTokenFile }) => {
      const token = botTokenFile ? readFileSync(botTokenFile, "utf8").trim() : botToken;
      if (!token || !/^xox[a-z]-\S+$/.test(token)) throw new Error(`workspace ${name ?? "without a name"} has no bot token`);
      return defined({ name, botToken: new Secret(token) });
    });
  } catch (thrown) {
    const reason = thrown instanceof z.ZodError || thrown instanceof SyntaxError ? "its content has another form" : messageOf(thrown);
    mistakes.push(`FOOTNOTE_WORKSPACES_FILE cannot be used: ${reason}. It must be JSON: [{"name": "acme", "botTokenFile": "path"}].`);
    return [];
  }
}

function withSecretFiles(env: Env, mistakes: string[]): Env {
  const given: Record<string, string | undefined> = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  for (const name of secretNames) {
    // An empty secret is a slip (an unset variable in a compose file), and an empty signing secret would sign for everybody.
    if (env[name] === "") mistakes.push(`${name} is set but empty: give it a value or remove it.`);
    const file = given[`${name}_FILE`];
    if (!file) continue;
    if (given[name]) mistakes.push(`${name} and ${name}_FILE are both set: remove one.`);
    try {
      const value = readFileSync(file, "utf8").trim();
      if (value === "") mistakes.push(`${name}_FILE names an empty file.`);
      given[name] = value;
    } catch {
      mistakes.push(`${name}_FILE cannot be read: check that the file exists and that this user may read it.`);
    }
  }
  return given;
}

function unknownNames(env: Env): string[] {
  const known = new Set<string>([...Object.keys(variables.shape), ...secretNames.map((name) => `${name}_FILE`)]);
  // Variables that steer the test suite are none of the program's business.
  const tests = /^FOOTNOTE_(TEST_|SHARED$|SLOW$)/;
  return Object.keys(env)
    .filter((name) => name.startsWith("FOOTNOTE_") && !tests.test(name) && !known.has(name))
    .map((name) => `${name} is not a setting: check its spelling in docs/operating.md.`);
}

function environment(): Env {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/** The same object without its undefined fields, as exactOptionalPropertyTypes wants it. */
function defined<T>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
