import { isAbsolute } from "node:path";
import { z } from "zod";

/** Secrets that can also be given as a file, by NAME_FILE. */
export const secretNames = [
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_CLIENT_SECRET",
  "DATABASE_URL",
  "OPENAI_API_KEY",
  "MEILI_KEY",
  "MEILI_SEARCH_KEY",
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
/** What stands between commas. */
const separated = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== ""),
  );
const origins = separated
  .refine((list) => list.every(isOrigin), "must list addresses without a path, such as http://searxng:8080, separated by commas")
  .transform((list) => list.map((each) => new URL(each).origin));
const folders = separated.refine(
  (list) => list.every((each) => isAbsolute(each)),
  "must list absolute paths of folders, separated by commas",
);
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && `${new URL(text).origin}/` === new URL(text).href;
const secret = (form: RegExp, mend: string) => z.string().regex(form, mend).optional();
const choice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z.enum(options, { error: `must be one of: ${options.join(", ")}` });

/** Every setting with its form and its default. */
export const variables = z.object({
  SLACK_BOT_TOKEN: secret(/^xox[a-z]-\S+$/, "must be a bot token, which begins with xoxb- (OAuth & Permissions page of the Slack app)"),
  SLACK_APP_TOKEN: secret(
    /^xapp-\S+$/,
    "must be an app-level token, which begins with xapp- (Basic Information page, scope connections:write)",
  ),
  SLACK_SIGNING_SECRET: secret(
    /^\S{16,}$/,
    "must be the app's signing secret, at least 16 characters (Basic Information page of the Slack app)",
  ),
  SLACK_CLIENT_ID: z
    .string()
    .regex(/^\d+\.\d+$/, "must be two numbers with a dot between them (Basic Information page of the Slack app)")
    .optional(),
  SLACK_CLIENT_SECRET: secret(
    /^\S{16,}$/,
    "must be the app's client secret, at least 16 characters (Basic Information page of the Slack app)",
  ),
  SLACK_APP_ID: z
    .string()
    .regex(/^A[A-Z0-9]+$/, "must be the app's id, which begins with A (Basic Information page)")
    .optional(),
  SLACK_API_URL: url.optional(),
  DATABASE_URL: secret(/^postgres(ql)?:\/\/\S+$/, "must begin with postgres://"),
  OPENAI_API_KEY: secret(/^\S+$/, "must not hold blanks"),
  OPENAI_BASE_URL: url.optional(),
  OPENAI_MODEL: z.string().default("gpt-4.1-mini"),
  OPENAI_FALLBACK_MODEL: z.string().optional(),
  FOOTNOTE_MODELS: separated,
  FOOTNOTE_FALLBACK_BASE_URL: url.optional(),
  FOOTNOTE_FALLBACK_API_KEY: secret(/^\S+$/, "must not hold blanks"),
  FOOTNOTE_CONTEXT_TOKENS: whole(2_000, 10_000_000, 128_000),
  MEILI_URL: url.optional(),
  MEILI_KEY: secret(/^\S+$/, "must not hold blanks"),
  MEILI_SEARCH_KEY: secret(/^\S+$/, "must not hold blanks"),
  MEILI_SEARCH_KEY_ID: z.uuid({ error: "must be the key's uid, which GET /keys shows" }).optional(),
  FOOTNOTE_HOME: z.string().default(".footnote"),
  FOOTNOTE_LOG_LEVEL: choice(["debug", "info", "warn", "error", "silent"]).default("info"),
  FOOTNOTE_MIGRATE_DATABASE_URL: secret(/^postgres(ql)?:\/\/\S+$/, "must begin with postgres://"),
  FOOTNOTE_DATABASE_POOL: whole(2, 200, 10),
  FOOTNOTE_SECRET_KEYS: z.string().optional(),
  FOOTNOTE_WORKSPACES_FILE: z.string().optional(),
  FOOTNOTE_INSTALL_ALLOWED: z
    .string()
    .optional()
    .transform((list) => list?.split(",").map((id) => id.trim()))
    .pipe(
      z
        .array(z.string().regex(/^[TE][A-Z0-9]+$/, "must be Slack's ids of workspaces (T...) or organisations (E...), separated by commas"))
        .optional(),
    ),
  FOOTNOTE_SLACK_MODE: choice(["socket", "http"]).optional(),
  FOOTNOTE_SLACK_STREAMING: choice(["auto", "off"]).default("auto"),
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
  FOOTNOTE_SLACK_LIMITS_FACTOR: whole(1, 1000, 1),
  FOOTNOTE_THREAD_QUESTIONS: whole(1, 1000, 4),
  FOOTNOTE_TENANT_QUESTIONS: whole(1, 100_000, 100),
  FOOTNOTE_TOTAL_QUESTIONS: whole(1, 1_000_000, 2_000),
  FOOTNOTE_SHUTDOWN_SECONDS: whole(1, 600, 25),
  FOOTNOTE_PURGE_DAYS: whole(0, 3650, 30),
  FOOTNOTE_API_PER_MINUTE: whole(1, 10_000, 10),
  FOOTNOTE_API_AT_ONCE: whole(1, 1_000, 2),
  FOOTNOTE_PLUGINS: z.string().optional(),
  FOOTNOTE_WORKSPACE_SETTINGS_FILE: z.string().optional(),
  FOOTNOTE_INTERNAL_ORIGINS: origins,
  FOOTNOTE_GIT_FOLDERS: folders,
  FOOTNOTE_MCP_FILE: z.string().optional(),
  FOOTNOTE_WORKSPACE_MCP_SERVERS: whole(0, 100, 10),
  FOOTNOTE_WORKSPACE_MCP_ORIGINS: origins,
});

export type Variables = z.infer<typeof variables>;
