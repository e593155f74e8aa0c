import { randomBytes } from "node:crypto";
import { ApiError } from "./api-error.ts";
import { checkBlocks } from "./limits.ts";
import { changeMessage, deleteMessage, storeMessage } from "./messages.ts";
import { messageJson } from "./shapes.ts";
import { appId, type Channel, type Json, type Message, type Person, type State, type View, type Workspace } from "./state.ts";

/** A trigger id is good for one view, this long unless given. Milliseconds. */
const slackTriggerLifeMs = 3_000;
/** A response_url is good for this long and this often. */
const responseLifeMs = 30 * 60_000;
const maxResponses = 5;

interface Trigger {
  readonly workspace: Workspace;
  readonly userId: string;
  readonly at: number;
  used: boolean;
}

interface ResponseAddress {
  readonly workspace: Workspace;
  readonly channel: Channel;
  readonly userId: string;
  readonly threadTs?: string;
  /** The message whose button was pressed; `replace_original` and `delete_original` mean this one. */
  readonly message?: Message;
  readonly at: number;
  uses: number;
}

/** What goes with commands, buttons and modals: their payloads, trigger ids and response addresses. */
export class Interactions {
  readonly #state: State;
  readonly #triggers = new Map<string, Trigger>();
  readonly #responses = new Map<string, ResponseAddress>();
  readonly #responseUrl: (id: string) => string;
  readonly #triggerLifeMs: number;

  /** @param responseUrl the address of a response id */
  constructor(state: State, responseUrl: (id: string) => string, triggerLifeMs = slackTriggerLifeMs) {
    this.#state = state;
    this.#responseUrl = responseUrl;
    this.#triggerLifeMs = triggerLifeMs;
  }

  /** A slash command's fields, in the form Slack sends them. */
  command(workspace: Workspace, person: Person, channel: Channel, command: string, text: string): Json {
    return {
      token: "playground",
      team_id: workspace.teamId,
      team_domain: workspace.name,
      ...(workspace.enterprise && { enterprise_id: workspace.enterprise.id, enterprise_name: workspace.enterprise.name }),
      channel_id: channel.id,
      channel_name: channel.kind === "direct" ? "directmessage" : channel.kind === "private" ? "privategroup" : channel.name,
      user_id: person.id,
      user_name: person.name,
      command,
      text,
      api_app_id: appId,
      is_enterprise_install: String(workspace.throughOrganisation === true),
      response_url: this.#response({ workspace, channel, userId: person.id }),
      trigger_id: this.#trigger(workspace, person.id),
    };
  }

