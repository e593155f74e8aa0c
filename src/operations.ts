import type { AnswerSink } from "./agent/events.ts";
import type { HostedResult, HostedTool } from "./agent/tools/hosted-tools.ts";
import type { CallProgress, PersonCallRequest, PersonRequest } from "./agent/tools/person-calls.ts";
import type { Check } from "./core/check.ts";
import type { KnowledgeOperations } from "./operations/knowledge.ts";
import type { ServerOperations } from "./operations/servers.ts";
import type { ExternalDecision, ExternalReport } from "./plugins/external-report.ts";

export type { EvaluationReport, EvaluationRequest } from "./operations/evaluation.ts";
export type { ExternalDecision, ExternalReport, ExternalToolReport } from "./plugins/external-report.ts";

/**
 * What an operator can do from a terminal. The running program offers it over its control socket; without one, the command line
 * opens the data folder itself: both give the same results.
 * Names of workspaces, channels and people are resolved as Slack knows them; unknown ones are AppErrors (WORKSPACE_UNKNOWN, ...).
 */
export interface Operations extends KnowledgeOperations, ServerOperations {
  ask(request: AskRequest, sink: AnswerSink, signal: AbortSignal): Promise<AskReport>;
  ingest(request: IngestRequest, onProgress: (progress: IngestProgress) => void, signal: AbortSignal): Promise<IngestSummary>;
  /** Everything recorded of one answer, ready to print; NOT_FOUND when no workspace has it. */
  trace(id: string): Promise<TraceReport>;
  /** The answers that people found worst. */
  feedback(request: FeedbackRequest): Promise<FeedbackReport>;
  workspaces(): Promise<readonly WorkspaceReport[]>;
  /** Checks the token with Slack and keeps it sealed. The name is Slack's when none is given. */
  addWorkspace(request: { readonly name?: string; readonly botToken: string }): Promise<WorkspaceReport>;
  /** Ends a workspace's answers, destroys its tokens and deletes everything it has; WORKSPACE_UNKNOWN. */
  removeWorkspace(workspace: string): Promise<void>;
  /** Makes a key for the HTTP door. Its text is in this report and nowhere else. */
  addKey(request: KeyRequest): Promise<NewKeyReport>;
  /** The keys of one workspace, or of all. */
  keys(workspace?: string): Promise<readonly KeyReport[]>;
  /** From now on the key is worth nothing; KEY_UNKNOWN when no workspace has it. */
  revokeKey(id: string): Promise<void>;
  /** What only the holder of the database can check: the database and the workspaces in it. */
  diagnose(): Promise<readonly Check[]>;
  /** A workspace's templates for channels, the built-in ones too. */
  templates(workspace: string): Promise<readonly TemplateReport[]>;
  /** Stores a template; TEMPLATE_INVALID lists every mistake with its line. */
  applyTemplate(request: ApplyTemplateRequest): Promise<AppliedTemplateReport>;
  /** The newest version of a template as YAML; TEMPLATE_UNKNOWN. */
  exportTemplate(request: {
    readonly workspace: string;
    readonly name: string;
  }): Promise<{ readonly version: number; readonly yaml: string }>;
  /** Makes a template a channel's assistant; TEMPLATE_UNKNOWN, TEMPLATE_REFUSED. */
  useTemplate(request: UseTemplateRequest): Promise<UseTemplateReport>;
  /** Releases what a feature flag guards to a workspace, or takes it back; FLAG_UNKNOWN when no tool has it. */
  setFlag(request: FlagRequest): Promise<FlagReport>;
  /** Every feature flag that tools have or the workspace was given, by name. */
  flags(workspace: string): Promise<readonly FlagState[]>;
  /** Asks a workspace's external servers what they offer; with what was decided about each tool. */
  externalTools(workspace: string): Promise<ExternalReport>;
  /** Approves tools in the form they were looked at, or takes approvals back. Gives the names for which it was done. */
  decideExternal(request: ExternalDecision): Promise<readonly string[]>;
  /** A private link with which a person logs in at an external server; NOT_FOUND when nobody does there. */
  loginLink(request: PersonRequest & { readonly server: string }): Promise<{ readonly url: string }>;
  /** Destroys what is kept of a person's log-in at an external server. False when there was none. */
  logOut(request: PersonRequest & { readonly server: string }): Promise<boolean>;
  /** The tools that one person may call by themselves, as MCP offers them. */
  personTools(request: PersonRequest): Promise<readonly HostedTool[]>;
  /** Calls one of them; CALL_INVALID when there is no such tool or its arguments do not fit. */
  callPersonTool(request: PersonCallRequest, onProgress: (news: CallProgress) => void, signal: AbortSignal): Promise<HostedResult>;
  /** Folders and websites that a workspace's documents are kept current from. */
  sources(workspace: string): Promise<readonly SourceReport[]>;
  /** SOURCE_EXISTS, SOURCE_INVALID. It is read when it is due, or by `syncSource`. */
  addSource(request: SourceRequest): Promise<SourceReport>;
  /** Reads a source now; SOURCE_UNKNOWN, SOURCE_BUSY. */
  syncSource(request: SyncRequest, signal: AbortSignal): Promise<SourceRunReport>;
  /** Forgets a source and removes its documents; SOURCE_UNKNOWN. */
  removeSource(request: { readonly workspace: string; readonly name: string }): Promise<RemovedSourceReport>;
}

