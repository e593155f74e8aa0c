import type { Socket } from "node:net";
import type { AgentEvent } from "../agent/events.ts";
import type { CallProgress, PersonCallRequest, PersonRequest } from "../agent/tools/person-calls.ts";
import type { ApplyServersRequest } from "../operations/servers.ts";
import type {
  ApplyTemplateRequest,
  AskRequest,
  ExternalDecision,
  FeedbackRequest,
  FlagRequest,
  IngestProgress,
  IngestRequest,
  KeyRequest,
  SourceRequest,
  SyncRequest,
  UseTemplateRequest,
} from "../operations.ts";

/** What the command line sends: one JSON line. */
export type ControlRequest =
  | { readonly operation: "ask"; readonly request: AskRequest }
  | { readonly operation: "ingest"; readonly request: IngestRequest }
  | { readonly operation: "trace"; readonly id: string }
  | { readonly operation: "feedback"; readonly request: FeedbackRequest }
  | { readonly operation: "workspaces" }
  | { readonly operation: "addWorkspace"; readonly request: { readonly name?: string; readonly botToken: string } }
  | { readonly operation: "removeWorkspace"; readonly workspace: string }
  | { readonly operation: "addKey"; readonly request: KeyRequest }
  | { readonly operation: "keys"; readonly workspace?: string }
  | { readonly operation: "revokeKey"; readonly id: string }
  | { readonly operation: "diagnose" }
  | { readonly operation: "templates"; readonly workspace: string }
  | { readonly operation: "applyTemplate"; readonly request: ApplyTemplateRequest }
  | { readonly operation: "exportTemplate"; readonly request: { readonly workspace: string; readonly name: string } }
  | { readonly operation: "useTemplate"; readonly request: UseTemplateRequest }
  | { readonly operation: "sources"; readonly workspace: string }
  | { readonly operation: "addSource"; readonly request: SourceRequest }
  | { readonly operation: "syncSource"; readonly request: SyncRequest }
  | { readonly operation: "removeSource"; readonly request: { readonly workspace: string; readonly name: string } }
  | { readonly operation: "externalTools"; readonly workspace: string }
  | { readonly operation: "decideExternal"; readonly request: ExternalDecision }
  | { readonly operation: "ownServers"; readonly workspace: string }
  | { readonly operation: "applyServers"; readonly request: ApplyServersRequest }
  | { readonly operation: "removeServer"; readonly request: { readonly workspace: string; readonly name: string } }
  | { readonly operation: "loginLink"; readonly request: PersonRequest & { readonly server: string } }
  | { readonly operation: "logOut"; readonly request: PersonRequest & { readonly server: string } }
  | { readonly operation: "personTools"; readonly request: PersonRequest }
  | { readonly operation: "callPersonTool"; readonly request: PersonCallRequest }
  | { readonly operation: "mendFullText"; readonly request: { readonly workspace?: string } }
  | { readonly operation: "embedders" }
  | { readonly operation: "useEmbedder"; readonly name: string }
  | { readonly operation: "forgetEmbedder"; readonly name: string }
  | { readonly operation: "flags"; readonly workspace: string }
  | { readonly operation: "setFlag"; readonly request: FlagRequest };

/** What comes back, a JSON line each: any number of events or progress reports, then one result or error. */
export type ControlReply =
  | { readonly type: "event"; readonly event: AgentEvent }
  | { readonly type: "progress"; readonly progress: IngestProgress }
  | { readonly type: "call-progress"; readonly news: CallProgress }
  | { readonly type: "result"; readonly result: unknown }
  | { readonly type: "error"; readonly code: string; readonly message: string };

/** The JSON lines that arrive on a connection. Ends when it closes, however it does (readline would wait for ever on a destroyed socket). */
export async function* jsonLines(socket: Socket): AsyncGenerator<unknown> {
  let rest = "";
  try {
    for await (const chunk of socket.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line);
    }
  } catch (thrown) {
    if (!socket.destroyed || thrown instanceof SyntaxError) throw thrown;
  }
}
