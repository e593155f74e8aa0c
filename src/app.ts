import { hkdfSync } from "node:crypto";
import { AgentClient } from "./agent/client.ts";
import { defaultLimits } from "./agent/limits.ts";
import { configuredModels } from "./agent/model/configured.ts";
import { AskDoor } from "./api/ask-door.ts";
import { AssistantOperator } from "./api/assistant-operator.ts";
import { healthRoutes } from "./api/health.ts";
import { type HttpServer, type Route, startHttpServer } from "./api/http-server.ts";
import { Operator, type Workspace } from "./api/operator.ts";
import { SourceLinkSigner } from "./api/source-links.ts";
import { sourcePageRoutes } from "./api/source-page.ts";
import { checkStored } from "./app/check-stored.ts";
import { embedderFor } from "./app/embedder.ts";
import { allPlugins } from "./app/plugins.ts";
import { Commands } from "./bot/commands/commands.ts";
import { ReplyRules } from "./bot/commands/reply-rules.ts";
import { responder } from "./bot/commands/response-url.ts";
import { Inbox } from "./bot/in/inbox.ts";
import { createSlackApp, type SlackApp, slackPath } from "./bot/in/slack-app.ts";
import { SlackStream } from "./bot/out/slack-stream.ts";
import { notice } from "./bot/out/views/notices.ts";
import { english as words } from "./bot/out/views/words.ts";
import { prepareTurn } from "./bot/turns/prepare-turn.ts";
import { ThreadMemory } from "./bot/turns/thread-memory.ts";
import { Turns } from "./bot/turns/turns.ts";
import { cachedInstallations, type Installation } from "./bot/workspace/installations.ts";
import { tokenOwner } from "./bot/workspace/register-workspace.ts";
import { TenantSlackPool } from "./bot/workspace/tenant-slack.ts";
import type { Config, SlackConfig } from "./config.ts";
import { ok } from "./core/check.ts";
import type { Clock } from "./core/clock.ts";
import { AppError } from "./core/errors.ts";
import { personId, type TenantId } from "./core/ids.ts";
import type { Logger } from "./core/logger.ts";
import { Secret } from "./core/secret.ts";
import { createLibrary } from "./knowledge/create-library.ts";
import { createIngestion } from "./knowledge/ingest/pipeline.ts";
import { createExtractor } from "./knowledge/ingest/reader/extractor.ts";
import type { Operations } from "./operations.ts";
import type { Plugin } from "./plugins/contract.ts";
import { Registry } from "./plugins/registry.ts";
import { Database } from "./store/database.ts";
import { type KeyRing, loadKeyRing } from "./store/key-ring.ts";
import { Sealing } from "./store/sealing.ts";
import { createStore, type Store } from "./store/store.ts";

export { diagnose } from "./app/diagnose.ts";
export { migrateServer } from "./store/migrate.ts";

/** The program, put together. */
export interface App {
  readonly operations: Operations;
  /** Opens the HTTP server (source pages, health, Slack's requests). */
  listen(): Promise<HttpServer>;
  /** Registers the configured workspaces; a workspace whose token Slack refuses is reported and left out. */
  register(slack: SlackConfig): Promise<void>;
  /** Receives from Slack and works questions off. */
  receive(slack: SlackConfig): Promise<void>;
  /** Drains: no new questions, running answers get their time, then everything is closed. */
  close(): Promise<void>;
}

