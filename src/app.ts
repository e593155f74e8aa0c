import { configuredModels } from "./agent/model/configured.ts";
import { type HttpServer, startHttpServer } from "./api/http-server.ts";
import { createAgent, createToolAccess, createTrials } from "./app/agent.ts";
import { openGround, requireReadableTokens } from "./app/ground.ts";
import { createAskDoor, routesOf } from "./app/http-doors.ts";
import { createInstalling } from "./app/installing.ts";
import { addWorkspace, createOperations } from "./app/operations.ts";
import type { AppParts } from "./app/parts.ts";
import { createSlackSide } from "./app/slack-side.ts";
import type { SlackConfig } from "./config.ts";
import { ok } from "./core/check.ts";
import { AppError } from "./core/errors.ts";
import type { Operations } from "./operations.ts";

export { diagnose } from "./app/diagnose.ts";
export { embedderFor, modelsFolder } from "./app/embedder.ts";
export { evaluateSets } from "./app/evaluate.ts";
export type { AppParts } from "./app/parts.ts";
export { servePersonTools } from "./app/person-tools-server.ts";
export { listenForWebSearch, serveWebSearch } from "./app/web-search-server.ts";
export { installModel } from "./knowledge/embedder/onnx/install-model.ts";
export { migrateServer } from "./store/migrate.ts";
export { mendServerIndexes } from "./store/vector-index.ts";

/** The program, put together. */
export interface App {
  readonly operations: Operations;
  /** Opens the HTTP server (source pages, health, Slack's requests). */
  listen(): Promise<HttpServer>;
  /** Registers the configured workspaces; a workspace whose token Slack refuses is reported and left out. */
  register(slack: SlackConfig): Promise<void>;
  /** Receives from Slack and works questions off. */
  receive(slack: SlackConfig): Promise<void>;
  /** Loads in the background what the first question would otherwise wait for. */
  warm(): void;
  /** Drains: no new questions, running answers get their time, then everything is closed. */
  close(): Promise<void>;
}

/** The composition root: it and its folder are all that knows every part. Opens the database; receives nothing yet. */
export async function openApp(parts: AppParts): Promise<App> {
  const { config, clock, log } = parts;
  const ground = await openGround(parts);
  const models = configuredModels(config.model, clock, log);
  const agent = createAgent(ground, models);
  const access = createToolAccess(ground, models);
  const slack = createSlackSide(ground, { agent, trials: createTrials(ground, models) }, models);
  const door = createAskDoor(ground, agent);
  const installing = createInstalling(ground);

  let server: HttpServer | undefined;
  let ready = false;
  const checkServer = () => ok("HTTP server", server ? `It listens at ${server.url}.` : "It is not open yet.");

  return {
    operations: createOperations(ground, { agent, access }, models, {
      templateChanged: slack.templateChanged,
      removeWorkspace: (tenant) => ground.tokens.departures.remove(tenant),
      checkServer,
    }),
    listen: async () => {
      server = await startHttpServer(
        routesOf(ground, slack, { door, installing, access }, () => ready),
        { ...config.http, log },
      );
      ground.listensAt(server.url);
      return server;
    },
    register: async ({ workspaces }) => {
      await requireReadableTokens(ground.store);
      for (const { name, botToken } of workspaces) {
        try {
          await addWorkspace(ground, { ...(name !== undefined && { name }), botToken: botToken.reveal() });
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          log.error(`A workspace was left out. ${thrown.message}`, { code: thrown.code });
        }
      }
    },
    receive: async (configured) => {
      await slack.receive(configured);
      ground.sources.start();
      ground.fullText?.indexer.start();
      ground.reEmbedder.start();
      ready = true;
    },
    warm: ground.warm,
    close: async () => {
      ready = false;
      await slack.stopReceiving();
      const graceMs = config.limits.shutdownMs;
      await Promise.all([slack.stopAnswering(graceMs), door.stop({ graceMs }), installing.drained()]);
      await server?.close();
      await ground.close();
    },
  };
}
