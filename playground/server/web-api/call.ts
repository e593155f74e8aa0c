import { ApiError } from "../api-error.ts";
import type { Interactions } from "../interactions.ts";
import type { SocketMode } from "../socket-mode.ts";
import { type Channel, type Json, type Person, personIn, type State, type Workspace } from "../state.ts";

/** One call of a method by a bot. */
export interface Call {
  readonly state: State;
  readonly workspace: Workspace;
  readonly args: Args;
  readonly interactions: Interactions;
  /** Present when the token is an organisation's: with the workspaces that it may act in. */
  readonly organisation?: {
    readonly organisation: { readonly id: string; readonly name: string };
    readonly workspaces: readonly Workspace[];
  };
  /** Records something that Slack takes but does not do as asked. */
  readonly note: (problem: string) => void;
}

/** One call with the app-level token. */
export interface AppCall {
  readonly state: State;
  readonly args: Args;
  readonly socket: SocketMode;
  /** The address of the WebSocket for a ticket. */
  readonly socketUrl: (ticket: string) => string;
}

/** How many calls a minute a method allows per workspace: Slack's tiers, or a rule of its own. */
export type Tier = 1 | 2 | 3 | 4 | "post" | "status";

/** A method of the Web API for bot tokens. `run` gives the answer without `ok`, or throws an ApiError. */
export interface BotMethod {
  readonly tier: Tier;
  readonly scope?: string;
  readonly required?: readonly string[];
  readonly run: (call: Call) => Json;
}

/** Arguments that Slack takes as JSON text in a form. */
const structured = new Set(["blocks", "attachments", "metadata", "view", "chunks", "prompts", "loading_messages", "unfurls", "icons"]);

/** Arguments that no record holds. */
const secrets = new Set(["token", "client_secret", "code", "refresh_token"]);

/** A call's arguments, from a form, a JSON body or the query, read by kind. */
export class Args {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(values: ReadonlyMap<string, unknown>) {
    this.#values = values;
  }

  has(name: string): boolean {
    const value = this.#values.get(name);
    return value !== undefined && value !== null && value !== "";
  }

  /** Whether the argument was sent at all, even empty. */
  sent(name: string): boolean {
    return this.#values.get(name) !== undefined;
  }

  string(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : String(value);
  }

  /** For arguments listed in `required`, which are checked before the method runs. */
  need(name: string): string {
    return this.string(name) ?? "";
  }

  flag(name: string): boolean | undefined {
    const value = this.string(name)?.toLowerCase();
    return value === undefined ? undefined : value === "true" || value === "1";
  }

  integer(name: string, fallback: number): number {
    const value = this.string(name);
    if (!value) return fallback;
    if (!/^\d+$/.test(value)) throw new ApiError("invalid_arguments");
    return Number(value);
  }

  /** A list of objects; undefined when not sent. */
  list(name: string, error: string): readonly Json[] | undefined {
    const value = this.#json(name, error);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw new ApiError(error);
    return value as Json[];
  }

  strings(name: string): readonly string[] {
    const value = this.#json(name, "invalid_arguments");
    if (Array.isArray(value)) return value.map(String);
    return typeof value === "string" ? value.split(",") : [];
  }

  object(name: string, error: string): Json | undefined {
    const value = this.#json(name, error);
    if (value === undefined) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError(error);
    return value as Json;
  }

  /** Everything but the token, for the record of calls: structured arguments parsed where they can be. */
  plain(): Json {
    const entries = [...this.#values].filter(([name]) => !secrets.has(name));
    return Object.fromEntries(entries.map(([name, value]) => [name, structured.has(name) ? lenient(value) : value]));
  }

  #json(name: string, error: string): unknown {
    const value = this.#values.get(name);
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string" || !structured.has(name)) return value;
    try {
      return JSON.parse(value);
    } catch {
      throw new ApiError(error);
    }
  }
}

function lenient(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/** The channel an argument names, if this bot may know of it. A foreign or hidden channel is the same as none. */
export function channelOf({ workspace, args }: Call, name = "channel"): Channel {
  const channel = workspace.channels.get(args.need(name));
  if (!channel) throw new ApiError("channel_not_found");
  if (channel.kind !== "public" && !channel.members.has(workspace.bot.id)) throw new ApiError("channel_not_found");
  return channel;
}

/** The person an argument names, as this workspace sees them. */
export function userOf({ state, workspace, args }: Call, name = "user"): Person {
  const person = personIn(state, workspace, args.need(name));
  if (!person) throw new ApiError("user_not_found");
  return person;
}

/**
 * One page of a list, with the cursor to the next; an empty cursor ends.
 * @param fallback items a page when the call does not say
 */
export function page<T>(
  items: readonly T[],
  args: Args,
  fallback: number,
): { readonly items: readonly T[]; readonly response_metadata: Json } {
  const limit = args.integer("limit", fallback);
  if (limit < 1 || limit > 1000) throw new ApiError("invalid_limit");
  const start = args.has("cursor") ? readCursor(args.need("cursor")) : 0;
  const next = start + limit;
  const cursor = next < items.length ? Buffer.from(`next:${next}`).toString("base64") : "";
  return { items: items.slice(start, next), response_metadata: { next_cursor: cursor } };
}

function readCursor(cursor: string): number {
  const [, digits] = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString()) ?? [];
  if (!digits) throw new ApiError("invalid_cursor");
  return Number(digits);
}
