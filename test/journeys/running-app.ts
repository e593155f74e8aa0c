import { rm } from "node:fs/promises";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed, type SlackSeed } from "../../playground/server/seed.ts";
import { ingestSeedDocuments } from "../../playground/server/seed-documents.ts";
import { type App, openApp } from "../../src/app.ts";
import { loadConfig, type SlackConfig } from "../../src/config.ts";
import { systemClock } from "../../src/core/clock.ts";
import { type Logger, silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { makeTestDataFolder } from "../fakes/data-folder.ts";
import { placeDatabase } from "../fakes/migrated-template.ts";
import { createServerDatabase } from "../fakes/server-database.ts";
import { type DatabaseKind, serverUrl } from "../fakes/test-database.ts";
import { placeSeededHome } from "./seeded-home.ts";

/** Slack waits three seconds for an acknowledgement and for a modal; that is tested elsewhere, and a busy machine may need longer. Then as in Slack. */
const patientSlack = [60_000, 0, 60_000, 300_000];

export interface RunningApp {
  readonly app: App;
  readonly slack: FakeSlack;
  /** The address of the program's own HTTP server. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly mode?: "socket" | "http";
  /** An OpenAI-compatible server; the offline answerer without one. */
  readonly modelUrl?: string;
  readonly morePlugins?: readonly Plugin[];
  /** Whether the playground's handbooks are read in. */
  readonly documents?: boolean;
  readonly database?: DatabaseKind;
  /** The workspaces there are; the playground's unless given. */
  readonly seed?: SlackSeed;
  readonly log?: Logger;
  /** Names of the workspaces that the operator has configured; all of the seed unless given. */
  readonly configured?: readonly string[];
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The whole program in this process, on a data folder of its own, connected to a fake Slack as it would be to Slack. */
export async function runApp(options: RunOptions = {}): Promise<RunningApp> {
  const {
    mode = "socket",
    modelUrl,
    morePlugins = [],
    documents = true,
    database = "embedded",
    seed = defaultSeed,
    log = silentLogger,
    configured,
    environment = {},
  } = options;
  const home = await makeTestDataFolder("footnote-journey-");
  const server = database === "server" && serverUrl ? await createServerDatabase(serverUrl) : undefined;
  if (!server) await (documents && seed === defaultSeed ? placeSeededHome(home, readHandbooks) : placeDatabase(home));
  const slack = await FakeSlack.start({ seed, retryDelaysMs: patientSlack, triggerLifeMs: 300_000 });
  const config = loadConfig({
    FOOTNOTE_HOME: home,
    FOOTNOTE_PORT: "0",
    FOOTNOTE_SLACK_MODE: mode,
    ...(modelUrl && { OPENAI_BASE_URL: modelUrl }),
    ...environment,
    ...(server && { DATABASE_URL: server.url.reveal() }),
  });
  const { clientId, clientSecret, claimedAppId: appId } = slack.oauth;
  const oauth = { clientId, clientSecret: new Secret(clientSecret), appId };
  const app = await openApp({ config, slackApiUrl: slack.apiUrl, oauth, morePlugins, clock: systemClock, log });
  const connection = slackConfig(slack, configured);
  await app.register(connection);
  if (documents) await ingestHandbooks(app);
  const { url } = await app.listen();
  if (mode === "http") slack.deliverBy({ mode, url: `${url}/slack/events` });
  await app.receive(connection);
  return {
    app,
    slack,
    url,
    stop: async () => {
      await app.close();
      await slack.stop();
      await server?.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Rejects when a document could not be read: no journey, and no copied folder, may go without it. */
const ingestHandbooks = (app: App): Promise<void> =>
  ingestSeedDocuments("playground/seed", async (request) => {
    const { files } = await app.operations.ingest(request, () => {}, new AbortController().signal);
    for (const { path, status, reason } of files) if (status === "failed") throw new Error(`${path}: ${reason}`);
  });

/** Makes a data folder in which the handbooks are read in, so that a journey finds them unchanged. */
async function readHandbooks(home: string): Promise<void> {
  await placeDatabase(home);
  const slack = await FakeSlack.start({ seed: defaultSeed });
  const config = loadConfig({ FOOTNOTE_HOME: home });
  const app = await openApp({ config, slackApiUrl: slack.apiUrl, clock: systemClock, log: silentLogger });
  await app.register(slackConfig(slack));
  await ingestHandbooks(app);
  await app.close();
  await slack.stop();
}

/** What an operator would configure for this Slack. */
const slackConfig = (slack: FakeSlack, configured: readonly string[] = slack.state.workspaces.map(({ name }) => name)): SlackConfig => ({
  appToken: new Secret(slack.appToken),
  signingSecret: new Secret(slack.signingSecret),
  apiUrl: slack.apiUrl,
  workspaces: configured.map((name) => ({ name, botToken: new Secret(slack.workspace(name).botToken) })),
});
