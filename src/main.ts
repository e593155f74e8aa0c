#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { App } from "./app.ts";
import { connectToRunning } from "./cli/control-client.ts";
import { startControlServer } from "./cli/control-server.ts";
import type { McpServing } from "./cli/mcp-serving.ts";
import { onDefect, stopSignal } from "./cli/process-signals.ts";
import { commandLine } from "./cli/program.ts";
import { type Config, loadConfig, type SlackConfig } from "./config.ts";
import { type Check, failedBy, ok } from "./core/check.ts";
import { systemClock } from "./core/clock.ts";
import { AppError, messageOf } from "./core/errors.ts";
import { createLogger, type Logger } from "./core/logger.ts";
import { Secret } from "./core/secret.ts";

/** The program with its Slack: the configured one, or the playground. */
interface Opened {
  readonly app: App;
  readonly slack: SlackConfig;
  /** Address of the playground's page, when that is the Slack. */
  readonly pageUrl?: string;
  /** Tells the playground where to post events, when they come over HTTP. */
  deliverTo?(url: string): void;
  close(): Promise<void>;
}

/** The repository's root, seen from the compiled program. */
const root = new URL("../../", import.meta.url);
const inRoot = (path: string) => fileURLToPath(new URL(path, root));

/** Opens everything that does not receive: the database, the workspaces, and without a Slack app the playground with its documents. */
async function open(config: Config, log: Logger, playgroundPort: number, { register = true } = {}): Promise<Opened> {
  const { openApp } = await import("./app.ts");
  const parts = { config, clock: systemClock, log };
  if (config.slack) {
    const app = await openApp({ ...parts, slackApiUrl: config.slack.apiUrl, oauth: config.slack.oauth });
    if (register) await closeOnFailure(app, app.register(config.slack));
    return { app, slack: config.slack, close: () => app.close() };
  }
  if (!config.playground.enabled)
    throw new AppError("CONFIG_INVALID", "No Slack app is configured and the playground is off. Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN.");
  return openWithPlayground(config, log, playgroundPort);
}

async function openWithPlayground(config: Config, log: Logger, port: number): Promise<Opened> {
  const [{ openApp }, { startPlayground }, { ingestSeedDocuments }] = await Promise.all([
    import("./app.ts"),
    import("../playground/server/start.ts"),
    import("../playground/server/seed-documents.ts"),
  ]);
  const playground = await startPlayground({ port, uiDir: inRoot("dist/playground/ui") });
  const slack: SlackConfig = {
    appToken: new Secret(playground.appToken),
    signingSecret: new Secret(playground.signingSecret),
    apiUrl: playground.apiUrl,
    workspaces: ["acme", "globex"].map((name) => ({ name, botToken: new Secret(playground.workspace(name).botToken) })),
  };
  try {
    const { clientId, clientSecret, claimedAppId: appId } = playground.oauth;
    const oauth = { clientId, clientSecret: new Secret(clientSecret), appId };
    const app = await openApp({ config, slackApiUrl: playground.apiUrl, oauth, clock: systemClock, log });
    const prepared = app
      .register(slack)
      .then(() =>
        ingestSeedDocuments(inRoot("playground/seed"), (request) => app.operations.ingest(request, () => {}, new AbortController().signal)),
      );
    await closeOnFailure(app, prepared);
    const close = async () => {
      await app.close();
      await playground.stop();
    };
    const deliverTo = (url: string) => void playground.deliverBy({ mode: "http", url });
    return { app, slack, pageUrl: playground.pageUrl, deliverTo, close };
  } catch (thrown) {
    await playground.stop();
    throw thrown;
  }
}

async function closeOnFailure(app: App, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
}

/** Runs until it is told to stop. */
async function start(config: Config, log: Logger): Promise<void> {
  const stop = stopSignal();
  const opened = await open(config, log, config.playground.port);
  const { app, slack, pageUrl } = opened;
  try {
    const server = await app.listen();
    if (config.slackMode === "http") opened.deliverTo?.(`${server.url}/slack/events`);
    const control = await startControlServer(config.home, app.operations, log);
    await app.receive(slack);
    const workspaces = await app.operations.workspaces();
    log.info("Ready.", { count: workspaces.length, url: server.url });
    process.stdout.write(
      pageUrl
        ? `Footnote is ready. Open ${pageUrl} and ask: @footnote What is our parental leave?\n`
        : `Footnote is ready in ${workspaces.map(({ name }) => name).join(", ") || "no workspace yet: add one with footnote workspace add"}.\n`,
    );
    app.warm();
    await stop;
    log.info("Stopping.");
    await control.close();
  } finally {
    await opened.close();
  }
}

/** The operations of the running program, or of one opened for a single command. */
async function connect(config: Config, log: Logger, options: { readonly register: boolean }) {
  const running = await connectToRunning(config.home);
  if (running) return { operations: running, close: async () => {} };
  // A free port: the playground's own one may belong to somebody else while nothing of ours runs.
  const { app, close } = await open(config, log, 0, options);
  return { operations: app.operations, close };
}

