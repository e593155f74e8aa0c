import { connect, type Socket } from "node:net";
import type { AnswerSink } from "../agent/events.ts";
import type { HostedResult, HostedTool } from "../agent/tools/hosted-tools.ts";
import type { Check } from "../core/check.ts";
import { AppError, type ErrorCode } from "../core/errors.ts";
import type { EmbedderReport, MendedReport } from "../operations/knowledge.ts";
import type { AppliedServerReport, OwnServerReport } from "../operations/servers.ts";
import type {
  AppliedTemplateReport,
  AskReport,
  ExternalReport,
  FeedbackReport,
  FlagReport,
  FlagState,
  IngestProgress,
  IngestSummary,
  KeyReport,
  NewKeyReport,
  Operations,
  RemovedSourceReport,
  SourceReport,
  SourceRunReport,
  TemplateReport,
  TraceReport,
  UseTemplateReport,
  WorkspaceReport,
} from "../operations.ts";
import { controlAddress, socketFolderIsOurs } from "./control-address.ts";
import { type ControlReply, type ControlRequest, jsonLines } from "./control-protocol.ts";

/** The Operations of the program that runs on this data folder, or undefined when none does. */
export async function connectToRunning(home: string): Promise<Operations | undefined> {
  if (!socketFolderIsOurs(home, { make: false })) return undefined;
  const address = controlAddress(home);
  const probe = await open(address);
  if (!probe) return undefined;
  probe.destroy();

  const send = <Result>(request: ControlRequest, onReply: (reply: ControlReply) => void = () => {}, signal?: AbortSignal) =>
    exchange<Result>(address, request, onReply, signal);
  return {
    ask: (request, sink: AnswerSink, signal) =>
      send<AskReport>({ operation: "ask", request }, (reply) => reply.type === "event" && void sink.write(reply.event), signal),
    ingest: (request, onProgress: (progress: IngestProgress) => void, signal) =>
      send<IngestSummary>({ operation: "ingest", request }, (reply) => reply.type === "progress" && onProgress(reply.progress), signal),
    trace: (id) => send<TraceReport>({ operation: "trace", id }),
    workspaces: () => send<readonly WorkspaceReport[]>({ operation: "workspaces" }),
    addWorkspace: (request) => send<WorkspaceReport>({ operation: "addWorkspace", request }),
    removeWorkspace: (workspace) => send<void>({ operation: "removeWorkspace", workspace }),
    addKey: (request) => send<NewKeyReport>({ operation: "addKey", request }),
    keys: (workspace) => send<readonly KeyReport[]>({ operation: "keys", ...(workspace !== undefined && { workspace }) }),
    revokeKey: (id) => send<void>({ operation: "revokeKey", id }),
    diagnose: () => send<readonly Check[]>({ operation: "diagnose" }),
    feedback: (request) => send<FeedbackReport>({ operation: "feedback", request }),
    templates: (workspace) => send<readonly TemplateReport[]>({ operation: "templates", workspace }),
    exportTemplate: (request) => send<{ readonly version: number; readonly yaml: string }>({ operation: "exportTemplate", request }),
    applyTemplate: (request) => send<AppliedTemplateReport>({ operation: "applyTemplate", request }),
    useTemplate: (request) => send<UseTemplateReport>({ operation: "useTemplate", request }),
    sources: (workspace) => send<readonly SourceReport[]>({ operation: "sources", workspace }),
    addSource: (request) => send<SourceReport>({ operation: "addSource", request }),
    syncSource: (request, signal) => send<SourceRunReport>({ operation: "syncSource", request }, () => {}, signal),
    removeSource: (request) => send<RemovedSourceReport>({ operation: "removeSource", request }),
    externalTools: (workspace) => send<ExternalReport>({ operation: "externalTools", workspace }),
    decideExternal: (request) => send<readonly string[]>({ operation: "decideExternal", request }),
    ownServers: (workspace) => send<readonly OwnServerReport[]>({ operation: "ownServers", workspace }),
    applyServers: (request) => send<readonly AppliedServerReport[]>({ operation: "applyServers", request }),
    removeServer: (request) => send<void>({ operation: "removeServer", request }),
    loginLink: (request) => send<{ readonly url: string }>({ operation: "loginLink", request }),
    logOut: (request) => send<boolean>({ operation: "logOut", request }),
    personTools: (request) => send<readonly HostedTool[]>({ operation: "personTools", request }),
    callPersonTool: (request, onProgress, signal) =>
      send<HostedResult>(
        { operation: "callPersonTool", request },
        (reply) => reply.type === "call-progress" && onProgress(reply.news),
        signal,
      ),
    mendFullText: (request) => send<readonly MendedReport[]>({ operation: "mendFullText", request }),
    embedders: () => send<readonly EmbedderReport[]>({ operation: "embedders" }),
    useEmbedder: (name) => send<readonly EmbedderReport[]>({ operation: "useEmbedder", name }),
    forgetEmbedder: (name) => send<readonly EmbedderReport[]>({ operation: "forgetEmbedder", name }),
    flags: (workspace) => send<readonly FlagState[]>({ operation: "flags", workspace }),
    setFlag: (request) => send<FlagReport>({ operation: "setFlag", request }),
  };
}

async function exchange<Result>(
  address: string,
  request: ControlRequest,
  onReply: (reply: ControlReply) => void,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const socket = await open(address);
  if (!socket) throw new AppError("PROGRAM_GONE");
  const abort = () => socket.destroy();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of jsonLines(socket)) {
      const reply = line as ControlReply;
      if (reply.type === "result") return reply.result as Result;
      if (reply.type === "error") throw new RemoteError(reply.code as ErrorCode, reply.message);
      onReply(reply);
    }
    throw signal?.aborted ? signal.reason : new AppError("PROGRAM_GONE");
  } finally {
    signal?.removeEventListener("abort", abort);
    socket.destroy();
  }
}

/** An AppError of the running program, with its sentence as it was. */
class RemoteError extends AppError {
  constructor(code: ErrorCode, message: string) {
    super(code);
    this.message = message;
  }
}

function open(address: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else reject(error);
    });
  });
}
