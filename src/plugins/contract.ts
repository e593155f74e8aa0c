import type { Clock } from "../core/clock.ts";
import type { ChannelId, DocumentId, MessageTs, PersonId, TenantId } from "../core/ids.ts";
import type { JsonSchema } from "../core/json-schema.ts";
import type { Logger } from "../core/logger.ts";
import type { Principal } from "../core/principal.ts";

/** A named set of tools. A plugin's entry only lists what it offers. */
export interface Plugin {
  /** Lower case, digits and hyphens, at most 64 characters, unique. */
  readonly name: string;
  readonly tools: readonly Tool[];
  /** Version of this contract; plugins that come as a package must say it, so that a change cannot break them unseen. */
  readonly contractVersion?: 1;
  /** The package it was loaded from, for messages; set by the program. Absent: part of this project. */
  readonly package?: string;
}

/** What a plugin author writes: one object, one file, one thing the agent can do. Keeps no state between calls. */
export interface Tool<Params = unknown> {
  /** snake_case, at most 64 characters, unique over all plugins. */
  readonly name: string;
  /** For the model: what it does, when to use it. Ends with a full stop. */
  readonly description: string;
  /** Every property described. Arguments are validated against it before `execute`. */
  readonly parameters: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** What a call may do. Absent: what the annotations say; a tool that does not say that it only reads is taken to change something. */
  readonly effect?: ToolEffect;
  /** Name of the external server whose tool this is, for the people who are asked to allow a call. */
  readonly server?: string;
  /** For tools that each person calls with a log-in of their own: at which server, and whether somebody has one. */
  readonly login?: ToolLogin;
  /** Time limit of one call in milliseconds: 30,000 unless given, 300,000 at most. */
  readonly timeoutMs?: number;
  /** How long a result may be used again for the same question of the same readers, in milliseconds, a day at most; not at all unless given. For reading only. */
  readonly freshMs?: number;
  /** Longest text handed to the model in characters, sources included: 65,536 unless given. */
  readonly outputLimit?: number;
  /** Name of the operator's feature flag without which the tool is not released to a tenant. */
  readonly featureFlag?: string;
  /** Reads one tenant's settings. Returns why the tool cannot run there, as a sentence for people, or nothing. */
  configure?(settings: Settings): string | undefined;
  /** For search services that an admin trusts: the words a call sends out. Short ones without an address may go without a click. */
  trustedQuery?(params: Params): string;
  /** For tools that open an address: which one. One that the asker wrote or that a result named may be opened without a click. */
  opensAddress?(params: Params): string;
  /** The line people see while it runs, e.g. `Searching the documents for "parental leave"`. Must not throw. */
  describeCall?(params: Params): string;
  /** May throw: the runner turns a throw into a result with status "error". Must stop when `context.signal` aborts. */
  execute(params: Params, context: ToolContext): Promise<ToolResult>;
}

/** A log-in that a tool needs. */
export interface ToolLogin {
  /** The server's name, as the operator lists it, and its title for people. */
  readonly server: string;
  readonly title: string;
  ready(tenant: TenantId, person: PersonId): Promise<boolean>;
}

/**
 * What a call may do, which decides whether a person must click first. Set by whoever installs the tool (plugin author, operator,
 * admin), never by what an external server says of itself. "read-inside": the tenant's own documents, for the answer's readers;
 * "read-outside": a service elsewhere learns the arguments; "side-effect": changes something; "destructive": changes what cannot be
 * brought back; "unknown": nobody has said.
 */
export type ToolEffect = "read-inside" | "read-outside" | "side-effect" | "destructive" | "unknown";

export interface ToolAnnotations {
  /** Short name for people. */
  readonly title?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly openWorld?: boolean;
}

