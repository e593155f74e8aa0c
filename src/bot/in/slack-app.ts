import type { RequestListener } from "node:http";
import { App, AuthorizationError, HTTPReceiver, type Receiver, SocketModeReceiver, type ViewResponseAction } from "@slack/bolt";
import type { Option } from "@slack/types";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";
import type { SubmittedForm } from "../surfaces/surface.ts";
import type { Installation, Installations } from "../workspace/installations.ts";
import { slackClientOptions, slackLogger } from "../workspace/slack-clients.ts";
import { AckAfterWork } from "./ack-after-work.ts";
import type { Inbox } from "./inbox.ts";
import { listeners } from "./listeners/index.ts";
import type { Delivery, Listener, ListenerContext } from "./listeners/listener.ts";
import { refusal } from "./listeners/policy.ts";
import { signedRequests } from "./slack-http.ts";
import { requireSigningSecret } from "./slack-signature.ts";
import { SocketConnection } from "./socket-connection.ts";
import { type Envelope, route } from "./tenancy.ts";

export interface SlackAppOptions {
  readonly mode: "socket" | "http";
  /** For Socket Mode. */
  readonly appToken?: Secret | undefined;
  /** For HTTP. */
  readonly signingSecret?: Secret | undefined;
  /** Ends in /api/; Slack itself when absent. */
  readonly apiUrl?: string | undefined;
  readonly installations: Installations;
  readonly inbox: Inbox;
  /** What listeners use beside the inbox: commands, and each channel's reply rule. */
  readonly context: ListenerContext;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long storing may take before Slack is asked to deliver again. */
  readonly storeWithinMs?: number;
}

/** Slack's side of the program: deliveries come in here, whichever way they travel. */
export interface SlackApp {
  /** Begins to receive. Over HTTP that means: `handler` takes requests from now on. */
  start(): Promise<void>;
  /** Receives nothing more; resolves when what had come in is acknowledged. */
  stop(): Promise<void>;
  /** For the HTTP server, at `slackPath`. Answers 503 unless started in mode "http". */
  readonly handler: RequestListener;
  /** Whether deliveries can come in at the moment. */
  readonly receiving: boolean;
}

/** Where Slack posts events, clicks and commands in mode "http". */
export const slackPath = "/slack/events";

/** Slack gives up after three seconds; a dead database must be admitted before. */
const defaultStoreWithinMs = 1_800;

/** @throws AppError SIGNING_SECRET_UNSAFE in mode "http" */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  return options.mode === "socket" ? overSocket(options) : overHttp(options);
}

function overSocket(options: SlackAppOptions): SlackApp {
  const { appToken, apiUrl, clock, log } = options;
  if (!appToken) throw new AppError("CONFIG_INVALID", "SLACK_APP_TOKEN is missing.");
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    autoReconnectEnabled: false,
    logger: slackLogger(log),
    installerOptions: { clientOptions: slackClientOptions(log, apiUrl) },
    processEventErrorHandler: async () => false,
  });
  const gate = listen(receiver, options);
  const connection = new SocketConnection(receiver, clock, log);
  return {
    start: () => connection.start(),
    stop: async () => {
      // Acknowledgements still need the connection.
      await gate.drained();
      await connection.stop();
    },
    handler: refused,
    get receiving() {
      return connection.connected;
    },
  };
}

function overHttp(options: SlackAppOptions): SlackApp {
  const secret = requireSigningSecret(options.signingSecret);
  const receiver = new HTTPReceiver({
    signingSecret: secret.reveal(),
    // Checked before Bolt reads the request, and more strictly than Bolt does.
    signatureVerification: false,
    endpoints: [slackPath],
    logger: slackLogger(options.log),
    processEventErrorHandler: async ({ response }) => {
      if (!response.headersSent) response.writeHead(503).end();
      return false;
    },
  });
  const gate = listen(receiver, options);
  const signed = signedRequests(receiver.requestListener, secret, options.clock);
  let receiving = false;
  return {
    start: async () => {
      receiving = true;
    },
    stop: async () => {
      receiving = false;
      await gate.drained();
    },
    handler: (request, response) => (receiving ? signed : refused)(request, response),
    get receiving() {
      return receiving;
    },
  };
}