export interface FeedbackRequest {
  readonly workspace: string;
  /** How many answers at most. */
  readonly limit: number;
}

export interface FeedbackReport {
  readonly answers: readonly {
    readonly trace: string;
    /** The channel's name; Slack's id where Slack does not tell it. */
    readonly channel: string;
    /** ISO 8601. */
    readonly answeredAt: string;
    readonly up: number;
    readonly down: number;
    readonly comments: readonly { readonly person: string; readonly text: string }[];
  }[];
  /** How many there are in all. */
  readonly total: number;
}

export interface SourceRequest {
  readonly workspace: string;
  readonly name: string;
  readonly kind: string;
  /** An absolute path, a web address, or a channel's name. */
  readonly address: string;
  /** Who may read its documents: readers of this channel, or this person, or every full member. Of a channel's files always who reads the channel. */
  readonly channel?: string;
  readonly person?: string;
  readonly everyMinutes?: number;
}

export interface SyncRequest {
  readonly workspace: string;
  readonly name: string;
  /** Removes what is gone, also when that is most of it. */
  readonly removeMany?: boolean;
}

export interface SourceReport {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
  readonly everyMinutes: number | null;
  readonly documents: number;
  /** What could not be read or understood, and why. */
  readonly failures: readonly { readonly item: string; readonly reason: string }[];
  readonly lastRun: SourceRunReport | null;
}

/** What one run of a source did. */
export interface SourceRunReport {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  /** "partial": something could not be read and stays as it was; "failed": nothing was changed. */
  readonly status: "ok" | "partial" | "failed";
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly notes: readonly string[];
}

export interface RemovedSourceReport {
  readonly name: string;
  readonly documents: number;
}

export interface TemplateReport {
  readonly name: string;
  readonly title: string;
  /** 0 for a built-in one. */
  readonly version: number;
  readonly model: string | null;
  readonly reply: string;
}

export interface ApplyTemplateRequest {
  readonly workspace: string;
  readonly yaml: string;
  /** Only says what it would change. */
  readonly check?: boolean;
}

export interface AppliedTemplateReport extends TemplateReport {
  readonly status: "added" | "changed" | "unchanged";
  /** What is other than in the newest version before: "- " gone, "+ " new. */
  readonly diff: readonly string[];
}

export interface UseTemplateRequest {
  readonly workspace: string;
  /** The template's name. */
  readonly name: string;
  /** Name of the channel. */
  readonly channel: string;
}

export interface UseTemplateReport {
  readonly name: string;
  readonly channel: string;
  readonly status: "changed" | "unchanged";
}

export interface FlagRequest {
  readonly workspace: string;
  readonly flag: string;
  readonly set: boolean;
}

export interface FlagState {
  readonly flag: string;
  readonly set: boolean;
  /** The tools that it guards; none for one that was given when there were some. */
  readonly tools: readonly string[];
}

export interface FlagReport {
  /** All flags that are set for the workspace now. */
  readonly flags: readonly string[];
}

export interface KeyRequest {
  readonly workspace: string;
  /** Handle of the person in whose name it asks. */
  readonly as: string;
  /** What it is for, e.g. "laptop". */
  readonly name?: string;
  /** At which door it is worth something: questions over HTTP unless given. */
  readonly audience?: "api" | "mcp";
  /** After so many days it is worth nothing. */
  readonly days?: number;
}

export interface KeyReport {
  readonly id: string;
  readonly workspace: string;
  /** Handle; Slack's id for somebody Slack no longer knows. */
  readonly person: string;
  readonly name: string;
  readonly audience: "api" | "mcp";
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface NewKeyReport {
  readonly id: string;
  readonly workspace: string;
  readonly person: string;
  readonly name: string;
  /** For the header `Authorization: Bearer <key>`. */
  readonly key: string;
}

export interface AskRequest {
  readonly question: string;
  /** Name of the workspace. */
  readonly workspace: string;
  /** Name of the channel the answer is for; absent: the person's direct message. */
  readonly channel?: string;
  /** Handle of the person who asks. */
  readonly as: string;
}

export interface AskReport {
  readonly status: "answered" | "limited" | "fallback" | "stopped" | "error";
  readonly answer: string;
  readonly citations: readonly CitationReport[];
  readonly tools: readonly { readonly name: string; readonly status: string; readonly ms: number }[];
  readonly traceId: string;
}

export interface CitationReport {
  readonly n: number;
  readonly title: string;
  /** 1-based; null where the source has no pages. */
  readonly page: number | null;
  readonly url: string | null;
  readonly quote: string;
}

export interface IngestRequest {
  readonly workspace: string;
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[];
  /** Who may see the documents: a channel's readers or one person by name; absent: every full member. */
  readonly channel?: string;
  readonly person?: string;
}

export interface IngestProgress {
  /** Files. */
  readonly done: number;
  readonly total: number;
  readonly path: string;
  /** How far the file at hand has come: pages read, passages embedded or stored. */
  readonly part?: { readonly step: "read" | "embedded" | "stored"; readonly done: number; readonly total: number };
}

export interface IngestSummary {
  readonly files: readonly {
    readonly path: string;
    readonly status: "added" | "replaced" | "unchanged" | "failed";
    readonly passages: number;
    readonly reason?: string;
  }[];
  readonly ms: number;
}

export interface TraceReport {
  readonly workspace: string;
  readonly trace: unknown;
}

export interface WorkspaceReport {
  readonly name: string;
  readonly slackTeamId: string;
  readonly status: string;
}
