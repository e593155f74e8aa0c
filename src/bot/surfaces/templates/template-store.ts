import type { ChannelTemplate } from "../../../agent/templates/template.ts";
import type { ChannelId, MessageTs, PersonId } from "../../../core/ids.ts";
import type { Once, StoredTemplate } from "../../commands/command-store.ts";
import type { Slice } from "../home/home-store.ts";

/** One version of a template, without what is in it. */
export interface TemplateVersion {
  readonly version: number;
  /** Slack's id of a person, or "operator". */
  readonly author: string;
  readonly createdAt: Date;
}

/** What became of a template that was sent in. "stale": another version is the newest by now, and nothing was stored. */
export type Saved =
  | { readonly status: "added" | "changed" | "unchanged"; readonly version: number }
  | { readonly status: "stale" | "seen" };

/** A question that was asked in a channel, in Slack's own form. */
export interface AskedQuestion {
  /** The question's turn. */
  readonly turn: string;
  readonly person: PersonId;
  readonly askedAt: Date;
  readonly text: string;
}

/** One tenant's templates, as far as they are written, compared and tried out in Slack. */
export interface TemplateDesk {
  /** Stores a template as the next version, if `onto` (0: none of the workspace's own) is still the newest. One transaction with its lines in the audit log. */
  save(once: Once, template: ChannelTemplate, onto: number): Promise<Saved>;
  /** Newest first. */
  versions(name: string, slice: Slice): Promise<{ readonly versions: readonly TemplateVersion[]; readonly total: number }>;
  version(name: string, version: number): Promise<StoredTemplate | undefined>;
  /** Keeps what stands in a form for a day, for its author alone. @returns its id */
  keepDraft(template: ChannelTemplate, author: PersonId): Promise<string>;
  draft(id: string, author: PersonId): Promise<ChannelTemplate | undefined>;
  /** The newest questions that were asked in a channel. */
  lastQuestions(channel: ChannelId, limit: number): Promise<readonly AskedQuestion[]>;
  /** Makes a template hold in a thread, once. False when it was done before. */
  startThread(once: Once, channel: ChannelId, thread: MessageTs, name: string): Promise<boolean>;
}
