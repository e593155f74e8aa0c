import type { AgentClient } from "../agent/client.ts";
import type { AnswerSink } from "../agent/events.ts";
import type { Traces } from "../agent/ports.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isUuid, type TenantId, traceId } from "../core/ids.ts";
import { channelPrincipal, everyone, type Principal, personPrincipal } from "../core/principal.ts";
import type { Ingestion } from "../knowledge/ingest/pipeline.ts";
import type {
  AskReport,
  AskRequest,
  IngestProgress,
  IngestRequest,
  IngestSummary,
  Operations,
  TraceReport,
  WorkspaceReport,
} from "../operations.ts";
import type { Directory, Person, Place } from "../permissions/directory.ts";
import { isReader } from "../permissions/reader.ts";

/** A workspace as the operator names it. */
export interface Workspace {
  readonly tenant: TenantId;
  readonly name: string;
  readonly slackTeamId: string;
  readonly status: string;
}

export interface OperatorParts {
  readonly agent: Pick<AgentClient, "ask">;
  readonly ingestion: Ingestion;
  readonly clock: Clock;
  workspaces(): Promise<readonly Workspace[]>;
  addWorkspace(request: { readonly name?: string; readonly botToken: string }): Promise<Workspace>;
  directory(tenant: TenantId): Promise<Directory>;
  traces(tenant: TenantId): Traces;
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
    const place = channel === undefined ? await directory.directMessage(person.id) : (await readableChannel(directory, person, channel)).id;
    const answer = await this.#parts.agent.ask({ tenant, person: person.id, channel: place, text: question.trim() }, sink, signal);
    const { status, text, citations, tools, traceId: id, error } = answer;
    return {
      status,
      answer: error ? error.message : text,
      citations: citations.map(({ n, source, url }) => ({
        n,
        title: source.title,
        page: source.page ?? null,
        url: url ?? source.url ?? null,
        quote: source.passage,
      })),
      tools: tools.map(({ name, status: outcome, ms }) => ({ name, status: outcome, ms: Math.round(ms) })),
      traceId: id,
    };
  }

  async ingest(request: IngestRequest, onProgress: (progress: IngestProgress) => void, signal: AbortSignal): Promise<IngestSummary> {
    const { clock, ingestion } = this.#parts;
    const begun = clock.monotonic();
    const { tenant } = await this.#workspace(request.workspace);
    const grants = [await this.#grant(tenant, request)];
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

  async #workspace(name: string): Promise<Workspace> {
    const all = await this.#parts.workspaces();
    const found = all.find((workspace) => workspace.name === name || workspace.slackTeamId === name);
    if (!found)
      throw new AppError("WORKSPACE_UNKNOWN", all.length > 0 ? `There are: ${all.map((each) => each.name).join(", ")}.` : undefined);
    return found;
  }

  async #grant(tenant: TenantId, { channel, person }: IngestRequest): Promise<Principal> {
    if (channel === undefined && person === undefined) return everyone;
    const directory = await this.#parts.directory(tenant);
    if (person !== undefined) return personPrincipal((await personNamed(directory, person)).id);
    const place = await directory.findChannel(channel ?? "");
    if (!place) throw new AppError("CHANNEL_UNKNOWN");
    return channelPrincipal(place.id);
  }
}

const reported = ({ name, slackTeamId, status }: Workspace): WorkspaceReport => ({ name, slackTeamId, status });

async function personNamed(directory: Directory, name: string): Promise<Person> {
  const person = await directory.findPerson(name);
  if (!person) throw new AppError("PERSON_UNKNOWN");
  return person;
}

/** A channel that the person reads. One they are not in, and one that does not exist, look the same. */
async function readableChannel(directory: Directory, person: Person, name: string): Promise<Place> {
  const [place, channels, directMessage] = await Promise.all([
    directory.findChannel(name),
    directory.channelsOf(person.id),
    directory.directMessage(person.id),
  ]);
  if (!place || !isReader(place, person, { channels, directMessage })) throw new AppError("CHANNEL_UNKNOWN");
  return place;
}
