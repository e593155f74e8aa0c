import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeSlack, type FakeSlackOptions } from "../../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../../playground/server/seed.ts";
import type { AgentEvent, AnswerSink } from "../../../src/agent/events.ts";
import type { Question } from "../../../src/agent/ports.ts";
import { defaultQueueLimits, Inbox } from "../../../src/bot/in/inbox.ts";
import { createSlackApp, type SlackApp, slackPath } from "../../../src/bot/in/slack-app.ts";
import { SlackStream } from "../../../src/bot/out/slack-stream.ts";
import { SlackWriter } from "../../../src/bot/out/slack-writer.ts";
import { WorkspaceBudget } from "../../../src/bot/out/workspace-budget.ts";
import type { AnswerJournal, AnswerTarget, SlackAnswerSink } from "../../../src/bot/ports.ts";
import { additionsTo } from "../../../src/bot/turns/additions.ts";
import { prepareTurn } from "../../../src/bot/turns/prepare-turn.ts";
import { type StopWish, TurnControl } from "../../../src/bot/turns/turn-control.ts";
import type { QueueLimits, RefusedPlace, StartedTurn, TenantTurns, TurnQueue } from "../../../src/bot/turns/turn-store.ts";
import { type TurnLimits, Turns } from "../../../src/bot/turns/turns.ts";
import { cachedInstallations, type Installation, type Installations } from "../../../src/bot/workspace/installations.ts";
import { slackClient } from "../../../src/bot/workspace/slack-clients.ts";
import { SlackDirectory } from "../../../src/bot/workspace/slack-directory.ts";
import { SlackReader } from "../../../src/bot/workspace/slack-reader.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { type MessageTs, messageTs, newId, personId, type TenantId, tenantId, traceId } from "../../../src/core/ids.ts";
import { type Logger, silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { ThreadRepository } from "../../../src/store/repositories/threads.ts";
import { TurnChangeRepository } from "../../../src/store/repositories/turn-changes.ts";
import { TurnQueueRepository } from "../../../src/store/repositories/turn-queue.ts";
import { TurnRepository } from "../../../src/store/repositories/turns.ts";
import { NotingContext } from "../../fakes/listener-context.ts";
import { openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";

export { until } from "../../fakes/until.ts";

export type Ask = (question: Question, sink: AnswerSink, signal: AbortSignal) => Promise<unknown>;

/** Answers every question with its own words. */
export const echo: Ask = async (question, sink) => {
  await sink.write({ type: "answer-start", traceId: traceId(newId()) });
  await sink.write({ type: "answer-end", text: `Answer to: ${question.text}`, outcome: "answered" });
};

/** One process of the bot. */
export interface Bot {
  readonly turns: Turns;
  readonly inbox: Inbox;
  readonly slack: SlackApp;
  readonly questions: Question[];
  readonly refusals: { readonly at: RefusedPlace; readonly reason: string }[];
  /** What came of wishes to stop. */
  readonly told: { readonly wish: StopWish; readonly outcome: string }[];
  stop(graceMs?: number): Promise<void>;
}

export interface BotOptions {
  readonly ask?: Ask;
  readonly mode?: "socket" | "http";
  readonly limits?: Partial<TurnLimits>;
  readonly queueLimits?: QueueLimits;
  readonly log?: Logger;
  readonly storeWithinMs?: number;
  /** Wraps what the bot is given, to make it fail. */
  readonly queue?: (queue: TurnQueue) => TurnQueue;
  readonly turnsOf?: (turns: TenantTurns) => TenantTurns;
  /** Called before it is found out who asks; may throw. */
  readonly beforePrepare?: () => void;
  readonly installations?: (installations: Installations) => Installations;
  /** Answers are written by the program's own sink; a plainer one unless said so. */
  readonly realSink?: boolean;
  /** Whether the program's own sink uses Slack's streams; true unless said otherwise. */
  readonly streaming?: boolean;
  /** Whether every question goes through the queue; those that need not wait begin as they are stored unless said so. */
  readonly queues?: boolean;
  /** Whether it works the queue off; true unless said otherwise. */
  readonly works?: boolean;
}

/** The same turns with some methods replaced. */
export const turnsWith = (turns: TenantTurns, replaced: Partial<TenantTurns>): TenantTurns => ({
  accept: (...args) => turns.accept(...args),
  start: (lease) => turns.start(lease),
  additions: (lease) => turns.additions(lease),
  journal: (lease) => turns.journal(lease),
  finish: (lease, end) => turns.finish(lease, end),
  retry: (...args) => turns.retry(...args),
  stopper: (turn) => turns.stopper(turn),
  ...replaced,
});

/** The same queue with some methods replaced. */
export const queueWith = (queue: TurnQueue, replaced: Partial<TurnQueue>): TurnQueue => ({
  claim: (wish) => queue.claim(wish),
  renew: (leases, ms) => queue.renew(leases, ms),
  release: (lease) => queue.release(lease),
  postpone: (lease, ms) => queue.postpone(lease, ms),
  halted: (turns) => queue.halted(turns),
  ...replaced,
});

/** What a worker that is gone does about its leases: nothing. */
export const gone = (queue: TurnQueue): TurnQueue => {
  const never = () => new Promise<never>(() => undefined);
  return queueWith(queue, { renew: never, release: never, postpone: never, halted: never });
};

/** The same queue for a worker that takes so many turns from it, and then none: not even its own, when it has lost one. */
export const takingAtMost = (most: number, queue: TurnQueue): TurnQueue => {
  let taken = 0;
  return queueWith(queue, {
    claim: async (wish) => {
      if (taken >= most) return [];
      const claims = await queue.claim({ ...wish, most: most - taken });
      taken += claims.length;
      return claims;
    },
  });
};

/** A fake Slack, a database, and as many processes of the bot as a test starts. */
export class World {
  readonly slack: FakeSlack;
  readonly db: TestDatabase;
  readonly clock = systemClock;
  readonly log = silentLogger;
  readonly tenants = new Map<string, TenantId>();
  readonly #bots: Bot[] = [];
  readonly #servers: Server[] = [];
  #ownsDatabase = true;

  private constructor(slack: FakeSlack, db: TestDatabase) {
    this.slack = slack;
    this.db = db;
  }

  /** @param shared a database of the caller's, emptied first; one of its own unless given */
  static async start(options: Partial<FakeSlackOptions> = {}, shared?: TestDatabase): Promise<World> {
    const db = shared ?? (await openTestDatabase());
    if (shared) for (const table of ["turns", "thread_messages", "tenants"]) await db.asOwner(`DELETE FROM ${table}`);
    const world = new World(await FakeSlack.start({ seed: defaultSeed, ...options }), db);
    world.#ownsDatabase = !shared;
    for (const { name } of world.slack.state.workspaces) world.tenants.set(name, await db.addTenant());
    return world;
  }

  tenant(name: string): TenantId {
    return tenantId(this.tenants.get(name) ?? "");
  }

  installation(name: string): Installation {
    const { teamId, botToken, botUserId } = this.slack.workspace(name);
    return { tenant: this.tenant(name), teamId, appId: "A0FOOTNOTE1", botUserId: personId(botUserId), token: new Secret(botToken) };
  }

  async bot(options: BotOptions = {}): Promise<Bot> {
    const log = options.log ?? silentLogger;
    const clock = systemClock;
    const { database } = this.db;
    const questions: Question[] = [];
    const refusals: Bot["refusals"] = [];
    const all = [...this.tenants.keys()].map((name) => this.installation(name));
    const byTenant = new Map(all.map((installation) => [installation.tenant, installation]));
    const stored: Installations = { byTeam: async (team) => all.find(({ teamId }) => teamId === team) };
    const installations = cachedInstallations((options.installations ?? ((same) => same))(stored));
    const turnsOf = (tenant: TenantId) =>
      (options.turnsOf ?? ((same: TenantTurns) => same))(new TurnRepository(database.forTenant(tenant), tenant));
    const queue = (options.queue ?? ((same: TurnQueue) => same))(new TurnQueueRepository(database.system));
    const clientOf = (tenant: TenantId) => slackClient(byTenant.get(tenant)?.token ?? new Secret("none"), log, this.slack.apiUrl);
    const ask = options.ask ?? echo;
    const turns = new Turns(
      {
        queue,
        turnsOf,
        clock,
        log,
        prepare: async (tenant, turn) => {
          options.beforePrepare?.();
          const { teamId = "", botUserId: bot = personId("") } = byTenant.get(tenant) ?? {};
          const rows = new ThreadRepository(database.forTenant(tenant), tenant);
          const client = clientOf(tenant);
          const directory = new SlackDirectory(client, { teamId, clock, log });
          const askAboutFiles = (names: string) => `What about ${names}?`;
          const readFiles = async ({ files = [] }: StartedTurn) => ({ read: [], notes: files });
          const reading = { directory, rows, slack: new SlackReader(client, clock), readFiles, askAboutFiles };
          return prepareTurn(turn, { ...reading, bot, counterQuestion: "What is it?", log });
        },
        additions: (lease) => {
          const { teamId = "", botUserId: bot = personId("") } = byTenant.get(lease.tenant) ?? {};
          const directory = new SlackDirectory(clientOf(lease.tenant), { teamId, clock, log });
          return additionsTo(lease, { turns: turnsOf(lease.tenant), directory, bot });
        },
        ask: (question, sink, signal) => {
          questions.push(question);
          return ask(question, sink, signal);
        },
        openSink: (target, journal) =>
          options.realSink
            ? new SlackStream(target, journal, {
                writer: this.#writer(clientOf(target.tenant)),
                clock,
                log,
                streaming: options.streaming ?? true,
              })
            : new PlainSink(clientOf(target.tenant), target, journal),
      },
      // A busy machine must not cost a worker its lease, unless that is what a test is about.
      { leaseMs: 120_000, ...options.limits },
    );
    const inbox = new Inbox({
      turnsOf,
      nudge: () => options.works !== false && turns.nudge(),
      ...(!options.queues && { keepPlace: () => turns.keepPlace() }),
      refuse: async (_tenant, at, reason) => void refusals.push({ at, reason }),
      log,
      ...(options.queueLimits ? { limits: options.queueLimits } : {}),
    });
    const told: Bot["told"] = [];
    const control = new TurnControl({
      limits: options.queueLimits ?? defaultQueueLimits,
      refused: (...refusal) => inbox.refused(...refusal),
      changesOf: (tenant) => new TurnChangeRepository(database.forTenant(tenant), tenant),
      personNow: (tenant, person) =>
        new SlackDirectory(clientOf(tenant), { teamId: byTenant.get(tenant)?.teamId ?? "", clock, log }).personNow(person),
      turns,
      tell: async (_tenant, wish, outcome) => void told.push({ wish, outcome }),
      log,
    });
    const slack = createSlackApp({
      mode: options.mode ?? "socket",
      appToken: new Secret(this.slack.appToken),
      signingSecret: new Secret(this.slack.signingSecret),
      apiUrl: this.slack.apiUrl,
      installations,
      inbox,
      context: { ...new NotingContext(), control },
      clock,
      log,
      // As for the lease.
      storeWithinMs: options.storeWithinMs ?? 60_000,
    });
    await slack.start();
    if (options.mode === "http") this.slack.deliverBy({ mode: "http", url: await this.serve(slack) });
    if (options.works !== false) turns.start();
    const bot: Bot = {
      turns,
      inbox,
      slack,
      questions,
      refusals,
      told,
      stop: async (graceMs = 2_000) => {
        await slack.stop();
        await turns.stop({ graceMs });
      },
    };
    this.#bots.push(bot);
    return bot;
  }

  #writer(client: ReturnType<typeof slackClient>): SlackWriter {
    return new SlackWriter(client, new WorkspaceBudget(systemClock), systemClock, silentLogger);
  }

  /** Puts a bot's handler on a port of its own. @returns the address for deliveries */
  async serve(slack: SlackApp): Promise<string> {
    const server = createServer(slack.handler);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${slackPath}`;
  }

  /** The bot's messages in a channel (of one thread, if given), as they stand now. */
  answers(workspace: string, channel: string, thread?: string): string[] {
    const bot = this.slack.workspace(workspace).botUserId;
    return this.slack
      .messages({ workspace, channel, ...(thread ? { thread } : {}) })
      .filter((message) => message.userId === bot)
      .map((message) => message.text);
  }

  /** Calls that would show something to people. */
  get writes(): string[] {
    return this.slack.calls.map((call) => call.method).filter((method) => method.startsWith("chat."));
  }

  /** As if all leases had run out: whoever holds one is not told. */
  async endLeases(): Promise<void> {
    await this.db.asOwner("UPDATE turn_queue SET lease_until = clock_timestamp() WHERE lease_until IS NOT NULL");
  }

  /** Resolves when no turn waits or runs. */
  async idle(): Promise<void> {
    for (;;) {
      const rows = await this.db.database.system((manager) => manager.query<object[]>("SELECT 1 FROM turn_queue LIMIT 1"));
      if (rows.length === 0) return;
      await systemClock.sleep(10);
    }
  }

  async turnCount(): Promise<number> {
    const [row] = await this.db.asOwner<{ n: number }>("SELECT count(*)::int AS n FROM turns");
    return row?.n ?? 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#bots.map((bot) => bot.stop(200)));
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await this.slack.stop();
    if (this.#ownsDatabase) await this.db.close();
  }
}

/** The plainest sink that keeps the contract: one message per answer, found again through the journal. */
class PlainSink implements SlackAnswerSink {
  readonly #client: ReturnType<typeof slackClient>;
  readonly #target: AnswerTarget;
  readonly #journal: AnswerJournal;
  #work: Promise<unknown> = Promise.resolve();
  #closed = false;
  #text = "";

  constructor(client: ReturnType<typeof slackClient>, target: AnswerTarget, journal: AnswerJournal) {
    this.#client = client;
    this.#target = target;
    this.#journal = journal;
  }

  write(event: AgentEvent): void {
    if (event.type === "text-delta") this.#text += event.text;
    if (event.type === "answer-start") this.#show("…");
    if (event.type === "text-delta") this.#show(this.#text);
    if (event.type === "answer-end" || event.type === "answer-stopped") this.#show(event.text);
    if (event.type === "answer-error") this.#show(event.message, event.retryable);
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  close(): void {
    this.#closed = true;
  }

  #show(text: string, retry = false): void {
    this.#work = this.#work.then(async () => {
      await this.#journal.stillOurs?.();
      if (this.#closed) return undefined;
      const { channel, thread, turn } = this.#target;
      const button = { type: "button", action_id: "retry_turn", value: turn, text: { type: "plain_text", text: "Retry" } };
      const blocks = [{ type: "section", text: { type: "mrkdwn", text } }, ...(retry ? [{ type: "actions", elements: [button] }] : [])];
      const [ts]: readonly (MessageTs | undefined)[] = await this.#journal.posted();
      if (ts) return this.#client.apiCall("chat.update", { channel, ts, text, blocks });
      const posted = await this.#client.apiCall("chat.postMessage", { channel, thread_ts: thread, text, blocks });
      return this.#journal.note(0, messageTs(String((posted as { ts?: string }).ts)));
    });
    this.#work.catch(() => undefined);
  }
}