async function migrate({ database, embedder }: Config, log: Logger): Promise<void> {
  if (!database.migrateUrl)
    throw new AppError("CONFIG_INVALID", "FOOTNOTE_MIGRATE_DATABASE_URL is missing: the address of the schema's owner.");
  const { embedderFor, mendServerIndexes, migrateServer } = await import("./app.ts");
  const done = await migrateServer(database.migrateUrl, log);
  process.stdout.write(done.length > 0 ? `Migrated: ${done.join(", ")}\n` : "Up to date.\n");
  const { id: model, dimensions } = embedderFor(embedder);
  const { made, dropped } = await mendServerIndexes(database.migrateUrl, { model, dimensions });
  if (made.length > 0) process.stdout.write(`Indexes of embedding models made: ${made.join(", ")}\n`);
  if (dropped.length > 0) process.stdout.write(`Indexes that nothing uses dropped: ${dropped.join(", ")}\n`);
}

/** Offers tools to other programs until they go away or the operator ends it. Standard output is theirs. */
async function serveMcp(
  serving: McpServing,
  { config, log, signal }: { readonly config: Config; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { listenForWebSearch, serveWebSearch, servePersonTools } = await import("./app.ts");
  if (serving.kind === "person") {
    const { operations, close } = await connect(config, log, { register: true });
    await servePersonTools(operations, serving, signal).finally(close);
    return;
  }
  const parts = { config, clock: systemClock, log };
  if (serving.port === undefined) return serveWebSearch(parts, signal);
  const written = serving.keyFile === undefined ? undefined : (await readFile(serving.keyFile, "utf8")).trim();
  if (written === "") throw new AppError("CONFIG_INVALID", `${serving.keyFile} is empty: it must hold the key that others show.`);
  const key = written === undefined ? undefined : new Secret(written);
  const server = await listenForWebSearch(parts, { port: serving.port, key });
  process.stdout.write(`Web search is offered at ${server.url}.\n`);
  await stopped(signal);
  await server.close();
}

/** Resolves when the signal aborts or the program is told to stop. */
const stopped = (signal: AbortSignal): Promise<void> =>
  Promise.race([stopSignal(), new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))]);

/** Works when nothing works: not the configuration, not the running program, not this user's right to talk to it. */
async function doctor({ config, mistake }: Loaded): Promise<readonly Check[]> {
  if (!config) return [failedBy("Configuration", mistake)];
  const { diagnose } = await import("./app.ts");
  const running = await connectToRunning(config.home).catch(() => undefined);
  return [ok("Configuration", "It has no mistakes."), ...(await diagnose({ config, running, clock: systemClock }))];
}

/** The configuration, or why there is none: one command has something to say even then. */
type Loaded = { readonly config: Config; readonly mistake?: undefined } | { readonly config?: undefined; readonly mistake: unknown };

function tryLoading(): Loaded {
  try {
    return { config: loadConfig() };
  } catch (mistake) {
    return { mistake };
  }
}

/** Commands that have something to say even when the configuration has mistakes. */
const withoutConfig: readonly (string | undefined)[] = ["doctor", "manifest"];

async function main(argv: readonly string[]): Promise<number> {
  const loaded = tryLoading();
  const config = () => {
    if (!loaded.config) throw loaded.mistake;
    return loaded.config;
  };
  const { logLevel } = withoutConfig.includes(argv[0]) ? { logLevel: "silent" as const } : config();
  // One-off commands speak through their output; the log is for what goes wrong.
  const log = createLogger(argv[0] === "start" || logLevel === "silent" || logLevel === "debug" ? logLevel : "warn");
  onDefect(log);
  const giveUp = new AbortController();
  if (argv[0] !== "start") process.once("SIGINT", () => giveUp.abort(new AppError("CANCELLED")));
  return commandLine({
    config: loaded.config ?? { callerFolder: process.cwd() },
    out: process.stdout,
    side: process.stderr,
    signal: giveUp.signal,
    // Adding a workspace again is how one recovers from lost keys, so that command must not need the old ones.
    connect: () => connect(config(), log, { register: argv[0] !== "workspace" }),
    start: () => start(config(), log),
    migrate: () => migrate(config(), log),
    doctor: () => doctor(loaded),
    manifest: () => readFile(inRoot("manifest.yml"), "utf8"),
    serveMcp: (serving) => serveMcp(serving, { config: config(), log, signal: giveUp.signal }),
    installModel: async ({ model, from }, onProgress) => {
      const { installModel, modelsFolder } = await import("./app.ts");
      const host = from === undefined ? {} : { host: from.replace(/\/$/, "") };
      return (await installModel({ model, parent: modelsFolder(config()), ...host, signal: giveUp.signal, onProgress })).name;
    },
    evaluate: async (request, onProgress) => {
      const { evaluateSets } = await import("./app.ts");
      return await evaluateSets(request, { config: config(), clock: systemClock, signal: giveUp.signal, onProgress });
    },
  }).run(argv);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`);
  process.exitCode = 1;
}