export interface AppParts {
  readonly config: Config;
  /** Where the Web API is; Slack itself when absent. Known late when the playground is started first. */
  readonly slackApiUrl: string | undefined;
  /** Plugins beside those of this project. */
  readonly morePlugins?: readonly Plugin[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** The composition root: the only file that knows every part. Opens the database; receives nothing yet. */
export async function openApp({ config, slackApiUrl: apiUrl, morePlugins = [], clock, log }: AppParts): Promise<App> {
  const embedder = embedderFor(config.embedder);
  const knowledge = { forTenant: (tenant: TenantId) => store.forTenant(tenant) };
  const library = createLibrary({ storage: knowledge, embedder, log });
  // Before anything is opened: a plugin with a mistake keeps the program from starting.
  const registry = new Registry(await allPlugins(config, { library }, morePlugins, clock));

  const ring = await loadKeyRing(config.secretKeys, config.home);
  const database = await Database.open({ url: config.database.url, home: config.home, clock, log, poolSize: config.database.poolSize });
  const extractor = createExtractor(clock);
  const store = createStore(
    database,
    new Sealing(ring),
    registry.all().map(({ name }) => name),
  );
  const ingestion = createIngestion({ storage: knowledge, embedder, extractor, clock, log });

  let server: HttpServer | undefined;
  let slackApp: SlackApp | undefined;
  let ready = false;
  const publicUrl = () => config.http.publicUrl ?? server?.url ?? `http://${config.http.host}:${config.http.port}`;
  const links = new SourceLinkSigner(linkKey(ring), publicUrl, clock);
  const pool = new TenantSlackPool({
    installationOf: (tenant) => installationOf(store, tenant),
    apiUrl,
    limitsFactor: config.limits.slackFactor,
    clock,
    log,
  });

  const models = configuredModels(config.model, clock, log);

  const agent = new AgentClient({
    registry,
    model: () => models.usual,
    namedModel: models.named,
    clock,
    log,
    limits: limitsFor(config),
    forTenant: (tenant) => {
      const { choices, templates, threads, summaries, traces } = store.forTenant(tenant);
      const { directory, bot } = pool.loaded(tenant);
      const memory = new ThreadMemory(threads, directory, bot);
      return { directory, choices, templates, threads: memory, summaries, traces, links: links.forTenant(tenant) };
    },
  });

  const turns = new Turns(
    {
      queue: store.queue,
      turnsOf: (tenant) => store.forTenant(tenant).turns,
      prepare: async (tenant, turn) => {
        const { directory, reader, bot } = await pool.load(tenant);
        const { threads } = store.forTenant(tenant);
        return prepareTurn(turn, { directory, rows: threads, slack: reader, bot, counterQuestion: words.askWhat, log });
      },
      ask: (question, sink, signal) => agent.ask(question, sink, signal),
      openSink: (target, journal) => {
        const { writer, teamId } = pool.loaded(target.tenant);
        const reader = { ...target, recipientTeam: target.recipientTeam ?? teamId };
        return new SlackStream(reader, journal, { writer, clock, log, words, streaming: config.slackStreaming });
      },
      clock,
      log,
    },
    { perTenant: config.limits.tenantAnswers, perProcess: config.limits.processAnswers },
  );

  const inbox = new Inbox({
    turnsOf: (tenant) => store.forTenant(tenant).turns,
    nudge: () => turns.nudge(),
    limits: config.limits.queue,
    refuse: async (tenant, { channel, person, thread }) => {
      const { writer } = await pool.load(tenant);
      await writer.postEphemeral(channel, person, notice(words.queueFull), thread);
    },
    log,
  });

  const tools = registry.all();
  const replyRules = new ReplyRules((tenant) => store.forTenant(tenant).templates);
  const templateChanged = replyRules.forget.bind(replyRules);
  const commands = new Commands({
    desk: async (tenant) => {
      const { commands, templates, choices } = store.forTenant(tenant);
      const { directory, writer } = await pool.load(tenant);
      return { commands, templates, choices, directory, writer };
    },
    tools,
    models: models.names,
    inbox,
    respond: responder(apiUrl),
    templateChanged,
    log,
  });

  const addWorkspace = async ({ name, botToken }: { readonly name?: string; readonly botToken: string }): Promise<Workspace> => {
    const token = new Secret(botToken);
    const owner = await tokenOwner(token, log, apiUrl);
    const tenant = await store.tenants.save({
      slackTeamId: owner.teamId,
      slackEnterpriseId: owner.enterpriseId,
      name: name ?? owner.teamName,
    });
    const { botUserId, botId, scopes } = owner;
    await store.forTenant(tenant.id).installation.save({ botUserId, botId, appId: "", token, scopes, installedAt: clock.now() });
    pool.changed(tenant.id);
    return { tenant: tenant.id, name: tenant.name, slackTeamId: tenant.slackTeamId, status: tenant.status };
  };

  const operations = new Operator({
    agent,
    ingestion,
    clock,
    addWorkspace,
    workspaces: async () =>
      (await store.tenants.list()).map(({ id, name, slackTeamId, status }) => ({ tenant: id, name, slackTeamId, status })),
    directory: async (tenant) => (await pool.load(tenant)).directory,
    traces: (tenant) => store.forTenant(tenant).traces,
    keys: (tenant) => store.forTenant(tenant).keys,
    diagnose: async () => [
      ...(await database.checks()),
      ...(await checkStored(store, { apiUrl, clock })),
      ok("HTTP server", server ? `It listens at ${server.url}.` : "It is not open yet."),
    ],
    assistants: new AssistantOperator({ settings: (tenant) => store.forTenant(tenant), tools, models: models.names, templateChanged }),
  });

  const door = new AskDoor({
    agent,
    keysOf: (tenant) => store.forTenant(tenant).keys,
    directory: async (tenant) => (await pool.load(tenant)).directory,
    limits: { ...config.limits, perMinute: config.limits.apiPerMinute, atOnce: config.limits.apiAtOnce },
    publicUrl,
    clock,
    log,
  });

  const routes: readonly Route[] = [
    ...door.routes,
    ...healthRoutes(() => ready && (slackApp?.receiving ?? false)),
    ...sourcePageRoutes({
      links,
      forTenant: async (tenant) => ({ directory: (await pool.load(tenant)).directory, library: library.forTenant(tenant) }),
    }),
    {
      method: "POST",
      path: slackPath,
      policy: "slack-signature",
      handle: (request, response) => (slackApp ? slackApp.handler(request, response) : void response.writeHead(503).end()),
    },
  ];

  return {
    operations,
    listen: async () => {
      server = await startHttpServer(routes, { ...config.http, log });
      return server;
    },
    register: async (slack) => {
      await requireReadableTokens(store);
      for (const { name, botToken } of slack.workspaces) {
        try {
          await addWorkspace({ ...(name !== undefined && { name }), botToken: botToken.reveal() });
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          log.error(`A workspace was left out. ${thrown.message}`, { code: thrown.code });
        }
      }
    },
    receive: async (slack) => {
      const installations = cachedInstallations(store.installations);
      const { appToken, signingSecret } = slack;
      const context = { commands, replyRule: replyRules.of.bind(replyRules) };
      slackApp = createSlackApp({ mode: config.slackMode, appToken, signingSecret, apiUrl, installations, inbox, context, clock, log });
      turns.start();
      await slackApp.start();
      ready = true;
    },
    close: async () => {
      ready = false;
      await slackApp?.stop();
      await commands.drained();
      const graceMs = config.limits.shutdownMs;
      await Promise.all([turns.stop({ graceMs }), door.stop({ graceMs })]);
      await server?.close();
      await Promise.all([extractor.close(), embedder.close()]);
      await database.close();
    },
  };
}

/** How many workspaces are looked at: one that cannot be read means that the keys are others, and it is rarely the last. */
const sampledWorkspaces = 20;

/**
 * A process with other keys must not run: it could not read stored tokens and would seal new ones so that the others cannot.
 * @throws AppError SECRET_UNREADABLE
 */
async function requireReadableTokens(store: Store): Promise<void> {
  for (const { id, name } of (await store.tenants.list()).slice(0, sampledWorkspaces)) {
    try {
      await store.forTenant(id).installation.find();
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== "SECRET_UNREADABLE") throw thrown;
      const mend = "All processes of one database need the same FOOTNOTE_SECRET_KEYS. If the keys are lost: footnote workspace add.";
      throw new AppError("SECRET_UNREADABLE", `It is the bot token of ${name}. ${mend}`);
    }
  }
}

function limitsFor({ limits }: Config) {
  const { steps, toolCalls, parallelTools, answerMs, inputTokens, outputTokens } = limits;
  return { ...defaultLimits, steps, calls: toolCalls, parallel: parallelTools, wallMs: answerMs, inputTokens, outputTokens };
}

/** Links are signed with a key of their own, so that a signature is worth nothing elsewhere. */
function linkKey({ active, keys }: KeyRing): Buffer {
  return Buffer.from(hkdfSync("sha256", keys.get(active) ?? Buffer.alloc(0), "", "footnote source links", 32));
}

async function installationOf(store: Store, tenant: TenantId): Promise<Installation | undefined> {
  const [found, workspace] = await Promise.all([store.forTenant(tenant).installation.find(), store.tenants.byId(tenant)]);
  if (!found || workspace?.status !== "active") return undefined;
  return { tenant, teamId: workspace.slackTeamId, botUserId: personId(found.botUserId), token: found.token };
}
