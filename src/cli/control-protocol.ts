import type { AgentEvent } from "../agent/events.ts";
import type { AskRequest, IngestProgress, IngestRequest } from "../operations.ts";

/** What the command line sends: one JSON line. */
export type ControlRequest =
  | { readonly operation: "ask"; readonly request: AskRequest }
  | { readonly operation: "ingest"; readonly request: IngestRequest }
  | { readonly operation: "trace"; readonly id: string }
  | { readonly operation: "workspaces" }
  | { readonly operation: "addWorkspace"; readonly request: { readonly name?: string; readonly botToken: string } };

/** What comes back, a JSON line each: any number of events or progress reports, then one result or error. */
export type ControlReply =
  | { readonly type: "event"; readonly event: AgentEvent }
  | { readonly type: "progress"; readonly progress: IngestProgress }
  | { readonly type: "result"; readonly result: unknown }
  | { readonly type: "error"; readonly code: string; readonly message: string };
