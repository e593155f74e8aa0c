import type { Clock } from "../../../src/core/clock.ts";
import { ApiError } from "../api-error.ts";
import { type Fault, Faults } from "../faults.ts";
import type { Interactions } from "../interactions.ts";
import type { OAuth } from "../oauth.ts";
import { RateLimits } from "../rate-limits.ts";
import { Recorded } from "../record.ts";
import type { SocketMode } from "../socket-mode.ts";
import type { Json, State, Workspace } from "../state.ts";
import { appMethods, openMethods } from "./apps.ts";
import { assistantMethods } from "./assistant.ts";
import { authMethods } from "./auth.ts";
import { Args, type BotMethod } from "./call.ts";
import { chatMethods } from "./chat.ts";
import { streamMethods } from "./chat-stream.ts";
import { conversationMethods } from "./conversations.ts";
import { fileMethods } from "./files.ts";
import { reactionMethods } from "./reactions.ts";
import { scopeHeader } from "./scopes.ts";
import { searchMethods } from "./search.ts";
import { userMethods } from "./users.ts";
import { viewMethods } from "./views.ts";

const botMethods: Readonly<Record<string, BotMethod>> = {
  ...assistantMethods,
  ...authMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...reactionMethods,
  ...searchMethods,
  ...streamMethods,
  ...userMethods,
  ...viewMethods,
};

/** One call of the Web API as it came in and was answered. */
export interface CallRecord {
  readonly method: string;
  /** Name of the workspace whose token was used. */
  readonly workspace?: string;
  /** Without the token. */
  readonly args: Json;
  /** Monotonic milliseconds when it arrived, and when it was answered. */
  readonly at: number;
  answeredAt?: number;
  status?: number;
  response?: Json;
}

/** Something the bot did that Slack refuses or mends silently. */
export interface Problem {
  readonly method: string;
  readonly workspace?: string;
  readonly error: string;
  readonly details: readonly string[];
}

/** What goes back over HTTP. `broken` means: close the connection without an answer. */
export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly broken?: boolean;
}

export interface DispatchParts {
  readonly state: State;
  readonly interactions: Interactions;
  readonly oauth: OAuth;
  readonly socket: SocketMode;
  readonly socketUrl: (ticket: string) => string;
  readonly appToken: string;
  readonly limited: boolean;
}

/** Finds the method, checks the token and the arguments, applies faults and limits, and keeps a record. */
export class Dispatch {
  readonly calls: Recorded<CallRecord>;
  readonly problems: Recorded<Problem>;
  readonly faults = new Faults();
  readonly #parts: DispatchParts;
  readonly #clock: Clock;
  readonly #limits: RateLimits;
  readonly #stop = new AbortController();

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.calls = new Recorded(parts.state.keep);
    this.problems = new Recorded(parts.state.keep);
    this.#clock = parts.state.clock;
    this.#limits = new RateLimits(parts.state.clock);
  }

  stop(): void {
    this.#stop.abort(new Error("the fake Slack has stopped"));
  }

  async answer(method: string, token: string | undefined, values: ReadonlyMap<string, unknown>): Promise<ApiReply> {
    const args = new Args(values);
    const workspace = this.#parts.oauth.workspaceOf(token, args);
    const record: CallRecord = { method, ...(workspace && { workspace: workspace.name }), args: args.plain(), at: this.#clock.monotonic() };
    this.calls.add(record);
    const reply = await this.#withFaults(record, workspace, () => this.#run(method, token, workspace, args));
    record.answeredAt = this.#clock.monotonic();
    record.status = reply.status;
    if (reply.body) record.response = reply.body;
    this.#parts.state.announce({ type: "record" });
    return reply;
  }

  async #withFaults(record: CallRecord, workspace: Workspace | undefined, run: () => ApiReply): Promise<ApiReply> {
    const fault = this.faults.take(record.method, workspace?.name);
    if (!fault) return run();
    if (fault.hangMs) await this.#clock.sleep(fault.hangMs, this.#stop.signal).catch(() => undefined);
    if (fault.afterStoring) run();
    return failure(fault) ?? run();
  }

  #run(method: string, token: string | undefined, workspace: Workspace | undefined, args: Args): ApiReply {
    try {
      return this.#call(method, token, workspace, args);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const details = (thrown.extra.response_metadata as { messages?: string[] } | undefined)?.messages ?? [];
      this.problems.add({ method, ...(workspace && { workspace: workspace.name }), error: thrown.code, details });
      return { status: 200, body: { ok: false, error: thrown.code, ...thrown.extra } };
    }
  }

  #call(method: string, token: string | undefined, workspace: Workspace | undefined, args: Args): ApiReply {
    const { state, interactions, oauth, socket, socketUrl, appToken, limited } = this.#parts;
    if (method === "oauth.v2.access") return ok(oauth.access(args));
    const open = openMethods[method];
    if (open) return ok(open(state, args));
    const forApp = appMethods[method];
    const forBot = botMethods[method];
    if (!forApp && !forBot) throw new ApiError("unknown_method", { req_method: method });
    if (!token) throw new ApiError("not_authed");
    if (forApp) {
      if (workspace) throw new ApiError("not_allowed_token_type");
      if (token !== appToken) throw new ApiError("invalid_auth");
      return ok(forApp({ state, args, socket, socketUrl }));
    }
    if (token === appToken) throw new ApiError("not_allowed_token_type");
    if (!workspace || !forBot) throw new ApiError("invalid_auth");
    if (oauth.hasExpired(token)) throw new ApiError("token_expired");
    if (!workspace.installed) throw new ApiError("token_revoked");
    // Bolt names the team in every call. Another team than the token's means that two tenants were mixed up.
    if (args.has("team_id") && args.need("team_id") !== workspace.teamId) throw new ApiError("team_access_not_granted");
    if (forBot.scope && workspace.scopes && !workspace.scopes.includes(forBot.scope)) {
      throw new ApiError("missing_scope", { needed: forBot.scope, provided: workspace.scopes.join(",") });
    }
    const wait = limited ? this.#limits.take(workspace.teamId, method, forBot.tier, args.string("channel")) : undefined;
    if (wait !== undefined) return tooMany(wait);
    const note = (error: string) => this.problems.add({ method, workspace: workspace.name, error, details: [] });
    const missing = (forBot.required ?? []).filter((name) => !args.has(name));
    if (missing.length > 0) throw missingArguments(missing);
    const organisation = oauth.organisationOf(token);
    const call = { state, workspace, args, interactions, note, ...(organisation && { organisation }) };
    return { ...ok(forBot.run(call)), headers: scopeHeader(workspace) };
  }
}

const ok = (body: Json): ApiReply => ({ status: 200, body: { ok: true, ...body } });

const tooMany = (seconds: number): ApiReply => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: { ok: false, error: "ratelimited" },
});

const missingArguments = (names: readonly string[]): ApiError =>
  new ApiError("invalid_arguments", {
    response_metadata: { messages: names.map((name) => `[ERROR] missing required field: ${name}`) },
  });

/** The answer a fault gives, or nothing when it only delayed. */
function failure(fault: Fault): ApiReply | undefined {
  if (fault.error) return { status: 200, body: { ok: false, error: fault.error } };
  if (fault.retryAfter !== undefined) return tooMany(fault.retryAfter);
  if (fault.httpStatus) return { status: fault.httpStatus };
  return fault.afterStoring ? { status: 0, broken: true } : undefined;
}
