import type { AgentClient } from "../../agent/client.ts";
import type { AnswerSink } from "../../agent/events.ts";
import type { TenantFeedback } from "../../agent/feedback.ts";
import type { Traces } from "../../agent/ports.ts";
import type { HostedResult, HostedTool } from "../../agent/tools/hosted-tools.ts";
import type { CallProgress, PersonCallRequest, PersonRequest } from "../../agent/tools/person-calls.ts";
import type { Caller } from "../../agent/tools/tool-access.ts";
import type { Check } from "../../core/check.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { isUuid, type PersonId, type TenantId, traceId } from "../../core/ids.ts";
import type { Ingestion } from "../../knowledge/ingest/pipeline.ts";
import type { EmbedderReport, KnowledgeOperations, MendedReport } from "../../operations/knowledge.ts";
import type { AppliedServerReport, ApplyServersRequest, OwnServerReport } from "../../operations/servers.ts";
import type {
  AppliedTemplateReport,
  ApplyTemplateRequest,
  AskReport,
  AskRequest,
  ExternalDecision,
  ExternalReport,
  FeedbackReport,
  FeedbackRequest,
  FlagReport,
  FlagRequest,
  FlagState,
  IngestProgress,
  IngestRequest,
  IngestSummary,
  KeyReport,
  KeyRequest,
  NewKeyReport,
  Operations,
  RemovedSourceReport,
  SourceReport,
  SourceRequest,
  SourceRunReport,
  SyncRequest,
  TemplateReport,
  TraceReport,
  UseTemplateReport,
  UseTemplateRequest,
  WorkspaceReport,
} from "../../operations.ts";
import type { Directory } from "../../permissions/directory.ts";
import { type ApiKeys, makeKey } from "../api-keys.ts";
import { askReport } from "../ask/ask-report.ts";
import { readablePlace } from "../sources/readable-place.ts";
import type { AssistantOperator } from "./assistant-operator.ts";
import type { ExternalOperator } from "./external-operator.ts";
import { grantNamed, personNamed } from "./named.ts";
import type { PersonOperator } from "./person-operator.ts";
import type { ServerOperator } from "./server-operator.ts";
import type { SourceOperator } from "./source-operator.ts";

/** A workspace as the operator names it. */
export interface Workspace {
  readonly tenant: TenantId;
  readonly name: string;
  readonly slackTeamId: string;
  readonly status: string;
}

export interface OperatorParts {
  readonly agent: Pick<AgentClient, "ask">;
  readonly persons: PersonOperator;
  readonly ingestion: Ingestion;
  readonly clock: Clock;
  workspaces(): Promise<readonly Workspace[]>;
  addWorkspace(request: { readonly name?: string; readonly botToken: string }): Promise<Workspace>;
  removeWorkspace(tenant: TenantId): Promise<void>;
  directory(tenant: TenantId): Promise<Directory>;
  traces(tenant: TenantId): Traces;
  feedback(tenant: TenantId): Pick<TenantFeedback, "worst">;
  keys(tenant: TenantId): ApiKeys;
  diagnose(): Promise<readonly Check[]>;
  readonly assistants: AssistantOperator;
  readonly knowledge: KnowledgeOperations;
  readonly sources: SourceOperator;
  readonly external: ExternalOperator;
  readonly servers: ServerOperator;
}

