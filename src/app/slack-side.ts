import type { Models } from "../agent/model/configured.ts";
import { AudienceWatch } from "../bot/audience/audience-watch.ts";
import { reachOf } from "../bot/audience/reach.ts";
import { Commands } from "../bot/commands/commands.ts";
import { ReplyRules } from "../bot/commands/reply-rules.ts";
import { responder } from "../bot/commands/response-url.ts";
import { type AttachmentParts, readAttachments } from "../bot/documents/attachments.ts";
import { DocumentDesk } from "../bot/documents/document-desk.ts";
import { sourceOf } from "../bot/documents/file-store.ts";
import { ChannelWatch } from "../bot/documents/following/channel-watch.ts";
import { Inbox } from "../bot/in/inbox.ts";
import { createSlackApp, type SlackApp } from "../bot/in/slack-app.ts";
import { SlackStream } from "../bot/out/slack-stream.ts";
import { notice } from "../bot/surfaces/notices.ts";
import { actingPerson } from "../bot/surfaces/roles/grant-role.ts";
import { Surface } from "../bot/surfaces/surface.ts";
import { additionsTo } from "../bot/turns/additions.ts";
import { nameThread } from "../bot/turns/name-thread.ts";
import { type PrepareParts, prepareTurn } from "../bot/turns/prepare-turn.ts";
import { TurnControl } from "../bot/turns/turn-control.ts";
import type { StartedTurn } from "../bot/turns/turn-store.ts";
import { Turns } from "../bot/turns/turns.ts";
import { tellThatItWaits } from "../bot/turns/waiting-notice.ts";
import { ReaderWords } from "../bot/words/reader-words.ts";
import type { SlackConfig } from "../config.ts";
import type { TenantId } from "../core/ids.ts";
import type { Answering } from "./agent.ts";
import { externalOperator, serverDesk } from "./external-servers.ts";
import { Foresight } from "./foresight.ts";
import type { Ground } from "./ground.ts";
import { connectionsAt } from "./server-logins.ts";

/** Everything between Slack and the agent: what comes in, the turns, the commands, what goes out. */
export interface SlackSide {
  /** A channel's template was changed elsewhere. */
  templateChanged(tenant: TenantId): void;
  /** Receives from Slack and works questions off. */
  receive(slack: SlackConfig): Promise<void>;
  /** Present once it receives. */
  readonly app: SlackApp | undefined;
  /** Takes nothing new any more; resolves when the commands in hand are done. */
  stopReceiving(): Promise<void>;
  /** Running answers get their time. */
  stopAnswering(graceMs: number): Promise<void>;
}

