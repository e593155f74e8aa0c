import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServerDatabase } from "../../test/fakes/server-database.ts";
import { root } from "./harness.ts";

/** The ways in which Footnote is measured: its database, and how events come in. */
export const variants = {
  "footnote-embedded": { database: "embedded", transport: "http" },
  "footnote-postgres": { database: "postgres", transport: "http" },
  "footnote-socket": { database: "embedded", transport: "socket" },
  "footnote-socket-postgres": { database: "postgres", transport: "socket" },
} as const;

export type Variant = keyof typeof variants;
export const isVariant = (name: string): name is Variant => name in variants;

/** Limits that are raised for the bench, by configuration alone: 200 answers are in progress at once, over four workspaces. */
export const raisedLimits = {
  FOOTNOTE_TENANT_ANSWERS: "1000",
  FOOTNOTE_PROCESS_ANSWERS: "1000",
  FOOTNOTE_THREAD_QUESTIONS: "100",
  FOOTNOTE_TENANT_QUESTIONS: "1000",
} as const;

/**
 * Where the harness's Slack has no rate limits, as in most of its loads, holding back would measure only how long the bot waits for
 * limits that are not there.
 */
export const raisedWhereSlackHasNoLimits = { FOOTNOTE_SLACK_LIMITS_FACTOR: "1000" } as const;

/** A bot as the harness starts it. What is in ${...} is the harness's to fill in. */
export interface Peer {
  readonly file: string;
  /** Takes away what was made for the run. */
  clear(): Promise<void>;
}

export interface Surroundings {
  /** How many workspaces there are. */
  readonly teams: number;
  /** Whether the harness's Slack keeps to Slack's documented rate limits. */
  readonly limited: boolean;
  /** Address of a Postgres superuser, for the variants on a server. */
  readonly serverUrl: string | undefined;
  /** Folder for a profile of its processor time, if one is wanted. */
  readonly cpuProfile?: string;
}

/**
 * The built bot as a peer of the harness, with a data folder or a database of its own, used once.
 * @param folder where the run's files go
 */
export async function footnotePeer(name: Variant, folder: string, { teams, limited, serverUrl, cpuProfile }: Surroundings): Promise<Peer> {
  const { database, transport } = variants[name];
  const server = database === "postgres" ? await createServerDatabase(required(serverUrl)) : undefined;
  const workspaces = join(folder, "workspaces.json");
  const tokens = Array.from({ length: teams }, (_, index) => {
    const team = `T${String(index + 1).padStart(8, "0")}`;
    return { name: team.toLowerCase(), botToken: `xoxb-${team}-harness` };
  });
  await writeFile(workspaces, JSON.stringify(tokens));
  const ring = { active: "bench", keys: { bench: randomBytes(32).toString("base64") } };
  const env = {
    ...raisedLimits,
    ...(!limited && raisedWhereSlackHasNoLimits),
    FOOTNOTE_HOME: join(folder, "home"),
    FOOTNOTE_PLAYGROUND: "off",
    FOOTNOTE_PORT: filledIn("PORT"),
    FOOTNOTE_SECRET_KEYS: JSON.stringify(ring),
    FOOTNOTE_WORKSPACES_FILE: workspaces,
    FOOTNOTE_SLACK_MODE: transport,
    FOOTNOTE_PLUGINS: join(root, "bench", "plugin"),
    FOOTNOTE_PLUGIN_BENCH_URL: filledIn("TOOLS_URL"),
    SLACK_API_URL: filledIn("SLACK_URL"),
    ...(transport === "http" ? { SLACK_SIGNING_SECRET: filledIn("SIGNING_SECRET") } : { SLACK_APP_TOKEN: filledIn("APP_TOKEN") }),
    OPENAI_BASE_URL: filledIn("LLM_URL"),
    OPENAI_MODEL: "fake-model",
    ...(server && { DATABASE_URL: server.url.reveal() }),
  };
  const file = join(folder, `${name}.json`);
  const main = join(root, "dist", "src", "main.js");
  const profiling = cpuProfile ? ["--cpu-prof", `--cpu-prof-dir=${cpuProfile}`] : [];
  const command = ["node", ...profiling, main, "start"];
  const hints = { toolHints: ["bench_tool"], kinds: ["app_mention", "message"], eventsPath: "/slack/events" };
  await writeFile(file, JSON.stringify({ name, command, cwd: ".", transport, ...hints, env }));
  return { file, clear: async () => server?.drop() };
}

function required(url: string | undefined): string {
  if (!url) throw new Error("There is no Postgres server: set FOOTNOTE_TEST_DATABASE_URL.");
  return url;
}

/** A value that only the harness knows. */
const filledIn = (name: string): string => `$\{${name}}`;
