import { stat } from "node:fs/promises";
import { join } from "node:path";
import { checkModel } from "../agent/model/check-model.ts";
import { checkPort } from "../api/check-port.ts";
import { checkAppToken, checkBotToken, checkOAuth, type SlackChecks } from "../bot/workspace/check-slack.ts";
import type { Config, SlackConfig } from "../config.ts";
import { type Check, failed, checked as guarded, ok, warning } from "../core/check.ts";
import type { Clock } from "../core/clock.ts";
import { silentLogger } from "../core/logger.ts";
import { createLibrary } from "../knowledge/create-library.ts";
import { checkEmbedder } from "../knowledge/embedder/check-embedder.ts";
import { checkMeilisearch } from "../knowledge/full-text/meilisearch/check-meilisearch.ts";
import { MeiliServer } from "../knowledge/full-text/meilisearch/meili-server.ts";
import type { Operations } from "../operations.ts";
import { createSafeFetch } from "../safe-fetch/safe-fetch.ts";
import { checkClosedDatabase } from "../store/check-closed.ts";
import { checkHome, checkKeyRing } from "../store/check-home.ts";
import { Database } from "../store/database.ts";
import { loadKeyRing } from "../store/key-ring.ts";
import { Sealing } from "../store/sealing.ts";
import { createStore } from "../store/store.ts";
import { checkStored } from "./check-stored.ts";
import { embedderFor } from "./embedder.ts";
import { allPlugins } from "./plugins.ts";

export interface DiagnoseParts {
  readonly config: Config;
  /** The program that runs on the data folder, if one does: it alone can look into what it holds open. */
  readonly running: Operations | undefined;
  readonly clock: Clock;
}

/**
 * Looks at everything the program needs, each thing by itself, so that one that is broken hides no other. Makes nothing and changes
 * nothing; sends one request each to the model, the embedder and Slack.
 */
export async function diagnose({ config, running, clock }: DiagnoseParts): Promise<readonly Check[]> {
  const { home, slack } = config;
  const checked = (name: string, look: () => Promise<readonly Check[]>) => checkedWithin(patienceMs, name, look, clock);
  // First of all: looking into the database locks the folder.
  const folder = await checked("Data folder", () => checkHome(home, { running: running !== undefined }));
  const groups = await Promise.all([
    checked("Key ring", () => checkKeyRing(config.secretKeys, home)),
    checked("Database", () => (running ? running.diagnose() : closedDatabase(config, clock))),
    checked("Embedder", () => embedder(config, clock)),
    checked("Meilisearch", () => meilisearch(config, clock)),
    checked("Model", () => models(config, clock)),
    checked("Plugins", () => pluginPackages(config, clock)),
    checked("Slack", () => (slack ? slackApp(config, slack, { apiUrl: slack.apiUrl, clock }) : playground(config))),
    running ? [] : checked("Ports", () => ports(config)),
  ]);
  return oncePerName([...folder, ...groups.flat()]);
}

/** Longest any check may take: more than the model, which may have to be loaded first. */
const patienceMs = 75_000;

/** A check that hangs (a database that is stuck, a program that does not answer) must not keep the others from being shown. */
async function checkedWithin(ms: number, name: string, look: () => Promise<readonly Check[]>, clock: Clock): Promise<readonly Check[]> {
  const done = new AbortController();
  const said = `There was no result within ${ms / 1000} s.`;
  const late = clock.sleep(ms, done.signal).then(
    () => [failed(name, said, "Restart the program or the service behind it, and look at its log.")],
    () => [],
  );
  try {
    return await Promise.race([guarded(name, look), late]);
  } finally {
    done.abort();
  }
}

/** Of checks with one name the gravest: a workspace may be known from the configuration and from the store, a clock from every reply. */
function oncePerName(checks: readonly Check[]): readonly Check[] {
  const gravity = { ok: 0, warning: 1, failed: 2 };
  const gravest = new Map<string, Check>();
  for (const check of checks) {
    const known = gravest.get(check.name);
    if (!known || gravity[check.status] > gravity[known.status]) gravest.set(check.name, check);
  }
  return [...gravest.values()];
}

/** The database, and the workspaces in it. These are looked at only when opening it as the program does would change nothing. */
async function closedDatabase({ database: { url }, home, slack, secretKeys }: Config, clock: Clock): Promise<readonly Check[]> {
  const options = { url, home, clock, log: silentLogger };
  const checks = await checkClosedDatabase(options);
  const upToDate = checks.some(({ name, summary }) => name === "Schema" && summary.startsWith("Up to date"));
  const keys = secretKeys !== undefined || (await stat(join(home, "secret-keys.json")).catch(() => undefined)) !== undefined;
  if (!slack || !upToDate || !keys || checks.some(({ status }) => status === "failed")) return checks;
  const ring = await loadKeyRing(secretKeys, home);
  const database = await Database.open({ ...options, poolSize: 2 });
  try {
    return [
      ...checks,
      ...(await checkStored(createStore(database, new Sealing(ring), []), {
        apiUrl: slack.apiUrl,
        clock,
        renews: slack.oauth !== undefined,
      })),
    ];
  } finally {
    await database.close();
  }
}

