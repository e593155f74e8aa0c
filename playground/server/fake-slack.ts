import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { systemClock } from "../../src/core/clock.ts";
import { Administration } from "./administration.ts";
import { type Ack, type Attempt, Delivery, type EnvelopeKind, slackRetryDelaysMs, type Transport } from "./delivery.ts";
import { envelopesFor } from "./events.ts";
import { type ShownLink, type ShownMention, shownLinks, shownMentions } from "./exposure.ts";
import type { Fault } from "./faults.ts";
import { HttpEvents } from "./http-events.ts";
import { HttpServer } from "./http-server.ts";
import { Interactions } from "./interactions.ts";
import { OAuth } from "./oauth.ts";
import { type DeliverBy, type FakeSlackOptions, usualEvents, type WorkspaceHandle } from "./options.ts";
import { PageApi } from "./page-api.ts";
import { People } from "./people.ts";
import { plantSeed } from "./plant-seed.ts";
import { Recorded } from "./record.ts";
import { Screens } from "./screens.ts";
import { servedFile } from "./shared-files.ts";
import { SocketMode } from "./socket-mode.ts";
import type { Channel, Json, Message, State } from "./state.ts";
import { serveFile } from "./static-files.ts";
import { waitFor } from "./wait-for.ts";
import { type CallRecord, Dispatch, type Problem } from "./web-api/dispatch.ts";

/** A Slack for tests and for the playground: one process, in memory, on the loopback interface. The bot reaches it as it reaches Slack. */
export class FakeSlack {
  readonly signingSecret: string;
  readonly appToken: string;
  /** What the app's installation from a web page goes through. */
  readonly oauth: OAuth;
  readonly people: People;
  /** What administrators change while the bot runs. */
  readonly administration: Administration;
  /** Makes the payloads of commands, buttons and modals, for tests that spoil or repeat them. */
  readonly interactions: Interactions;
  /** Modals and App Homes. */
  readonly screens: Screens;
  readonly state: State;
  /** Writes as a person, typed as in Slack's editor. Returns the message's ts. */
  readonly post: People["post"];
  readonly edit: People["edit"];
  readonly delete: People["delete"];
  readonly react: People["react"];
  readonly join: People["join"];
  /** Presses a button. Resolves when the app has acknowledged, or failed to. */
  readonly click: People["click"];
  readonly command: People["command"];
  readonly #server: HttpServer;
  readonly #socket: SocketMode;
  readonly #delivery: Delivery;
  readonly #dispatch: Dispatch;
  readonly #envelopes: Recorded<Json>;

  private constructor(parts: {
    readonly state: State;
    readonly interactions: Interactions;
    readonly server: HttpServer;
    readonly socket: SocketMode;
    readonly delivery: Delivery;
    readonly dispatch: Dispatch;
    readonly people: People;
    readonly screens: Screens;
    readonly oauth: OAuth;
    readonly appToken: string;
    readonly signingSecret: string;
    readonly subscribed: ReadonlySet<string>;
  }) {
    this.state = parts.state;
    this.interactions = parts.interactions;
    this.appToken = parts.appToken;
    this.oauth = parts.oauth;
    this.signingSecret = parts.signingSecret;
    this.#envelopes = new Recorded(parts.state.keep);
    this.#server = parts.server;
    this.#socket = parts.socket;
    this.#delivery = parts.delivery;
    this.#dispatch = parts.dispatch;
    this.screens = parts.screens;
    const { people } = parts;
    this.people = people;
    this.administration = new Administration(parts.state, people);
    this.post = people.post.bind(people);
    this.edit = people.edit.bind(people);
    this.delete = people.delete.bind(people);
    this.react = people.react.bind(people);
    this.join = people.join.bind(people);
    this.click = people.click.bind(people);
    this.command = people.command.bind(people);
    parts.state.onChange((change) => {
      for (const envelope of envelopesFor(parts.state, change, parts.subscribed)) {
        this.#envelopes.add(envelope);
        void this.#delivery.send("events_api", envelope);
      }
    });
  }

