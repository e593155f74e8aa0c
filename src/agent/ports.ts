import type { ChannelId, MessageTs, PassageId, PersonId, TenantId, TraceId } from "../core/ids.ts";
import type { Rights } from "../permissions/audience.ts";
import type { Directory } from "../permissions/directory.ts";
import type { ToolChoices } from "../permissions/enabled-tools.ts";
import type { FormField, Source, Tool, ToolEffect } from "../plugins/contract.ts";
import type { Spending } from "./spending.ts";
import type { ChannelTemplates } from "./templates/template.ts";
import type { TraceRecord } from "./trace.ts";

/** What somebody wants to know, where they ask it, and what is already known of the place. */
export interface Question {
  readonly tenant: TenantId;
  readonly person: PersonId;
  readonly channel: ChannelId;
  /** Thread the answer belongs to; absent outside Slack (terminal, API without a thread). */
  readonly thread?: MessageTs;
  /** The question's own message, so that history ends before it. */
  readonly message?: MessageTs;
  /** Markdown as the person meant it: mentions of the bot removed, Slack's escapes undone. */
  readonly text: string;
  /** What was sent along, as text. It is read like what a tool finds: somebody else's words, with numbers to cite. */
  readonly attachments?: Attachments;
  /** With whose rights it is answered in a channel; those of every member unless given. */
  readonly rights?: Rights;
  /** What its asker has added so far while it is answered, in order. Asked before every step. Absent where nothing can be added. */
  readonly additions?: () => Promise<readonly Addition[]>;
}

/** A further message of the asker's, for the answer that is being made. */
export interface Addition {
  readonly message: MessageTs;
  /** Markdown, as a question's. */
  readonly text: string;
}

/** What comes with a question beside its words. */
export interface Attachments {
  readonly read: readonly Attachment[];
  /** A sentence for each file that could not be read, or not whole: file names are somebody else's words, too. */
  readonly notes: readonly string[];
}

/** A file of a question, or a message that it is about. */
export interface Attachment {
  /** Unique within the question. */
  readonly id: string;
  readonly name: string;
  readonly passages: readonly Pick<Source, "passage" | "page" | "pageEnd" | "pageName" | "heading">[];
}

/** What the agent needs to know about one tenant; everything is already bound to it. */
export interface TenantAgentPorts {
  readonly directory: Directory;
  readonly choices: Choices;
  /** Tools beside the registered ones, which come and go. Absent where there are none. */
  readonly external?: { tools(): Promise<readonly Tool[]> };
  /** Absent where nobody can be asked to allow a call: then none that needs a click is made. */
  readonly approvals?: Approvals;
  /** Absent where nobody can be led to a log-in: then no tool that needs one is called for somebody without. */
  readonly logins?: PersonLogins;
  /** Absent where no channel has a template. */
  readonly templates?: ChannelTemplates;
  readonly threads: Threads;
  /** Absent where nothing can be kept: then the oldest messages of long threads are left out. */
  readonly summaries?: ThreadSummaries;
  readonly traces: Traces;
  readonly links: SourceLinks;
  /** Absent where nothing is counted. */
  readonly spending?: Spending;
}

/** What the tenant, the channel and the person say about tools. Read anew at every step of an answer. */
export interface Choices {
  /** @param external names of tools beside the registered ones */
  read(channel: ChannelId, person: PersonId, thread?: MessageTs, external?: readonly string[]): Promise<ToolChoices>;
}

/** Our own memory of Slack threads: Slack's history endpoint may be limited to one call a minute. */
export interface Threads {
  /** The newest `limit` messages of a thread before `before` (exclusive), oldest first. */
  history(channel: ChannelId, thread: MessageTs, limit: number, before?: MessageTs): Promise<readonly ThreadMessage[]>;
}

export interface ThreadMessage {
  readonly ts: MessageTs;
  readonly author: "person" | "assistant";
  readonly person?: PersonId;
  readonly text: string;
}