async function embedder({ embedder: config }: Config, clock: Clock): Promise<readonly Check[]> {
  const opened = embedderFor(config);
  try {
    return [await checkEmbedder(opened, clock)];
  } finally {
    await opened.close();
  }
}

async function meilisearch({ meilisearch: config }: Config, clock: Clock): Promise<readonly Check[]> {
  return config ? [await checkMeilisearch(new MeiliServer({ ...config, clock }))] : [];
}

async function models({ model }: Config, clock: Clock): Promise<readonly Check[]> {
  if (!model) return [ok("Model", "None is configured (OPENAI_BASE_URL or OPENAI_API_KEY): the offline answerer quotes the documents.")];
  const baseUrl = "https://api.openai.com/v1";
  const { fallback } = model;
  return Promise.all([
    checkModel("Model", { baseUrl, ...model }, clock),
    ...(fallback ? [checkModel("Fallback model", { baseUrl, ...fallback }, clock)] : []),
  ]);
}

async function pluginPackages(config: Config, clock: Clock): Promise<readonly Check[]> {
  const nothing = { forTenant: () => Promise.reject(new Error("The doctor reads no documents.")) };
  const idle = embedderFor(config.embedder);
  const library = createLibrary({ storage: nothing as never, embedder: () => idle, log: silentLogger });
  const safeFetch = createSafeFetch({ clock });
  const pageReader = { extract: () => Promise.reject(new Error("The doctor reads no pages.")) };
  const all = await allPlugins(config, { library, safeFetch, pageReader }, [], clock);
  const packages = all.filter((plugin) => plugin.package !== undefined).length;
  const tools = all.flatMap((plugin) => plugin.tools).length;
  return [ok("Plugins", `${all.length} with ${tools} tools${packages > 0 ? `, ${packages} of them from packages` : ""}.`)];
}

async function slackApp({ slackMode, http }: Config, slack: SlackConfig, checks: SlackChecks): Promise<readonly Check[]> {
  const tokens = await Promise.all(slack.workspaces.map(({ botToken, name }) => checkBotToken(botToken, name, checks)));
  const app =
    slackMode === "socket" && slack.appToken
      ? await checkAppToken(slack.appToken, checks)
      : ok("Slack app", "The signing secret is set; Slack must post to /slack/events of the public address.");
  const address = publicAddress(http.publicUrl, slackMode);
  if (!slack.oauth || !http.publicUrl) return [app, ...tokens.flat(), address];
  const installing = await checkOAuth(slack.oauth, `${http.publicUrl}/slack/install`, checks);
  return [app, ...tokens.flat(), http.publicUrl.startsWith("https:") ? address : notSecret(http.publicUrl), installing];
}

const notSecret = (publicUrl: string): Check =>
  warning(
    "Public address",
    `It is ${publicUrl}: Slack sends browsers back from an installation to https addresses alone.`,
    "Put a proxy with a certificate in front of the program, and set FOOTNOTE_PUBLIC_URL to its https address.",
  );

function publicAddress(publicUrl: string | undefined, mode: Config["slackMode"]): Check {
  if (publicUrl) return ok("Public address", `People and Slack reach this program at ${publicUrl}.`);
  const consequence = mode === "http" ? ", and Slack cannot post events to it" : "";
  return warning(
    "Public address",
    `It is not set: links to sources open on this machine alone${consequence}.`,
    "Set FOOTNOTE_PUBLIC_URL to the address under which people reach this program.",
  );
}

async function playground({ playground: { enabled } }: Config): Promise<readonly Check[]> {
  if (enabled) return [ok("Slack", "No Slack app is configured: the playground stands in for it.")];
  const mend = "Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN (docs/operating.md), or FOOTNOTE_PLAYGROUND=on.";
  return [failed("Slack", "No Slack app is configured and the playground is off.", mend)];
}

async function ports({ http, slack, playground: { enabled, port } }: Config): Promise<readonly Check[]> {
  return Promise.all([
    checkPort("HTTP port", http, "FOOTNOTE_PORT"),
    ...(!slack && enabled ? [checkPort("Playground port", { host: "127.0.0.1", port }, "FOOTNOTE_PLAYGROUND_PORT")] : []),
  ]);
}