  static async start(options: FakeSlackOptions): Promise<FakeSlack> {
    const clock = options.clock ?? systemClock;
    const state = plantSeed(options.seed, clock, options.keep ?? Number.POSITIVE_INFINITY);
    const socket = new SocketMode(clock, () => state.announce({ type: "record" }));
    const signingSecret = randomBytes(16).toString("hex");
    const appToken = `xapp-playground-${randomBytes(16).toString("hex")}`;
    let origin = "";
    const interactions = new Interactions(state, (id) => `${origin}/response/${id}`, options.triggerLifeMs);
    const socketUrl = (ticket: string) => `${origin.replace("http", "ws")}/socket?ticket=${ticket}`;
    const limited = options.limits === "documented";
    const oauth = new OAuth(state);
    const dispatch = new Dispatch({ state, interactions, oauth, socket, socketUrl, appToken, limited });
    const by = options.deliver ?? { mode: "socket" };
    const transport: Transport = by.mode === "socket" ? socket : new HttpEvents(by.url, signingSecret, clock);
    const delivery = new Delivery(transport, clock, options.retryDelaysMs ?? slackRetryDelaysMs, state.keep, () =>
      state.announce({ type: "record" }),
    );
    const fileUrl = (id: string, name: string) => `${origin}/files/${id}/${encodeURIComponent(name)}`;
    const people = new People(state, interactions, (kind, payload) => delivery.send(kind, payload), fileUrl);
    const screens = new Screens(state, people, interactions, (kind, payload) => delivery.send(kind, payload));
    const page = new PageApi(state, people, screens);
    const { uiDir } = options;
    const server = await HttpServer.start(options.port ?? 0, {
      dispatch,
      interactions,
      socket,
      other: async (request, response, url) =>
        authorized(oauth, url, response) ||
        servedFile(state, request, url, response) ||
        (await page.handle(request, response, url)) ||
        (uiDir !== undefined && request.method === "GET" && (await serveFile(uiDir, url.pathname, response))),
    });
    origin = server.origin;
    const subscribed = new Set(options.events ?? usualEvents);
    return new FakeSlack({
      state,
      people,
      screens,
      oauth,
      interactions,
      server,
      socket,
      delivery,
      dispatch,
      appToken,
      signingSecret,
      subscribed,
    });
  }

  /** What SLACK_API_URL must be; ends in /api/. */
  get apiUrl(): string {
    return `${this.#server.origin}/api/`;
  }

  get pageUrl(): string {
    return `${this.#server.origin}/`;
  }

  /** Every Web API call so far, oldest first. */
  get calls(): readonly CallRecord[] {
    return this.#dispatch.calls.items;
  }

  /** Every delivery attempt so far. */
  get acks(): readonly Ack[] {
    return this.#delivery.acks.items;
  }

  /** Every call that was refused, with the reasons. */
  get problems(): readonly Problem[] {
    return this.#dispatch.problems.items;
  }

  /** Every link that any state of the bot's messages ever showed, with whether Slack would have fetched it by itself. */
  get links(): readonly ShownLink[] {
    return shownLinks(this.state);
  }

  /** Everybody and everything that any state of the bot's messages ever pinged or pointed to. */
  get mentions(): readonly ShownMention[] {
    return shownMentions(this.state);
  }

  /** Open Socket Mode connections. */
  get connections(): number {
    return this.#socket.size;
  }

  workspace(name: string): WorkspaceHandle {
    const workspace = this.people.workspace(name);
    return {
      teamId: workspace.teamId,
      botToken: workspace.botToken,
      botUserId: workspace.bot.id,
      person: (handle) => this.people.person(workspace, handle).id,
      channel: (channel) => this.people.channel(workspace, channel).id,
      direct: (handle) => this.people.channel(workspace, "direct", this.people.person(workspace, handle)).id,
    };
  }

  /**
   * The messages of a channel (all that are not deleted, threads and ephemeral ones included) or of one thread.
   * @param channel name or id; "direct:alice" for the bot's conversation with alice
   */
  messages({ workspace: name, channel: channelName, thread }: { workspace: string; channel: string; thread?: string }): readonly Message[] {
    const channel = this.#channel(name, channelName);
    if (thread) return channel.messages.filter((message) => !message.deleted && (message.ts === thread || message.threadTs === thread));
    return channel.messages.filter((message) => !message.deleted);
  }