  /** The payload of a pressed button (or another element) of a message. */
  blockActions(workspace: Workspace, person: Person, channel: Channel, message: Message, element: Json, blockId: string): Json {
    const thread = message.threadTs ? { thread_ts: message.threadTs } : {};
    return {
      type: "block_actions",
      user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
      api_app_id: appId,
      token: "playground",
      container: {
        type: "message",
        message_ts: message.ts,
        channel_id: channel.id,
        is_ephemeral: message.ephemeralTo !== undefined,
        ...thread,
      },
      trigger_id: this.#trigger(workspace, person.id),
      team: team(workspace),
      enterprise: workspace.enterprise ?? null,
      is_enterprise_install: workspace.throughOrganisation === true,
      channel: { id: channel.id, name: channel.kind === "direct" ? "directmessage" : channel.name },
      ...(!message.ephemeralTo && { message: messageJson(workspace, channel, message) }),
      state: { values: {} },
      response_url: this.#response({
        workspace,
        channel,
        userId: person.id,
        message,
        ...(message.threadTs && { threadTs: message.threadTs }),
      }),
      actions: [this.#used(element, blockId)],
    };
  }

  /** The payload of a shortcut that somebody uses on a message. */
  messageAction(workspace: Workspace, person: Person, channel: Channel, message: Message, callbackId: string): Json {
    return {
      type: "message_action",
      token: "playground",
      action_ts: this.#state.nextTs(),
      team: team(workspace),
      user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
      channel: { id: channel.id, name: channel.kind === "direct" ? "directmessage" : channel.name },
      is_enterprise_install: workspace.throughOrganisation === true,
      enterprise: workspace.enterprise ?? null,
      api_app_id: appId,
      callback_id: callbackId,
      trigger_id: this.#trigger(workspace, person.id),
      response_url: this.#response({ workspace, channel, userId: person.id, message }),
      message_ts: message.ts,
      message: messageJson(workspace, channel, message),
    };
  }

  /** The payload of a used element of a modal or of App Home. `values` is what is entered in the whole view. */
  viewActions(workspace: Workspace, person: Person, view: View, element: Json, blockId: string, values: Json): Json {
    return {
      type: "block_actions",
      user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
      api_app_id: appId,
      token: "playground",
      container: { type: "view", view_id: view.id },
      trigger_id: this.#trigger(workspace, person.id),
      team: team(workspace),
      enterprise: workspace.enterprise ?? null,
      is_enterprise_install: workspace.throughOrganisation === true,
      view: { ...viewJson(workspace, view), state: { values } },
      actions: [this.#used(element, blockId)],
    };
  }

  /** What was pressed or chosen. */
  #used({ text, value, selected_option, type, action_id }: Json, blockId: string): Json {
    return {
      action_id,
      block_id: blockId,
      ...(text !== undefined && { text }),
      ...(value !== undefined && { value }),
      ...(selected_option !== undefined && { selected_option }),
      type,
      action_ts: this.#state.nextTs(),
    };
  }

  /** Asks the app for the options of a menu while somebody types into it. */
  suggestion(
    workspace: Workspace,
    person: Person,
    view: View,
    { actionId, blockId, typed }: { readonly actionId: string; readonly blockId: string; readonly typed: string },
  ): Json {
    return {
      type: "block_suggestion",
      team: team(workspace),
      user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
      container: { type: "view", view_id: view.id },
      api_app_id: appId,
      token: "playground",
      action_id: actionId,
      block_id: blockId,
      value: typed,
      view: viewJson(workspace, view),
    };
  }

  /** A submitted modal. `values` by block id and action id, as Slack's view.state.values. */
  viewSubmission(workspace: Workspace, person: Person, view: View, values: Json): Json {
    return {
      type: "view_submission",
      team: team(workspace),
      user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
      api_app_id: appId,
      token: "playground",
      trigger_id: this.#trigger(workspace, person.id),
      view: { ...viewJson(workspace, view), state: { values } },
      response_urls: [],
      is_enterprise_install: workspace.throughOrganisation === true,
      enterprise: workspace.enterprise ?? null,
    };
  }

  /** Uses a trigger id up. Throws expired_trigger_id, trigger_exchanged or invalid_trigger_id as Slack does. */
  exchange(triggerId: string, workspace: Workspace): string {
    const trigger = this.#triggers.get(triggerId);
    if (!trigger || trigger.workspace !== workspace) throw new ApiError("invalid_trigger_id");
    if (trigger.used) throw new ApiError("exchanged_trigger_id");
    if (this.#state.clock.monotonic() - trigger.at > this.#triggerLifeMs) throw new ApiError("expired_trigger_id");
    trigger.used = true;
    return trigger.userId;
  }

  /** Handles a POST to a response address. Throws ApiError("used_url") when it has expired or is used up. */
  respond(id: string, body: Json): void {
    const address = this.#responses.get(id);
    const now = this.#state.clock.monotonic();
    if (!address || now - address.at > responseLifeMs || address.uses >= maxResponses) throw new ApiError("used_url");
    address.uses += 1;
    const { workspace, channel, message } = address;
    if (body.delete_original === true && message) {
      deleteMessage(this.#state, workspace, channel, message);
      return;
    }
    const text = typeof body.text === "string" ? body.text : "";
    const blocks = checkBlocks(Array.isArray(body.blocks) ? (body.blocks as Json[]) : [], "message");
    if (!text && blocks.length === 0) throw new ApiError("no_text");
    if (body.replace_original === true && message) {
      changeMessage(this.#state, workspace, channel, message, { text, blocks });
      return;
    }
    const threadTs = typeof body.thread_ts === "string" ? body.thread_ts : address.threadTs;
    storeMessage(this.#state, workspace, channel, workspace.bot, {
      text,
      blocks,
      unfurls: !(body.unfurl_links === false && body.unfurl_media === false),
      ...(threadTs && { threadTs }),
      ...(body.response_type !== "in_channel" && { ephemeralTo: address.userId }),
    });
  }

  #trigger(workspace: Workspace, userId: string): string {
    const id = `${randomBytes(6).readUIntBE(0, 6)}.${workspace.teamId}.${randomBytes(16).toString("hex")}`;
    this.#triggers.set(id, { workspace, userId, at: this.#state.clock.monotonic(), used: false });
    return id;
  }

  #response(address: Omit<ResponseAddress, "at" | "uses">): string {
    const id = randomBytes(16).toString("hex");
    this.#responses.set(id, { ...address, at: this.#state.clock.monotonic(), uses: 0 });
    return this.#responseUrl(id);
  }
}

const team = (workspace: Workspace): Json => ({
  id: workspace.teamId,
  domain: workspace.name,
  ...(workspace.enterprise && { enterprise_id: workspace.enterprise.id, enterprise_name: workspace.enterprise.name }),
});

/** A view as the Web API and payloads give it. */
export const viewJson = (workspace: Workspace, view: View): Json => ({
  id: view.id,
  team_id: workspace.teamId,
  type: "modal",
  private_metadata: "",
  callback_id: "",
  state: { values: {} },
  title: null,
  clear_on_close: false,
  notify_on_close: false,
  close: null,
  submit: null,
  external_id: "",
  ...view.body,
  hash: view.hash,
  previous_view_id: view.previousId,
  root_view_id: view.rootId,
  app_id: appId,
  app_installed_team_id: workspace.teamId,
  bot_id: workspace.botId,
});
