import type { ReplyRule } from "../../src/agent/templates/template.ts";
import type { CardClick, EditClick, EditedCall } from "../../src/bot/approvals/approval-desk.ts";
import type { Command } from "../../src/bot/commands/command.ts";
import type { Given } from "../../src/bot/commands/given.ts";
import type { ListenerContext } from "../../src/bot/in/listeners/listener.ts";
import type { Click } from "../../src/bot/surfaces/click.ts";
import type { DeletedMessage, EditedMessage } from "../../src/bot/turns/turn-changes.ts";
import type { StopWish } from "../../src/bot/turns/turn-control.ts";
import type { ChannelId, PersonId, TenantId, TurnId } from "../../src/core/ids.ts";

/** What listeners hand on, noted and not carried out; every channel has the same reply rule. */
export class NotingContext implements ListenerContext {
  readonly commands = {
    fromMessage: async (given: Given, command: Command, addressed: boolean) => void this.given.push({ ...given, command, addressed }),
    fromSlash: (given: Given, command: Command) => void this.given.push({ ...given, command, addressed: true }),
  };
  readonly given: (Given & { readonly command: Command; readonly addressed: boolean })[] = [];
  readonly clicks: Click[] = [];
  /** Who has opened the messages, beside which channel. */
  readonly opened: { readonly person: PersonId; readonly viewing: ChannelId | undefined }[] = [];
  readonly homes: { readonly person: string }[] = [];
  readonly surface = {
    clicked: (click: Click) => void this.clicks.push(click),
    submitted: (click: Click) => {
      this.clicks.push(click);
      return { begin: () => undefined };
    },
    homeOpened: (_tenant: TenantId, person: PersonId) => void this.homes.push({ person }),
    messagesOpened: (_tenant: TenantId, person: PersonId, viewing?: ChannelId) => void this.opened.push({ person, viewing }),
    suggest: async ({ person }: { readonly person: PersonId }) => {
      this.homes.push({ person });
      return [];
    },
  };
  readonly decisions: CardClick[] = [];
  readonly edits: (EditClick | EditedCall)[] = [];
  readonly approvals = {
    clicked: async (click: CardClick) => void this.decisions.push(click),
    editing: async (click: EditClick) => void this.edits.push(click),
    edited: async (call: EditedCall) => {
      this.edits.push(call);
      return {};
    },
  };
  /** What people do about their questions: which, and with what. */
  readonly wishes: {
    readonly what: "edited" | "deleted" | "stop" | "again" | "left" | "audience" | "file-deleted" | "channel-files";
    readonly given: object;
  }[] = [];
  readonly control = {
    edited: async (_tenant: TenantId, given: EditedMessage) => void this.wishes.push({ what: "edited", given }),
    deleted: async (_tenant: TenantId, given: DeletedMessage) => void this.wishes.push({ what: "deleted", given }),
    stop: async (_tenant: TenantId, given: StopWish) => void this.wishes.push({ what: "stop", given }),
    again: async (_tenant: TenantId, turn: TurnId, click: object) => void this.wishes.push({ what: "again", given: { turn, ...click } }),
  };
  readonly departures = {
    left: async (_tenant: TenantId, because: string, at: Date) => void this.wishes.push({ what: "left", given: { because, at } }),
  };
  readonly documents = {
    deleted: async (_tenant: TenantId, file: string) => void this.wishes.push({ what: "file-deleted", given: { file } }),
  };
  readonly channelFiles = {
    changed: async (_tenant: TenantId, channel?: ChannelId) => void this.wishes.push({ what: "channel-files", given: { channel } }),
  };
  readonly audience = {
    joined: async (_tenant: TenantId, channel: ChannelId, person: PersonId) =>
      void this.wishes.push({ what: "audience", given: { channel, person } }),
    shared: async (_tenant: TenantId, channel: ChannelId) => void this.wishes.push({ what: "audience", given: { channel } }),
  };
  readonly search = { note: () => undefined };
  rule: ReplyRule = "thread";

  replyRule = async () => this.rule;
}
