import { hkdfSync } from "node:crypto";
import { SourceLinkSigner } from "../api/sources/source-links.ts";
import { ApprovalDesk } from "../bot/approvals/approval-desk.ts";
import { ToolNews } from "../bot/approvals/tool-news.ts";
import { channelSource } from "../bot/documents/following/channel-source.ts";
import { RealTimeSearch } from "../bot/workspace/slack-search.ts";
import { TenantSlackPool } from "../bot/workspace/tenant-slack.ts";
import { AppError } from "../core/errors.ts";
import { channelId, type TenantId } from "../core/ids.ts";
import { createLibrary } from "../knowledge/create-library.ts";
import { ReEmbedder } from "../knowledge/embedder/re-embedder.ts";
import { createIngestion, type Ingestion } from "../knowledge/ingest/pipeline.ts";
import { createExtractor, type Extractor } from "../knowledge/ingest/reader/extractor.ts";
import type { Library } from "../knowledge/library.ts";
import { openSource } from "../knowledge/sources/open-source.ts";
import { SourceRunner } from "../knowledge/sources/source-runner.ts";
import type { McpTools } from "../plugins/mcp/mcp-tools.ts";
import { Registry } from "../plugins/registry.ts";
import { createPin } from "../safe-fetch/pin.ts";
import { createSafeFetch } from "../safe-fetch/safe-fetch.ts";
import { Database } from "../store/database.ts";
import { type KeyRing, loadKeyRing } from "../store/key-ring.ts";
import { Sealing } from "../store/sealing.ts";
import { createStore, type Store } from "../store/store.ts";
import { Embedders } from "./embedder.ts";
import { configuredServers, createExternalServers, lookAtServers } from "./external-servers.ts";
import { createFullText, type FullTextSide } from "./full-text.ts";
import type { AppParts } from "./parts.ts";
import { allPlugins } from "./plugins.ts";
import { createServerLogins, type ServerLogins } from "./server-logins.ts";
import { createTokens, type Tokens } from "./tokens.ts";

/** What everything else stands on: the open database, the documents, the tools, the workspaces' Slack clients. */
export interface Ground extends AppParts {
  readonly database: Database;
  readonly store: Store;
  readonly library: Library;
  readonly ingestion: Ingestion;
  /** Reads files of questions, which must not wait behind documents that are added. */
  readonly attachmentReader: Extractor;
  /** Keeps documents current from folders, websites, repositories and channels; started by `receive`. */
  readonly sources: SourceRunner;
  /** Embedding models that can be used here, and what prepares another one. */
  readonly embedders: Embedders;
  readonly reEmbedder: ReEmbedder;
  /** Absent where words are searched in the database. */
  readonly fullText: FullTextSide | undefined;
  readonly registry: Registry;
  /** Slack's own search. */
  readonly search: RealTimeSearch;
  /** Where people allow calls. */
  readonly approvals: ApprovalDesk;
  /** Absent when no external server is configured. */
  readonly external: McpTools | undefined;
  /** How people log in at external servers; absent without any. */
  readonly logins: ServerLogins | undefined;
  readonly pool: TenantSlackPool;
  readonly tokens: Tokens;
  readonly links: SourceLinkSigner;
  /** The address under which people reach the HTTP server. */
  publicUrl(): string;
  /** Where the HTTP server really listens, once it does. */
  listensAt(url: string): void;
  /** Loads in the background what the first question would wait for. */
  warm(): void;
  close(): Promise<void>;
}

/**
 * Opens the database; receives nothing yet.
 * @throws AppError PLUGIN_INVALID, CONFIG_INVALID, before anything is opened; those of the database
 */
