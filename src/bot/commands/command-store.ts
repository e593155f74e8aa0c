import type { ChannelTemplate } from "../../agent/templates/template.ts";
import type { ChannelId, MessageTs } from "../../core/ids.ts";
import type { SwitchPlace, ToggleScope } from "../../permissions/toggles.ts";

/** Who tried to change what, where. Ids and names of things; never what somebody wrote. */
export interface Attempt {
  /** Slack's id of the person, or "operator". */
  readonly actor: string;
  readonly action:
    | ("tool-on" | "tool-off" | "tool-lock" | "tool-unlock" | "template-use" | "template-apply" | "flag-set" | "flag-unset")
    | ("template-roll-back" | "template-start")
    | ("external-approve" | "external-revoke" | "call-allow" | "call-deny")
    | ("audience-set" | "audience-changed" | "search-privately" | "answer-share")
    | ("document-add" | "document-remove" | "source-add" | "source-remove" | "source-read")
    | ("role-grant" | "role-revoke")
    | "budget-set"
    | ("server-add" | "server-change" | "server-remove" | "login-remove");
  /** The tool, template, flag or server; of a role its name, whose it is and how long; of a log-in its server and whose it was. */
  readonly subject: string;
  readonly scope?: ToggleScope;
  readonly channel?: ChannelId;
  readonly thread?: MessageTs;
}

/** Something to carry out once. Slack may deliver its command several times: under the same key. */
export interface Once {
  readonly key: string;
  readonly attempts: readonly Attempt[];
}

/** One tenant's commands as stored. Each of the first three is one transaction: the key, the change and its lines in the audit log. */
export interface TenantCommands {
  /** Takes a key for a command that changes nothing here; its attempts are noted, as refused unless said otherwise. False when it was taken before. */
  take(once: Once, noted?: "refused" | "done"): Promise<boolean>;
  /**
   * Switches tools, by their registered names. Switching on takes back what the same scope has off; in a channel it also adds a tool
   * that the template leaves out. Gives the tools for which something changed, or "seen".
   */
  switchTools(
    once: Once,
    change: { readonly state: "on" | "off"; readonly tools: readonly string[]; readonly at: SwitchPlace },
  ): Promise<readonly string[] | "seen">;
  /** Makes a template hold in a channel; what admins had added there beside the former one goes. "unknown" when there is none of that name. */
  useTemplate(once: Once, channel: ChannelId, name: string): Promise<"changed" | "unchanged" | "unknown" | "seen">;
  /** Whether the bot takes part in a thread. */
  takesPart(channel: ChannelId, thread: MessageTs): Promise<boolean>;
}

/** One tenant's templates: the built-in ones and its own. */
export interface TenantTemplates {
  /** By name. */
  list(): Promise<readonly StoredTemplate[]>;
  find(name: string): Promise<StoredTemplate | undefined>;
  inChannel(channel: string, thread?: string): Promise<ChannelTemplate | undefined>;
}

export interface StoredTemplate extends ChannelTemplate {
  /** 0 for a built-in one, else counted from 1. */
  readonly version: number;
}
