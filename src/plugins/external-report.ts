import type { ToolEffect } from "./contract.ts";
import type { KnownTool } from "./external-tools.ts";

/** A workspace's external servers and their tools, for whoever decides about them. */
export interface ExternalReport {
  readonly servers: readonly {
    readonly name: string;
    /** What is wrong with it; null when it answers. */
    readonly problem: string | null;
    /** Tools that cannot be offered at all. */
    readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  }[];
  readonly tools: readonly ExternalToolReport[];
}

export interface ExternalToolReport {
  readonly name: string;
  readonly server: string;
  readonly status: KnownTool["status"];
  /** What an admin has said that it may do. */
  readonly effect: ToolEffect | null;
  /** The beginning of its fingerprint: approving names it, so that only the form that was looked at is approved. */
  readonly fingerprint: string;
  /** Its definition, or what has changed in it since it was approved. */
  readonly text: string;
}

export interface ExternalDecision {
  readonly workspace: string;
  /** By name, the fingerprint that was looked at; "" when an approval is taken back. */
  readonly tools: Readonly<Record<string, string>>;
  readonly approve: boolean;
  readonly effect?: Exclude<ToolEffect, "unknown">;
}