export async function openGround(parts: AppParts): Promise<Ground> {
  const { config, slackApiUrl: apiUrl, morePlugins = [], clock, log } = parts;
  const embedders = new Embedders(config);
  let embedderInUse = embedders.configured;
  const embedder = () => embedderInUse;
  const knowledge = { forTenant: (tenant: TenantId) => store.forTenant(tenant) };
  const fullText = createFullText(config.meilisearch, { storage: knowledge, store: () => store, clock, log });
  const library = createLibrary({ storage: knowledge, embedder, fullText: fullText?.search, log });
  // Before anything is opened: a plugin with a mistake keeps the program from starting.
  const safeFetch = createSafeFetch({ clock, internalOrigins: config.internalOrigins });
  const pin = createPin({ internalOrigins: config.internalOrigins });
  const pageReader = createExtractor(clock, pageLimits);
  const search = new RealTimeSearch({
    slackOf: (tenant) => pool.load(tenant),
    leavesOf: (tenant) => store.forTenant(tenant).searchLeaves,
    log,
  });
  const registry = new Registry(await allPlugins(config, { library, safeFetch, pageReader, slackSearch: search }, morePlugins, clock));

  const servers = await configuredServers(config);
  const ring = await loadKeyRing(config.secretKeys, config.home);
  const database = await Database.open({ url: config.database.url, home: config.home, clock, log, poolSize: config.database.poolSize });
  const [extractor, attachmentReader] = [createExtractor(clock), createExtractor(clock, attachmentLimits)];
  const names = registry.all().map(({ name }) => name);
  const reserved = [...config.plugins.byWorkspace.keys(), ...servers.flatMap(({ workspaces = [] }) => workspaces)];
  const store = createStore(database, new Sealing(ring), names, reserved);
  const onChange = () => fullText?.indexer.wake();
  const ingestion = createIngestion({ storage: knowledge, embedder, extractor, clock, log, onChange });
  const reEmbedder = new ReEmbedder({
    use: store.embedderUse,
    tenants: async () => (await store.tenants.list()).map(({ id }) => id),
    rowsOf: (tenant) => store.forTenant(tenant).embeddings,
    open: (id) => embedders.open(id),
    inUse: (opened) => {
      embedderInUse = opened;
    },
    ...{ clock, log },
  });
  await store.embedderUse.configure(embedders.configured);
  await database.mendVectorIndexes();
  await reEmbedder.adopt();
  const news = new ToolNews({ slackOf: (tenant) => pool.load(tenant), log });
  const external = createExternalServers(servers, { config, store, publicUrl: () => publicUrl(), news, clock, log });
  const reading = { fetch: safeFetch, pin, localFolders: config.gitFolders, clock };
  const filesOf = (tenant: TenantId) => async () => (await pool.load(tenant)).files;
  const sources = new SourceRunner({
    schedule: store.sourceSchedule,
    rowsOf: (tenant) => store.forTenant(tenant).sources,
    open: (tenant, source) => openSource(source, { ...reading, channelFiles: (id) => channelSource(channelId(id), filesOf(tenant)) }),
    ...{ ingestion, clock, log },
  });

  let listening: string | undefined;
  const publicUrl = () => config.http.publicUrl ?? listening ?? `http://${config.http.host}:${config.http.port}`;
  const links = new SourceLinkSigner(linkKey(ring), publicUrl, clock);
  const tokens = createTokens(
    parts,
    store,
    () => pool,
    (tenant) => void external?.forget(tenant),
  );
  const installationOf = (tenant: TenantId) => tokens.finder.byTenant(tenant);
  const fetch = createSafeFetch({ clock, internalOrigins: apiUrl === undefined ? [] : [new URL(apiUrl).origin] });
  const pool: TenantSlackPool = new TenantSlackPool({
    ...{ installationOf, apiUrl, fetch, clock, log },
    refused: (installation) => tokens.refused.refused(installation),
    limitsFactor: config.limits.slackFactor,
  });

  const approvals = new ApprovalDesk({
    callsOf: (tenant) => store.forTenant(tenant).callApprovals,
    slackOf: (tenant) => pool.load(tenant),
    ...{ clock, log },
  });

  const logins = external && createServerLogins(external, { store, slackOf: (tenant) => pool.load(tenant), publicUrl, clock, log });

  return {
    ...parts,
    ...{
      database,
      store,
      library,
      ingestion,
      attachmentReader,
      sources,
      fullText,
      embedders,
      reEmbedder,
      registry,
      search,
      approvals,
      external,
      logins,
      pool,
      tokens,
      links,
      publicUrl,
    },
    listensAt: (url) => {
      listening = url;
    },
    warm: () => {
      embedder().warm?.();
      if (external) void lookAtServers(external, store, log);
    },
    close: async () => {
      await Promise.all([sources.stop(), fullText?.indexer.stop(), reEmbedder.stop()]);
      await external?.close();
      await news.drained();
      await Promise.all([extractor.close(), attachmentReader.close(), pageReader.close(), embedders.close()]);
      await database.close();
    },
  };
}

/** Web pages are read by a process of their own: an answer waits for them, and must not wait for a library that is read in. */
const pageLimits = { noProgressMs: 10_000, inAllMs: 15_000 };

/** Somebody waits for the answer. */
const attachmentLimits = { noProgressMs: 15_000, inAllMs: 40_000 };

/** How many workspaces are looked at: one that cannot be read means that the keys are others, and it is rarely the last. */
const sampledWorkspaces = 20;

/**
 * A process with other keys must not run: it could not read stored tokens and would seal new ones so that the others cannot.
 * @throws AppError SECRET_UNREADABLE
 */
export async function requireReadableTokens(store: Store): Promise<void> {
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

/** Links are signed with a key of their own, so that a signature is worth nothing elsewhere. */
function linkKey({ active, keys }: KeyRing): Buffer {
  return Buffer.from(hkdfSync("sha256", keys.get(active) ?? Buffer.alloc(0), "", "footnote source links", 32));
}
