import type { ToolEffect } from "./contract.ts";

/** A tool as its server describes it. Everything in it is the server's word and untrusted. */
export interface ToolDefinition {
  /** The server's own name for it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Kept for the comparison alone; results are not judged by it. */
  readonly outputSchema?: unknown;
  /** What the server says of itself. Shown to admins, never acted upon. */
  readonly annotations?: unknown;
}

/** A tool as a server offers it now. */
export interface OfferedTool {
  /** The server's own name for it. */
  readonly tool: string;
  /** Our name for it. */
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly fingerprint: string;
}

/** A tool as an admin has approved it; the server offers it unchanged, as far as is known. */
export interface ApprovedTool extends OfferedTool {
  readonly server: string;
  /** What the admin says that it may do. */
  readonly effect?: ToolEffect;
}

/** A tool of a server with what an admin has to decide about it. */
export interface KnownTool extends OfferedTool {
  readonly server: string;
  /** "changed": it was approved in another form. "gone": the server no longer offers it. */
  readonly status: "new" | "approved" | "changed" | "gone";
  /** What was approved, for the comparison. */
  readonly approved?: ToolDefinition;
  readonly effect?: ToolEffect;
}

/** What one tenant knows of its external servers' tools and has decided about them. */
export interface ExternalTools {
  /** Notes what a server offers now. Gives our names of those that newly wait for an admin, each form of a tool once: never seen, or changed since they were approved. `partial`: it is what one person is offered; others may be offered more. */
  offered(server: string, tools: readonly OfferedTool[], scope?: { readonly partial: boolean }): Promise<readonly string[]>;
  /**
   * Those that may be called, as they were approved.
   * @param perPerson servers that may offer each person a form of their own: what one person was offered last takes no tool from the others.
   * Whether it is still the approved form is found out for whoever calls.
   */
  approved(perPerson?: readonly string[]): Promise<readonly ApprovedTool[]>;
}

/** Characters of a fingerprint that are shown: less would not tell two forms of a tool apart for sure. */
const SHOWN_FINGERPRINT = 12;

export const shownFingerprint = (fingerprint: string): string => fingerprint.slice(0, SHOWN_FINGERPRINT);

/** Whether what somebody has looked at, as shown or whole, is this form of a tool. What is approved is the whole. */
export const isForm = (looked: string, fingerprint: string): boolean =>
  looked.length >= SHOWN_FINGERPRINT && fingerprint.startsWith(looked);

/** The same for whoever decides: an admin or an operator. */
export interface ToolApprovals {
  list(): Promise<readonly KnownTool[]>;
  /**
   * Approves tools in the form they have been shown in. Gives our names of those that are approved now; one that has changed since is not.
   * @param shown by our name, with the fingerprint of what was looked at
   */
  approve(shown: ReadonlyMap<string, string>, effect: ToolEffect | undefined, actor: string): Promise<readonly string[]>;
  /** Takes approvals back. Gives our names of those that were approved. */
  revoke(names: readonly string[], actor: string): Promise<readonly string[]>;
}
