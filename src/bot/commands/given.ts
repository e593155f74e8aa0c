import type { Choices } from "../../agent/ports.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChannelId, MessageTs, PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SourceRows } from "../../knowledge/sources/source-store.ts";
import type { Person } from "../../permissions/directory.ts";
import type { Tool } from "../../plugins/contract.ts";
import type { ExternalReport } from "../../plugins/external-report.ts";
import type { ToolApprovals } from "../../plugins/external-tools.ts";
import type { ServerDesk } from "../../plugins/workspace-servers.ts";
import type { TenantConnections } from "../approvals/login/connections.ts";
import type { TenantAudiences } from "../audience/audience-store.ts";
import type { DocumentDesk } from "../documents/document-desk.ts";
import type { TenantFiles } from "../documents/file-store.ts";
import type { Inbox } from "../in/inbox.ts";
import type { MessageBody, SlackWriter } from "../out/slack-writer.ts";
import type { TenantRoles } from "../surfaces/roles/role-store.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { TenantCommands, TenantTemplates } from "./command-store.ts";
import type { Respond } from "./response-url.ts";

/** A command as it was given: by whom, where, and where its answer goes. All of it is Slack's word. */
export interface Given {
  readonly tenant: TenantId;
  readonly person: PersonId;
  readonly channel: ChannelId;
  /** The thread it was written in; absent at top level and for slash commands, which carry none. */
  readonly thread?: MessageTs;
  /** The message that holds it; absent for slash commands. */
  readonly message?: MessageTs;
  /** Whether nobody but the person reads the place. */
  readonly direct: boolean;
  /** The same for every delivery of one command. */
  readonly key: string;
  /** Slack's address for the answer to a slash command. */
  readonly responseUrl?: string;
}

/** What commands of one tenant work with; everything is bound to it. */
export interface TenantDesk {
  readonly commands: TenantCommands;
  readonly templates: TenantTemplates;
  readonly choices: Choices;
  /** Documents that were added from Slack. */
  readonly files: TenantFiles;
  /** What documents are kept current from. */
  readonly sources: Pick<SourceRows, "list" | "items">;
  /** With whose rights channels are answered. */
  readonly audiences: TenantAudiences;
  /** Who holds which app role. */
  readonly roles: TenantRoles;
  /** Absent where no external server is configured. */
  readonly external?: ToolApprovals;
  /** What external servers offer now, with what was decided about it. */
  externalReport?(): Promise<ExternalReport>;
  /** People's own log-ins at external servers. */
  readonly connections?: TenantConnections;
  /** External servers that the workspace has of its own; absent where it can have none. */
  readonly servers?: ServerDesk;
  /** Tools beside the registered ones, as admins have approved them. */
  moreTools?(): Promise<readonly Tool[]>;
  readonly directory: {
    /** Asks Slack anew; undefined when Slack does not know or cannot tell. */
    personNow(id: PersonId): Promise<Person | undefined>;
    /** By handle, exactly. */
    findPerson(name: string): Promise<Person | undefined>;
    channelsOf(id: PersonId): Promise<readonly ChannelId[]>;
  };
  readonly writer: Pick<SlackWriter, "post" | "postEphemeral">;
}

export interface CommandParts {
  desk(tenant: TenantId): Promise<TenantDesk>;
  readonly tools: readonly Tool[];
  /** Models that a template may name. */
  readonly models: readonly string[];
  readonly inbox: Pick<Inbox, "accept">;
  readonly documents: Pick<DocumentDesk, "read" | "remove" | "isReading">;
  readonly respond: Respond;
  /** Told after another template holds in a channel, or, without one, after a template has changed. */
  templateChanged(tenant: TenantId, channel?: ChannelId): void;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

/** A command with everything it needs. */
export interface Work {
  readonly given: Given;
  readonly person: Person;
  readonly desk: TenantDesk;
  readonly parts: CommandParts;
  /** In the person's language. */
  readonly words: Catalogue;
}

/** What is answered; nothing when the command was answered before. */
export type Reply = readonly MessageBody[] | undefined;

/** How tools are switched where the command was given. */
export const toolsPrefix = ({ responseUrl }: Given): string => (responseUrl === undefined ? "!tools" : "/footnote tools");