  /** Every message ever stored, with those that were deleted or ephemeral: for sweeps. */
  everyMessage(): readonly { readonly workspace: string; readonly channel: Channel; readonly message: Message }[] {
    return this.state.workspaces.flatMap((workspace) =>
      [...workspace.channels.values()].flatMap((channel) =>
        channel.messages.map((message) => ({ workspace: workspace.name, channel, message })),
      ),
    );
  }

  /** Resolves with the first truthy result of `find`, tried now and after every change. Rejects when `timeoutMs` (150 s) have passed. */
  waitFor<T>(find: () => T, { timeoutMs = 150_000 }: { readonly timeoutMs?: number } = {}): Promise<NonNullable<T>> {
    return waitFor(this.state, find, timeoutMs, () => {
      const calls = this.calls.slice(-10).map((call) => `${call.method} ${call.response?.error ?? call.status ?? "open"}`);
      return `Last calls: ${calls.join(", ") || "none"}.`;
    });
  }

  /** Orders a misfortune for the next calls of a method. */
  fail(fault: Fault): void {
    this.#dispatch.faults.add(fault);
  }

  /** Sends any payload as Slack would, as often as asked: an event envelope, an interaction or a slash command. Resolves with the attempts. */
  async deliver(payload: Json, { times = 1, concurrently = false }: { times?: number; concurrently?: boolean } = {}): Promise<Attempt[]> {
    const kind: EnvelopeKind = payload.type === "event_callback" ? "events_api" : payload.command ? "slash_commands" : "interactive";
    const attempts: Promise<Attempt>[] = [];
    for (let i = 0; i < times; i++) {
      const attempt = this.#delivery.send(kind, payload);
      attempts.push(attempt);
      if (!concurrently) await attempt;
    }
    return Promise.all(attempts);
  }

  /** Sends an event again that was sent before. */
  redeliver(eventId: string, options?: { times?: number; concurrently?: boolean }): Promise<Attempt[]> {
    return this.deliver(this.envelope(eventId), options);
  }

  /** The envelope of an event that was sent. */
  envelope(eventId: string): Json {
    const envelope = this.envelopes.find((candidate) => candidate.event_id === eventId);
    if (!envelope) throw new Error(`No event ${eventId} was sent.`);
    return envelope;
  }

  /** All event envelopes so far, oldest first. */
  get envelopes(): readonly Json[] {
    return this.#envelopes.items;
  }

  /** From now on delivers another way, for instance to an app whose port is only known after its start. */
  deliverBy(by: DeliverBy): HttpEvents | undefined {
    const http = by.mode === "http" ? new HttpEvents(by.url, this.signingSecret, this.state.clock) : undefined;
    this.#delivery.use(http ?? this.#socket);
    return http;
  }

  /** What Slack does to Socket Mode connections: asks them to reconnect, or breaks them. */
  disconnect(how: "refresh_requested" | "warning" | "link_disabled" | "cut"): void {
    if (how === "cut") this.#socket.cut();
    else this.#socket.disconnect(how);
  }

  async stop(): Promise<void> {
    await this.#delivery.stop();
    this.#dispatch.stop();
    await this.#socket.stop();
    await this.#server.stop();
  }

  #channel(workspaceName: string, channelName: string): Channel {
    const workspace = this.people.workspace(workspaceName);
    const [, handle] = /^direct:(.+)$/.exec(channelName) ?? [];
    if (handle) return this.people.channel(workspace, "direct", this.people.person(workspace, handle));
    return this.people.channel(workspace, channelName);
  }
}

/** Whether the request was for Slack's page on which somebody agrees to an installation. */
function authorized(oauth: OAuth, url: URL, response: ServerResponse): boolean {
  if (url.pathname !== "/oauth/v2/authorize") return false;
  oauth.authorize(url, response);
  return true;
}

export type { DeliverBy, FakeSlackOptions, WorkspaceHandle };
