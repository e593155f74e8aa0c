import { createHash } from "node:crypto";
import { FakeSlack, type FakeSlackOptions } from "../../../playground/server/fake-slack.ts";
import { defaultSeed, type SlackSeed } from "../../../playground/server/seed.ts";
import { type HttpServer, startHttpServer } from "../../../src/api/http-server.ts";
import type { Ground } from "../../../src/app/ground.ts";
import { createInstalling } from "../../../src/app/installing.ts";
import { createTokens, type Tokens } from "../../../src/app/tokens.ts";
import type { RefusedTokens } from "../../../src/bot/workspace/refused-tokens.ts";
import { TenantSlackPool } from "../../../src/bot/workspace/tenant-slack.ts";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import type { TenantId } from "../../../src/core/ids.ts";
import { type Logger, silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { createSafeFetch } from "../../../src/safe-fetch/safe-fetch.ts";
import { Sealing } from "../../../src/store/sealing.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { MemoryLibrary } from "../../fakes/memory-library.ts";
import type { TestDatabase } from "../../fakes/test-database.ts";
import { agree, type Choice, Visitor } from "./visitor.ts";

export interface InstallBenchOptions {
  readonly seed?: SlackSeed;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Slack's ids of those that may install the app; everybody unless given. */
  readonly allowed?: readonly string[];
  /** The address that people are told; where the server listens unless given. */
  readonly publicUrl?: string;
  readonly slack?: Partial<FakeSlackOptions>;
}

/** One process of the program as far as installing and tokens go, over a database that it may share with others. */
export interface Process {
  readonly url: string;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly pool: TenantSlackPool;
  /** Resolves when everybody is greeted. */
  greeted(): Promise<void>;
}

const keys = new Map([["test", createHash("sha256").update("install bench").digest()]]);

/** A fake Slack in which nobody has installed the app yet, and as many processes as a test starts. */
export class InstallBench {
  readonly slack: FakeSlack;
  readonly library = new MemoryLibrary();
  readonly #db: TestDatabase;
  readonly #options: InstallBenchOptions;
  readonly #servers: HttpServer[] = [];

  private constructor(slack: FakeSlack, db: TestDatabase, options: InstallBenchOptions) {
    this.slack = slack;
    this.#db = db;
    this.#options = options;
  }

  /** @param db emptied first */
  static async start(db: TestDatabase, options: InstallBenchOptions = {}): Promise<InstallBench> {
    for (const table of ["install_states", "installations", "tenants"]) await db.asOwner(`DELETE FROM ${table}`);
    const { seed = defaultSeed, clock, slack } = options;
    return new InstallBench(await FakeSlack.start({ seed, ...(clock && { clock }), ...slack }), db, options);
  }

  async process(): Promise<Process> {
    const { clock = systemClock, log = silentLogger, allowed, publicUrl } = this.#options;
    const { clientId, clientSecret } = this.slack.oauth;
    const oauth = { clientId, clientSecret: new Secret(clientSecret), appId: "A0FOOTNOTE1", ...(allowed && { allowed }) };
    const parts = { config: { purgeDays: 30 }, oauth, slackApiUrl: this.slack.apiUrl, clock, log };
    const store = createStore(this.#db.database, new Sealing({ active: "test", keys }), []);
    const tokens = createTokens(parts as never, store, () => pool);
    const installationOf = (tenant: TenantId) => tokens.finder.byTenant(tenant);
    const refused: RefusedTokens["refused"] = (installation) => tokens.refused.refused(installation);
    const pool: TenantSlackPool = new TenantSlackPool({
      ...{ installationOf, refused, clock, log },
      ...{ apiUrl: this.slack.apiUrl, fetch: createSafeFetch({ clock }) },
    });
    const server: { url?: string } = {};
    const { library } = this;
    const ground = { ...parts, tokens, store, pool, library, publicUrl: () => publicUrl ?? server.url ?? "" };
    const installing = createInstalling(ground as unknown as Ground);
    const started = await startHttpServer(installing.routes, { host: "127.0.0.1", port: 0, log });
    server.url = started.url;
    this.#servers.push(started);
    return { url: started.url, store, tokens, pool, greeted: () => installing.drained() };
  }

  /** What somebody who agrees sees at last. */
  async install(process: Process, chosen: Choice, visitor = new Visitor()) {
    return visitor.get(await agree(visitor, process.url, chosen));
  }

  /** Name and status of every workspace and organisation. */
  async tenants({ store }: Process): Promise<string[]> {
    return (await store.tenants.list()).map(({ name, status }) => `${name} ${status}`);
  }

  /** The bot's direct messages to somebody. */
  greetings(workspace: string, person: string): string[] {
    const messages = this.slack.messages({ workspace, channel: `direct:${person}` });
    return messages.filter(({ botId }) => botId !== undefined).map(({ text }) => text);
  }

  called(method: string): number {
    return this.slack.calls.filter((call) => call.method === method).length;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    await this.slack.stop();
  }
}

/** Both companies as workspaces of one organisation, with the one bot user that such an installation has. */
export const organisationSeed: SlackSeed = {
  workspaces: defaultSeed.workspaces.map((workspace) => ({
    ...workspace,
    enterprise: { id: "E0INITECH", name: "Initech" },
    botUserId: "U0ORGBOT",
  })),
};

/** The title inside a page. */
export const heading = (body: string): string => /<h1>(.*?)<\/h1>/s.exec(body)?.[1] ?? "";
