import type { ModalView } from "@slack/types";
import type { TenantFeedback } from "../../agent/feedback.ts";
import type { SourceLinks, Traces } from "../../agent/ports.ts";
import type { Trials } from "../../agent/templates/trial.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChannelId, PersonId } from "../../core/ids.ts";
import type { TenantLibrary } from "../../knowledge/library.ts";
import type { SourceRows } from "../../knowledge/sources/source-store.ts";
import type { Directory, NamedChannel, Person, Place } from "../../permissions/directory.ts";
import type { CommandParts, TenantDesk } from "../commands/given.ts";
import type { ChannelWatch } from "../documents/following/channel-watch.ts";
import type { SlackAgentView } from "../out/slack-agent-view.ts";
import type { SlackViews } from "../out/slack-views.ts";
import type { SlackWriter } from "../out/slack-writer.ts";
import type { TurnChanges } from "../turns/turn-changes.ts";
import type { Turns } from "../turns/turns.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { Click } from "./click.ts";
import type { TenantHome } from "./home/home-store.ts";
import type { TenantPrivateSearches } from "./private/private-store.ts";
import type { TemplateDesk } from "./templates/template-store.ts";
import type { TenantUsage } from "./usage/usage-store.ts";

/** What buttons, modals and App Home of one tenant work with; everything is bound to it. */
export interface SurfaceDesk extends TenantDesk {
  readonly directory: Directory &
    TenantDesk["directory"] & {
      /** Asks Slack anew; undefined when Slack does not know or cannot tell. */
      placeNow(id: ChannelId): Promise<Place | undefined>;
      /** Public and private channels that somebody is in, by name, as far as the bot can see. */
      namedChannelsOf(id: PersonId): Promise<readonly NamedChannel[]>;
      /** The workspace's user groups. */
      userGroups(): Promise<readonly { readonly id: string; readonly name: string }[]>;
    };
  readonly writer: TenantDesk["writer"] & Pick<SlackWriter, "findPosted">;
  readonly views: Pick<SlackViews, "open" | "push" | "update" | "publish">;
  readonly agentView: Pick<SlackAgentView, "suggest">;
  readonly sources: TenantDesk["sources"] & Pick<SourceRows, "add">;
  readonly library: TenantLibrary;
  readonly traces: Pick<Traces, "find">;
  readonly links: SourceLinks;
  readonly feedback: TenantFeedback;
  readonly changes: Pick<TurnChanges, "takeIn">;
  readonly home: TenantHome;
  readonly usage: TenantUsage;
  readonly searches: TenantPrivateSearches;
  readonly templateDesk: TemplateDesk;
  /** The bot's own user. */
  readonly bot: PersonId;
}

/** A click with everything it needs. The person has been asked for at this moment and takes part in the workspace. */
export interface Clicked {
  readonly click: Click;
  readonly person: Person;
  readonly desk: SurfaceDesk;
  readonly words: Catalogue;
  readonly parts: Pick<CommandParts, "tools" | "models" | "templateChanged" | "inbox" | "documents"> &
    Pick<Trials, "tryOut"> &
    Pick<Turns, "added"> & { readonly clock: Clock; readonly channelFiles: Pick<ChannelWatch, "read" | "remove"> };
}

/** Makes a modal as things stand when it is called: called again when the one on the screen has changed meanwhile. */
export type Rendering = () => Promise<ModalView>;
