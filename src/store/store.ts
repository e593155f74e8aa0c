import type { TenantId } from "../core/ids.ts";
import type { Database } from "./database.ts";
import { ApiKeyRepository } from "./repositories/api-keys.ts";
import { AppRoleRepository } from "./repositories/app-roles.ts";
import { CallApprovalRepository } from "./repositories/call-approvals.ts";
import { ChannelAudienceRepository } from "./repositories/channel-audiences.ts";
import { CommandRepository } from "./repositories/commands.ts";
import { DepartureRepository } from "./repositories/departures.ts";
import { DocumentRepository } from "./repositories/documents.ts";
import { EmbedderUseRepository } from "./repositories/embedder-use.ts";
import { EmbeddingRepository } from "./repositories/embeddings.ts";
import { ExternalToolRepository } from "./repositories/external-tools.ts";
import { FeedbackRepository } from "./repositories/feedback.ts";
import { FullTextIndexRepository } from "./repositories/full-text-index.ts";
import { HomeRepository } from "./repositories/home.ts";
import { InstallStateRepository } from "./repositories/install-states.ts";
import { InstallationRepository } from "./repositories/installations.ts";
import { LoginRepository } from "./repositories/logins.ts";
import { PassageRepository } from "./repositories/passages.ts";
import { PrivateSearchRepository } from "./repositories/private-searches.ts";
import { SearchLeaveRepository } from "./repositories/search-leaves.ts";
import { SlackFileRepository } from "./repositories/slack-files.ts";
import { SourceScheduleRepository } from "./repositories/source-schedule.ts";
import { SourceRepository } from "./repositories/sources.ts";
import { rememberBudgets, SpendingRepository } from "./repositories/spending.ts";
import { TemplateDeskRepository } from "./repositories/template-desk.ts";
import { TemplateRepository } from "./repositories/templates.ts";
import { TenantRepository } from "./repositories/tenants.ts";
import { ThreadSummaryRepository } from "./repositories/thread-summaries.ts";
import { ThreadRepository } from "./repositories/threads.ts";
import { ToolChoiceRepository } from "./repositories/tool-choices.ts";
import { TraceRepository } from "./repositories/traces.ts";
import { TurnChangeRepository } from "./repositories/turn-changes.ts";
import { TurnQueueRepository } from "./repositories/turn-queue.ts";
import { TurnRepository } from "./repositories/turns.ts";
import { WorkspaceServerRepository } from "./repositories/workspace-servers.ts";
import type { Sealing } from "./sealing.ts";

/** What one tenant has stored. No method takes a tenant's id. */
export interface TenantStore {
  readonly installation: InstallationRepository;
  readonly choices: ToolChoiceRepository;
  /** Calls that wait for a click. */
  readonly callApprovals: CallApprovalRepository;
  /** Tools of external servers, and which of them admins have approved. */
  readonly externalTools: ExternalToolRepository;
  readonly logins: LoginRepository;
  /** External servers that admins have added. */
  readonly servers: WorkspaceServerRepository;
  readonly templates: TemplateRepository;
  /** Templates as they are written and tried out in Slack. */
  readonly templateDesk: TemplateDeskRepository;
  readonly commands: CommandRepository;
  readonly turns: TurnRepository;
  /** What people do about questions they have asked. */
  readonly changes: TurnChangeRepository;
  readonly threads: ThreadRepository;
  readonly summaries: ThreadSummaryRepository;
  readonly traces: TraceRepository;
  readonly feedback: FeedbackRepository;
  readonly home: HomeRepository;
  /** Questions that were asked once more in a direct message. */
  readonly searches: PrivateSearchRepository;
  /** Slack's leave to search for single questions. */
  readonly searchLeaves: SearchLeaveRepository;
  /** Documents that were added from Slack. */
  readonly files: SlackFileRepository;
  /** With whose rights channels are answered. */
  readonly audiences: ChannelAudienceRepository;
  /** Roles that were given to members. */
  readonly roles: AppRoleRepository;
  /** What answers cost, and what they may. */
  readonly spending: SpendingRepository;
  readonly documents: DocumentRepository;
  readonly passages: PassageRepository;
  readonly embeddings: EmbeddingRepository;
  /** What a full-text index beside the database holds of the documents. */
  readonly fullTextIndex: FullTextIndexRepository;
  readonly keys: ApiKeyRepository;
  readonly sources: SourceRepository;
}

/** The stored state of the program. `forTenant` is the only way to a tenant's. */
export interface Store {
  readonly tenants: TenantRepository;
  readonly installStates: InstallStateRepository;
  readonly queue: TurnQueueRepository;
  /** Workspaces that have removed the app. */
  readonly departures: DepartureRepository;
  readonly sourceSchedule: SourceScheduleRepository;
  readonly embedderUse: EmbedderUseRepository;
  forTenant(id: TenantId): TenantStore;
}

/**
 * @param tools names of all registered tools
 * @param reserved names of workspaces that the operator's configuration gives something to
 */
export function createStore(database: Database, sealing: Sealing, tools: readonly string[], reserved: readonly string[] = []): Store {
  const budgets = rememberBudgets();
  return {
    tenants: new TenantRepository(database.system, new Set(reserved)),
    installStates: new InstallStateRepository(database.system),
    queue: new TurnQueueRepository(database.system),
    departures: new DepartureRepository(database.system, (id) => database.forTenant(id)),
    sourceSchedule: new SourceScheduleRepository(database.system),
    embedderUse: new EmbedderUseRepository(database.system),
    forTenant: (id) => ({
      installation: new InstallationRepository(id, database.forTenant(id), sealing),
      choices: new ToolChoiceRepository(id, database.forTenant(id), tools),
      callApprovals: new CallApprovalRepository(id, database.forTenant(id)),
      externalTools: new ExternalToolRepository(id, database.forTenant(id)),
      logins: new LoginRepository(id, database.forTenant(id), sealing),
      servers: new WorkspaceServerRepository(id, database.forTenant(id), sealing),
      templates: new TemplateRepository(id, database.forTenant(id)),
      templateDesk: new TemplateDeskRepository(id, database.forTenant(id)),
      commands: new CommandRepository(id, database.forTenant(id)),
      turns: new TurnRepository(database.forTenant(id), id),
      changes: new TurnChangeRepository(database.forTenant(id), id),
      threads: new ThreadRepository(database.forTenant(id), id),
      summaries: new ThreadSummaryRepository(database.forTenant(id), id),
      traces: new TraceRepository(database.forTenant(id), id),
      feedback: new FeedbackRepository(database.forTenant(id), id),
      home: new HomeRepository(database.forTenant(id)),
      searches: new PrivateSearchRepository(id, database.forTenant(id)),
      searchLeaves: new SearchLeaveRepository(id, database.forTenant(id), sealing),
      files: new SlackFileRepository(id, database.forTenant(id)),
      audiences: new ChannelAudienceRepository(id, database.forTenant(id)),
      roles: new AppRoleRepository(id, database.forTenant(id)),
      spending: new SpendingRepository(id, database.forTenant(id), budgets),
      documents: new DocumentRepository(database.forTenant(id), id),
      passages: new PassageRepository(database.forTenant(id), id),
      embeddings: new EmbeddingRepository(id, database.forTenant(id)),
      fullTextIndex: new FullTextIndexRepository(id, database.forTenant(id)),
      keys: new ApiKeyRepository(database.forTenant(id), id),
      sources: new SourceRepository(database.forTenant(id), id),
    }),
  };
}