/** The operator's door: names become ids, and asking goes through the same agent with the same permissions as in Slack. */
export class Operator implements Operations {
  readonly #parts: OperatorParts;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  async ask({ question, workspace, channel, as }: AskRequest, sink: AnswerSink, signal: AbortSignal): Promise<AskReport> {
    const { tenant } = await this.#workspace(workspace);
    const directory = await this.#parts.directory(tenant);
    const person = await personNamed(directory, as);
    const place = channel === undefined ? await directory.directMessage(person.id) : (await readablePlace(directory, person, channel)).id;
    const answer = await this.#parts.agent.ask({ tenant, person: person.id, channel: place, text: question.trim() }, sink, signal);
    return askReport(answer);
  }

  async loginLink({ server, ...whose }: PersonRequest & { readonly server: string }): Promise<{ readonly url: string }> {
    return this.#parts.persons.loginLink(await this.#caller(whose), server);
  }

  async logOut({ server, ...whose }: PersonRequest & { readonly server: string }): Promise<boolean> {
    return this.#parts.persons.logOut(await this.#caller(whose), server);
  }

  async personTools(whose: PersonRequest): Promise<readonly HostedTool[]> {
    return this.#parts.persons.tools(await this.#caller(whose));
  }

  async callPersonTool(request: PersonCallRequest, onProgress: (news: CallProgress) => void, signal: AbortSignal): Promise<HostedResult> {
    return this.#parts.persons.call(await this.#caller(request), request, onProgress, signal);
  }

  async #caller({ workspace, as }: PersonRequest): Promise<Caller> {
    const { tenant } = await this.#workspace(workspace);
    const directory = await this.#parts.directory(tenant);
    const { id: person } = await personNamed(directory, as);
    return { tenant, person, channel: await directory.directMessage(person) };
  }

  async ingest(request: IngestRequest, onProgress: (progress: IngestProgress) => void, signal: AbortSignal): Promise<IngestSummary> {
    const { clock, ingestion } = this.#parts;
    const begun = clock.monotonic();
    const { tenant } = await this.#workspace(request.workspace);
    const grants = [await grantNamed(() => this.#parts.directory(tenant), request)];
    const reports = await ingestion.ingest({ paths: request.paths }, { tenant, grants, signal, onProgress });
    return {
      files: reports.map(({ path, status, passages, reason }) => ({ path, status, passages, ...(reason !== undefined && { reason }) })),
      ms: Math.round(clock.monotonic() - begun),
    };
  }

  async trace(id: string): Promise<TraceReport> {
    if (isUuid(id)) {
      for (const { tenant, name } of await this.#parts.workspaces()) {
        const trace = await this.#parts.traces(tenant).find(traceId(id));
        if (trace) return { workspace: name, trace };
      }
    }
    throw new AppError("NOT_FOUND", "No workspace has a trace of that id.");
  }

  async workspaces(): Promise<readonly WorkspaceReport[]> {
    return (await this.#parts.workspaces()).map(reported);
  }

  async addWorkspace(request: { readonly name?: string; readonly botToken: string }): Promise<WorkspaceReport> {
    return reported(await this.#parts.addWorkspace(request));
  }

  async removeWorkspace(name: string): Promise<void> {
    await this.#parts.removeWorkspace((await this.#workspace(name)).tenant);
  }

  async addKey({ workspace, as, name = "key", audience = "api", days }: KeyRequest): Promise<NewKeyReport> {
    const { tenant, name: found } = await this.#workspace(workspace);
    const person = await personNamed(await this.#parts.directory(tenant), as);
    const { id, text, secretHash } = makeKey(tenant);
    await this.#parts.keys(tenant).add({ id, person: person.id, name, secretHash, audience, ...(days !== undefined && { days }) });
    return { id, workspace: found, person: person.name, name, key: text.reveal() };
  }

  async keys(workspace?: string): Promise<readonly KeyReport[]> {
    const workspaces = workspace === undefined ? await this.#parts.workspaces() : [await this.#workspace(workspace)];
    return (await Promise.all(workspaces.map((each) => this.#keysOf(each)))).flat();
  }

  async revokeKey(id: string): Promise<void> {
    for (const { tenant } of await this.#parts.workspaces()) {
      if (await this.#parts.keys(tenant).revoke(id)) return;
    }
    throw new AppError("KEY_UNKNOWN");
  }

  async feedback({ workspace, limit }: FeedbackRequest): Promise<FeedbackReport> {
    const { tenant } = await this.#workspace(workspace);
    const { answers, total } = await this.#parts.feedback(tenant).worst({ limit, offset: 0 });
    // A suspended workspace has feedback too, but nobody to ask for names.
    const directory = answers.length > 0 ? await this.#parts.directory(tenant).catch(() => undefined) : undefined;
    const nameOf = async (person: PersonId) => (await directory?.person(person))?.name ?? person;
    const named = answers.map(async ({ trace, channel, answeredAt, up, down, comments }) => ({
      ...{ trace, channel: (await directory?.place(channel))?.name ?? channel, answeredAt: answeredAt.toISOString(), up, down },
      comments: await Promise.all(comments.map(async ({ person, text }) => ({ person: await nameOf(person), text }))),
    }));
    return { answers: await Promise.all(named), total };
  }

  async templates(workspace: string): Promise<readonly TemplateReport[]> {
    return this.#parts.assistants.templates((await this.#workspace(workspace)).tenant);
  }

  async exportTemplate({ workspace, name }: { readonly workspace: string; readonly name: string }) {
    return this.#parts.assistants.export((await this.#workspace(workspace)).tenant, name);
  }

  async applyTemplate({ workspace, yaml, check }: ApplyTemplateRequest): Promise<AppliedTemplateReport> {
    return this.#parts.assistants.apply((await this.#workspace(workspace)).tenant, yaml, check);
  }

  async useTemplate(request: UseTemplateRequest): Promise<UseTemplateReport> {
    const { tenant } = await this.#workspace(request.workspace);
    return this.#parts.assistants.use(tenant, await this.#parts.directory(tenant), request);
  }

  async setFlag(request: FlagRequest): Promise<FlagReport> {
    return this.#parts.assistants.flag((await this.#workspace(request.workspace)).tenant, request);
  }

  async flags(workspace: string): Promise<readonly FlagState[]> {
    return this.#parts.assistants.flags((await this.#workspace(workspace)).tenant);
  }

  async externalTools(workspace: string): Promise<ExternalReport> {
    return this.#parts.external.list((await this.#workspace(workspace)).tenant);
  }

  async decideExternal(request: ExternalDecision): Promise<readonly string[]> {
    return this.#parts.external.decide((await this.#workspace(request.workspace)).tenant, request);
  }

  async ownServers(workspace: string): Promise<readonly OwnServerReport[]> {
    return this.#parts.servers.list((await this.#workspace(workspace)).tenant);
  }

  async applyServers(request: ApplyServersRequest): Promise<readonly AppliedServerReport[]> {
    return this.#parts.servers.apply((await this.#workspace(request.workspace)).tenant, request);
  }

  async removeServer({ workspace, name }: { readonly workspace: string; readonly name: string }): Promise<void> {
    return this.#parts.servers.remove((await this.#workspace(workspace)).tenant, name);
  }

  async sources(workspace: string): Promise<readonly SourceReport[]> {
    return this.#parts.sources.list((await this.#workspace(workspace)).tenant);
  }

  async addSource({ workspace, ...source }: SourceRequest): Promise<SourceReport> {
    const { tenant } = await this.#workspace(workspace);
    if (source.kind === "slack") return this.#parts.sources.follow(tenant, source);
    return this.#parts.sources.add(tenant, source, await grantNamed(() => this.#parts.directory(tenant), source));
  }

  async syncSource({ workspace, name, removeMany = false }: SyncRequest, signal: AbortSignal): Promise<SourceRunReport> {
    return this.#parts.sources.sync((await this.#workspace(workspace)).tenant, name, { removeMany, onProgress: () => {} }, signal);
  }

  async removeSource({ workspace, name }: { readonly workspace: string; readonly name: string }): Promise<RemovedSourceReport> {
    return this.#parts.sources.remove((await this.#workspace(workspace)).tenant, name);
  }

  async mendFullText({ workspace }: { readonly workspace?: string }): Promise<readonly MendedReport[]> {
    return this.#parts.knowledge.mendFullText(workspace === undefined ? {} : { workspace: (await this.#workspace(workspace)).name });
  }

  embedders(): Promise<readonly EmbedderReport[]> {
    return this.#parts.knowledge.embedders();
  }

  useEmbedder(name: string): Promise<readonly EmbedderReport[]> {
    return this.#parts.knowledge.useEmbedder(name);
  }

  forgetEmbedder(name: string): Promise<readonly EmbedderReport[]> {
    return this.#parts.knowledge.forgetEmbedder(name);
  }

  diagnose(): Promise<readonly Check[]> {
    return this.#parts.diagnose();
  }

  async #keysOf({ tenant, name: workspace }: Workspace): Promise<readonly KeyReport[]> {
    const keys = await this.#parts.keys(tenant).list();
    // A suspended workspace has keys too, but nobody to ask for names.
    const directory = keys.length > 0 ? await this.#parts.directory(tenant).catch(() => undefined) : undefined;
    return Promise.all(
      keys.map(async ({ id, person, name, audience, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
        ...{ id, workspace, person: (await directory?.person(person))?.name ?? person, name, audience },
        expiresAt: expiresAt?.toISOString() ?? null,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        revokedAt: revokedAt?.toISOString() ?? null,
      })),
    );
  }

  async #workspace(name: string): Promise<Workspace> {
    const all = await this.#parts.workspaces();
    // Ids first: a workspace's name is its own admins' choice, and could be another one's id.
    const found = all.find(({ slackTeamId }) => slackTeamId === name) ?? all.find((workspace) => workspace.name === name);
    if (!found)
      throw new AppError("WORKSPACE_UNKNOWN", all.length > 0 ? `There are: ${all.map((each) => each.name).join(", ")}.` : undefined);
    return found;
  }
}

const reported = ({ name, slackTeamId, status }: Workspace): WorkspaceReport => ({ name, slackTeamId, status });