export function createSlackSide(ground: Ground, { agent, trials }: Answering, models: Models): SlackSide {
  const { config, store, pool, registry, library, links, external, logins, clock, log, slackApiUrl: apiUrl } = ground;
  const turnsOf = (tenant: TenantId) => store.forTenant(tenant).turns;

  const readers = new ReaderWords();
  const foresight = new Foresight(ground);
  const turns = new Turns(
    {
      queue: store.queue,
      turnsOf,
      prepare: async (tenant, turn) => {
        const { directory, reader, bot, files, agentView } = await pool.load(tenant);
        const said = foresight.of(tenant, turn);
        const { threads, searches } = store.forTenant(tenant);
        // Begun anew because others read along now, perhaps at another process: what is known of the place may be old.
        if (turn.earlierAttempts > 0) directory.forget(turn.channel);
        const spoken = await readers.load(tenant, turn.person, directory);
        const words = spoken.answer;
        const reading: AttachmentParts = { files, extractor: ground.attachmentReader, words: spoken, log };
        const readFiles = (of: StartedTurn) => readAttachments(of.files ?? [], { tenant, person: of.person, channel: of.channel }, reading);
        const audiences = { inChannel: () => said.rights };
        const reach: PrepareParts["reach"] = (at, asker) => reachOf(at, asker, { directory, audiences, searches });
        const understanding = { directory, rows: threads, slack: reader, bot, reach, readFiles };
        const prepared = await prepareTurn(turn, {
          ...understanding,
          counterQuestion: words.askWhat,
          askAboutFiles: words.askAboutFiles,
          log,
        });
        void nameThread(turn, prepared, { directory, agentView, log });
        return prepared;
      },
      ask: (question, sink, signal) => agent.ask(question, sink, signal, foresight.known(question)),
      additions: async (lease) => {
        const { directory, bot } = await pool.load(lease.tenant);
        return additionsTo(lease, { turns: turnsOf(lease.tenant), directory, bot });
      },
      openSink: (target, journal) => {
        const { writer, teamId } = pool.loaded(target.tenant);
        const reader = { ...target, recipientTeam: target.recipientTeam ?? teamId };
        const words = readers.loaded(target.tenant, target.person).answer;
        return new SlackStream(reader, journal, { writer, clock, log, words, streaming: config.slackStreaming });
      },
      clock,
      log,
    },
    { perTenant: config.limits.tenantAnswers, perProcess: config.limits.processAnswers },
  );

  const inbox = new Inbox({
    turnsOf,
    nudge: () => turns.nudge(),
    keepPlace: () => turns.keepPlace(),
    foresee: (tenant, message) => foresight.begin(tenant, message),
    limits: config.limits.queue,
    refuse: async (tenant, { channel, person, thread }) => {
      const { writer, directory } = await pool.load(tenant);
      const { answer } = await readers.load(tenant, person, directory);
      await writer.postEphemeral(channel, person, notice(answer.queueFull), thread);
    },
    waits: async (tenant, message) => {
      const { writer, directory, bot } = await pool.load(tenant);
      const { answer: words } = await readers.load(tenant, message.person, directory);
      await tellThatItWaits(message, { changes: store.forTenant(tenant).changes, directory, writer, bot, words });
    },
    log,
  });

  const control = new TurnControl({
    changesOf: (tenant) => store.forTenant(tenant).changes,
    limits: config.limits.queue,
    refused: (...refusal) => inbox.refused(...refusal),
    personNow: async (tenant, person) => (await pool.load(tenant)).directory.personNow(person),
    turns,
    tell: async (tenant, { channel, person, thread }, outcome) => {
      const { writer, directory } = await pool.load(tenant);
      const { answer } = await readers.load(tenant, person, directory);
      const sentence = outcome === "not-yours" ? answer.notYours : answer.nothingRuns;
      await writer.postEphemeral(channel, person, notice(sentence), thread);
    },
    log,
  });

  const channelFiles = new ChannelWatch({
    sourcesOf: (tenant) => store.forTenant(tenant).sources,
    runner: ground.sources,
    ...{ ingestion: ground.ingestion, log },
  });

  const documents = new DocumentDesk({
    filesOf: (tenant) => store.forTenant(tenant).files,
    slackOf: (tenant) => pool.load(tenant),
    personNow: async (tenant, id) =>
      actingPerson({ directory: (await pool.load(tenant)).directory, roles: store.forTenant(tenant).roles }, id, clock),
    documentOf: async (tenant, file) => (await store.forTenant(tenant).documents.findBySource(sourceOf(file)))?.id,
    forgetQuotes: (tenant, file) => store.forTenant(tenant).traces.forgetFile(file),
    sourcesLook: (tenant) => channelFiles.changed(tenant),
    ...{ ingestion: ground.ingestion, log },
  });

  const audience = new AudienceWatch({
    directoryOf: async (tenant) => (await pool.load(tenant)).directory,
    changesOf: (tenant) => store.forTenant(tenant).changes,
    ...{ turns, log },
  });

  const outside = (tenant: TenantId) => {
    if (!external || !logins) return undefined;
    const servers = serverDesk(external, ground, tenant);
    return {
      moreTools: () => external.tools(tenant),
      connections: connectionsAt(external, logins, tenant),
      ...(servers && { servers }),
    };
  };
  const replyRules = new ReplyRules((tenant) => store.forTenant(tenant).templates);
  const templateChanged = replyRules.forget.bind(replyRules);
  const commands = new Commands({
    desk: async (tenant) => {
      const { commands, templates, choices, audiences, roles, files, sources, externalTools } = store.forTenant(tenant);
      const { directory, writer } = await pool.load(tenant);
      const more = external && {
        external: externalTools,
        externalReport: () => externalOperator(external, store).list(tenant),
        ...outside(tenant),
      };
      return { commands, templates, choices, audiences, roles, files, sources, directory, writer, ...more };
    },
    tools: registry.all(),
    models: models.names,
    ...{ inbox, documents },
    respond: responder(apiUrl),
    templateChanged,
    clock,
    log,
  });

  const surface = new Surface({
    desk: async (tenant) => {
      const { commands, templates, templateDesk, choices, traces, feedback, home, searches, audiences, roles, files, sources, ...rest } =
        store.forTenant(tenant);
      const { directory, writer, views, agentView, bot } = await pool.load(tenant);
      const reading = { library: library.forTenant(tenant), traces, feedback, home, bot, links: links.forTenant(tenant) };
      const kept = { commands, templates, templateDesk, choices, audiences, roles, searches, files, sources };
      const rows = { ...kept, changes: rest.changes, usage: rest.spending };
      return { ...rows, directory, writer, views, agentView, ...reading, ...outside(tenant) };
    },
    tools: registry.all(),
    models: models.names,
    templateChanged,
    ...{ inbox, documents, channelFiles },
    serverOrigins: config.workspaceServers.origins,
    tryOut: trials.tryOut.bind(trials),
    added: turns.added.bind(turns),
    respond: responder(apiUrl),
    clock,
    log,
  });

  const { installations, departures } = ground.tokens;
  let app: SlackApp | undefined;
  return {
    templateChanged,
    get app() {
      return app;
    },
    receive: async ({ appToken, signingSecret }) => {
      departures.start();
      ground.logins?.departed.start();
      const context = {
        commands,
        surface,
        control,
        documents,
        channelFiles,
        audience,
        departures,
        approvals: ground.approvals,
        search: ground.search,
        replyRule: replyRules.of.bind(replyRules),
      };
      app = createSlackApp({ mode: config.slackMode, appToken, signingSecret, apiUrl, installations, inbox, context, clock, log });
      turns.start();
      await app.start();
    },
    stopReceiving: async () => {
      await Promise.all([app?.stop(), departures.stop(), ground.logins?.departed.stop(), ground.tokens.refused.settled()]);
      trials.stop();
      await Promise.all([commands.drained(), surface.drained(), documents.drained(), ground.approvals.drained()]);
    },
    stopAnswering: async (graceMs) => {
      await turns.stop({ graceMs });
      await ground.logins?.desk.drained();
    },
  };
}