const refused: RequestListener = (_request, response) => {
  response.writeHead(503).end();
};

/** Puts Bolt behind a receiver: each delivery is routed to a tenant, passes its listener's policy, is stored, then acknowledged. */
function listen(
  receiver: Receiver,
  { installations, inbox, context: around, clock, log, apiUrl, storeWithinMs = defaultStoreWithinMs }: SlackAppOptions,
) {
  const gate = new AckAfterWork(receiver, clock, storeWithinMs);
  const app = new App({
    receiver: gate,
    logger: slackLogger(log),
    clientOptions: slackClientOptions(log, apiUrl),
    convoStore: false,
    authorize: async (_source, body) => {
      const installation = await route(body as Envelope, installations);
      const { token, teamId, botUserId } = installation;
      return { botToken: token.reveal(), botUserId, teamId, installation };
    },
  });
  app.error(async (error) => {
    const cause = error instanceof AuthorizationError ? error.original : error;
    if (cause instanceof AppError && cause.code === "EVENT_UNROUTABLE") return log.warn(cause.message, { code: "unroutable" });
    log.error("A delivery could not be stored; Slack will send it again.", { code: cause instanceof AppError ? cause.code : cause.name });
    throw error;
  });
  register(app, { inbox, around, installations, log });
  return gate;
}

/** Bolt goes through all it was given for every delivery: it gets one listener a kind, behind which ours are found by name. */
function register(
  app: App,
  { inbox, around, installations, log }: Pick<SlackAppOptions, "inbox" | "installations" | "log"> & { readonly around: ListenerContext },
): void {
  const handle = async (listener: Listener | undefined, routed: Installation | undefined, payload: unknown, body: unknown) => {
    if (!listener) return;
    // Bolt asks nobody whose the events are that end an installation.
    const installation = routed ?? (await route(body as Envelope, installations));
    const delivery: Delivery = { installation, payload, body };
    const why = refusal(listener.policy, delivery);
    if (why) return log.debug("A delivery starts nothing.", { tenant: installation.tenant, code: why });
    return listener.handle(delivery, inbox, around);
  };
  const events = named("event");
  app.event(any, async ({ payload, body, context }) => void (await handle(events.get(payload.type), context.installation, payload, body)));
  const commands = named("command");
  app.command(any, async ({ payload, body, context, ack }) => {
    await handle(commands.get(payload.command), context.installation, payload, body);
    await ack();
  });
  const suggestions = named("suggestions");
  app.options(any, async ({ payload, body, context, ack }) => {
    const options = await handle(suggestions.get(payload.action_id), context.installation, payload, body);
    await ack({ options: (options as Option[] | undefined) ?? [] });
  });
  const shortcuts = named("shortcut");
  app.shortcut({ callback_id: any, type: "message_action" }, async ({ payload, body, context, ack }) => {
    await handle(shortcuts.get(payload.callback_id), context.installation, payload, body);
    await ack();
  });
  const forms = named("form");
  app.view(any, async ({ payload, body, context, ack }) => {
    const sent = (await handle(forms.get(payload.callback_id), context.installation, payload, body)) as SubmittedForm | undefined;
    await ack(sent?.answer as ViewResponseAction | undefined);
    // What it shows must come after what Slack shows because of the answer.
    sent?.begin();
  });
  const actions = named("action");
  app.action(any, async ({ payload, body, context, ack }) => {
    await handle(actions.get("action_id" in payload ? payload.action_id : ""), context.installation, payload, body);
    await ack();
  });
}

const any = /^/;

type Kind = Listener["on"] extends infer On ? (On extends On ? keyof On : never) : never;

/** Our listeners of one kind, by the event's type or by the id of what was used. */
function named(kind: Kind): ReadonlyMap<string, Listener> {
  const found = new Map<string, Listener>();
  for (const listener of listeners) {
    const name = (listener.on as Partial<Record<Kind, string>>)[kind];
    if (name === undefined) continue;
    if (found.has(name)) throw new AppError("INTERNAL", `Two listeners of ${name}.`);
    found.set(name, listener);
  }
  return found;
}