/** Who asks, for whose eyes, and until when. Holds no Slack client and no store: what isn't there cannot leak. */
export interface ToolContext {
  readonly tenant: TenantId;
  readonly person: PersonId;
  /** Where the question was asked, and its own message, where there is one. */
  readonly asked?: { readonly channel: ChannelId; readonly message?: MessageTs };
  readonly audience: Audience;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /**
   * Puts a service's question to whoever asked, with the answer that would be given: gives what they confirm, which is exactly that or what
   * they have filled in; undefined when they say no. Absent where nobody can be asked. One question at a time; after a no, all others are a no.
   * @param withdrawn aborts when the service no longer wants to know
   */
  readonly confirm?: (question: ServiceQuestion, withdrawn?: AbortSignal) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /**
   * Has the workspace's language model write something for a service, from the service's own words alone: after a click of whoever asked, and
   * what was written is given only after another. Undefined when they say no. Absent where nobody can be asked.
   */
  readonly writeFor?: (request: WritingRequest, withdrawn?: AbortSignal) => Promise<Written | undefined>;
  /** Tells people how far the call is, in a few words. */
  progress(label: string): void;
}

/** What a service wants to know in the middle of a call. */
export interface ServiceQuestion {
  /** The service's own words: shown as such. */
  readonly message: string;
  /** What it proposes. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly fields: readonly FormField[];
}

/** What a service wants a language model to write. Every word of it is the service's own. */
export interface WritingRequest {
  readonly system?: string;
  /** In order; the last one is answered. */
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  /** How long the service wants it at most. */
  readonly maxTokens: number;
}

export interface Written {
  readonly text: string;
  /** False when it was cut at its length. */
  readonly complete: boolean;
}

/** A field of a form that a person fills in. */
export interface FormField {
  readonly name: string;
  /** For people; the service's words. */
  readonly label: string;
  readonly kind: "text" | "number" | "integer" | "yes-no" | "choice";
  readonly required: boolean;
  /** Of a choice. */
  readonly options?: readonly string[];
}

/** Everybody who will be able to read the answer, as the set of grants it may draw on. */
export interface Audience {
  /** Equal for two audiences exactly when they may see the same: part of every cache key. */
  readonly key: string;
  /** A document may be used when at least one of its grants is in this list. Empty means: none. */
  readonly principals: readonly Principal[];
}

/** What a call gives back: text for the model, facts for people, sources for both. */
export interface ToolResult {
  readonly type: "text" | "resource" | "image";
  /** For the model. Sources need not be repeated here: the agent appends them numbered, so that [n] means one thing per answer. */
  readonly content: string;
  readonly metadata: ToolResultMetadata;
  readonly status: "success" | "error" | "denied";
  /** Present exactly when status is not "success". */
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
}

export interface ToolResultMetadata {
  readonly sources?: readonly Source[];
  /** How many hits there were, for the activity line. */
  readonly count?: number;
  /** Whether what was read may be read by the whole workspace. Absent: not known, so it is taken as private where the place is. */
  readonly public?: boolean;
  /** Set by the runner: it was got before, and took this long then. */
  readonly cached?: { readonly savedMs: number };
  /** Sentences people should see with the answer, e.g. that one search side was down. */
  readonly notices?: readonly string[];
}

/** Something that can be cited. */
export interface Source {
  /** The same id is the same source and gets the same number within one answer (a passage's id, a page's address). */
  readonly id: string;
  readonly title: string;
  /** A public address. Absent for documents: their link is made when the answer is shown. */
  readonly url?: string;
  /** The quoted text. */
  readonly passage: string;
  /** 1-based page of the document on which the passage begins. */
  readonly page?: number;
  /** Page on which it ends, where that is another one. */
  readonly pageEnd?: number;
  /** What the document calls the page where the passage begins, if that is not "page" and its position: "slide 3", "page iv". */
  readonly pageName?: string;
  /** Path of headings, outermost first, joined by " > ". */
  readonly heading?: string;
  /** When it was written or retrieved, ISO 8601. */
  readonly timestamp?: string;
  /** When it was fetched, for what changes, ISO 8601. */
  readonly retrievedAt?: string;
  /** 0 to 1, comparable within one answer only. */
  readonly relevance: number;
  readonly documentId?: DocumentId;
  /** Its text may be read and told, and must not be kept. */
  readonly transient?: true;
}

/** A tenant's plugin settings, by plugin-defined names. `workspace` is always the workspace's own name. */
export type Settings = Readonly<Record<string, string>>;