/** Summaries of long threads' older messages. One thread has at most one. */
export interface ThreadSummaries {
  find(channel: ChannelId, thread: MessageTs): Promise<ThreadSummary | undefined>;
  /** Replaces the thread's summary, unless that reaches further already. */
  save(channel: ChannelId, thread: MessageTs, summary: ThreadSummary): Promise<void>;
}

export interface ThreadSummary {
  readonly text: string;
  /** The first message that it does not cover, a person's. */
  readonly until: MessageTs;
}

/** Keeps finished traces. */
export interface Traces {
  save(trace: TraceRecord): Promise<void>;
  find(id: TraceId): Promise<TraceRecord | undefined>;
}

/** Makes addresses that open a passage for the readers of an answer: signed, limited in time, permission checked again at the click. */
export interface SourceLinks {
  /** @param reader where and for whom the answer was made: the audience is worked out anew from it when the link is opened */
  passage(passage: PassageId, reader: { readonly channel: ChannelId; readonly person: PersonId }): string;
}

/** A call that waits for its asker's click. All of it is shown, and exactly this runs. */
export interface CallToAllow {
  /**
   * What is asked in the middle of a call, absent for the call itself: an answer to a question of the service ("question"), whether a model may
   * write something for it from these words ("model-request"), whether what it wrote goes back ("model-reply").
   */
  readonly about?: "question" | "model-request" | "model-reply";
  /** How much a model may write, in tokens. */
  readonly tokens?: number;
  readonly tool: string;
  readonly title: string;
  /** The external server that gets the arguments. */
  readonly server?: string;
  readonly effect: ToolEffect;
  /** Of the tool as the model knew it: another form of it is another call. */
  readonly fingerprint: string;
  /** The arguments as JSON with sorted keys. */
  readonly arguments: string;
  /** Whether the click may count for the rest of the thread. */
  readonly mayRemember: boolean;
  /** Whether onlookers must not see the arguments: text that not everybody may read is among what the model has read. */
  readonly confidential: boolean;
  /** Fields to be filled in, where a service asks for something; none: nothing can be changed. Without it a change is one of the arguments as a text. */
  readonly form?: readonly FormField[];
  /** What is wrong with arguments that the asker has changed or filled in, as a sentence. */
  check?(params: unknown): string | undefined;
  /** Whether it finds what only the asker may see, where everybody in the channel reads what comes of it. */
  readonly readByAll?: boolean;
}

/** What came of asking. "too-long": the arguments cannot be shown whole; "running": it was begun in an earlier try at this answer and its end is not known; "done": it ran in one. */
export type Permission =
  | {
      readonly verdict: "allowed";
      /** What the asker has made of the arguments, as JSON. This runs, and nothing else. */
      readonly edited?: string;
      /** Marks the call as running, just before it runs. False: it is no longer this call's turn, since it was begun elsewhere. */
      begin(): Promise<boolean>;
      finished(): Promise<void>;
    }
  | { readonly verdict: "denied" | "expired" | "running" | "done" | "nobody" | "too-long" };

/** Has people log in at external servers. */
export interface PersonLogins {
  /**
   * Gives whoever asked the question a private link, and waits until they have logged in. "nobody": there is no way to reach them here.
   * Rejects with the signal's reason.
   * @param asked called when they have the link
   */
  ask(
    question: Question,
    at: { readonly server: string; readonly title: string },
    signal: AbortSignal,
    asked: () => void,
  ): Promise<"logged-in" | "expired" | "nobody">;
}

/** Asks people to allow calls. */
export interface Approvals {
  /**
   * Waits for the click of whoever asked the question. An allowed call may run once, after `begin`: until then it counts as not made.
   * "nobody" means that there is no way to ask here. Rejects with the signal's reason.
   * @param waiting called when people are asked now
   */
  ask(question: Question, call: CallToAllow, signal: AbortSignal, waiting: () => void): Promise<Permission>;
}
