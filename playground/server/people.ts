import type { Attempt, EnvelopeKind } from "./delivery.ts";
import { chosen, findElement } from "./elements.ts";
import type { Interactions } from "./interactions.ts";
import { changeMessage, deleteMessage, messageAt, storeMessage } from "./messages.ts";
import { fromTyped } from "./mrkdwn.ts";
import { type DroppedFile, PeoplesFiles } from "./peoples-files.ts";
import { type At, type Channel, type Json, type Message, type Person, personIn, type State, type Workspace } from "./state.ts";
import { namesIn } from "./web-api/chat.ts";

type Send = (kind: EnvelopeKind, payload: Json) => Promise<Attempt>;

/** What people do in Slack: write, edit, delete, react, join, press buttons, give commands. Throws an Error when they could not. */
export class People {
  readonly #state: State;
  readonly #interactions: Interactions;
  readonly #send: Send;
  /** What people do with files. */
  readonly files: PeoplesFiles;

  /** @param fileUrl the address from which a dropped file is fetched */
  constructor(state: State, interactions: Interactions, send: Send, fileUrl: (id: string, name: string) => string) {
    this.files = new PeoplesFiles(state, this, fileUrl);
    this.#state = state;
    this.#interactions = interactions;
    this.#send = send;
  }

  workspace(name: string): Workspace {
    const found = this.#state.workspaces.find((workspace) => workspace.name === name || workspace.teamId === name);
    if (!found) throw new Error(`There is no workspace ${name}.`);
    return found;
  }

  person(workspace: Workspace, nameOrId: string): Person {
    const own = workspace.people.get(nameOrId) ?? [...workspace.people.values()].find((person) => person.name === nameOrId);
    const found = own ?? this.#stranger(workspace, nameOrId);
    if (!found) throw new Error(`There is no ${nameOrId} in ${workspace.name}.`);
    return found;
  }

  /** @param as whose direct messages "direct" means */
  channel(workspace: Workspace, nameOrId: string, as?: Person): Channel {
    const found = [...workspace.channels.values()].find((channel) =>
      nameOrId === "direct"
        ? channel.kind === "direct" && as !== undefined && channel.members.has(as.id)
        : channel.id === nameOrId || (channel.kind !== "direct" && channel.name === nameOrId),
    );
    if (!found) throw new Error(`There is no channel ${nameOrId} in ${workspace.name}.`);
    return found;
  }

  /** The three together, refused when that person is not in that channel. */
  place({ workspace: name, as, channel: channelName }: At): { workspace: Workspace; person: Person; channel: Channel } {
    const workspace = this.workspace(name);
    const person = this.person(workspace, as);
    const channel = this.channel(workspace, channelName, person);
    if (!channel.members.has(person.id) || person.deactivated) throw new Error(`${as} is not in ${channelName} of ${name}.`);
    return { workspace, person, channel };
  }

  /** Writes a message as a person types it. @returns its ts */
  post(
    at: At & { readonly text: string; readonly thread?: string; readonly broadcast?: boolean; readonly files?: readonly DroppedFile[] },
  ): string {
    const { workspace, person, channel } = this.place(at);
    const home = this.#state.workspaceOfTeam(person.teamId) ?? workspace;
    const { text, blocks } = fromTyped(at.text, namesIn(workspace));
    const message = storeMessage(this.#state, home, channel, person, {
      text,
      blocks,
      ...(at.thread && { threadTs: at.thread }),
      ...(at.broadcast && { subtype: "thread_broadcast" }),
      ...(at.files && { subtype: "file_share", files: at.files.map((file) => this.files.drop(home, channel, person, file)) }),
    });
    for (const file of message.files ?? []) this.files.announce("file_shared", home, String(file.id), person, channel);
    return message.ts;
  }

  edit(at: At & { readonly ts: string; readonly text: string }): void {
    const { workspace, person, channel } = this.place(at);
    const message = this.#own(channel, person, at.ts);
    const { text, blocks } = fromTyped(at.text, namesIn(workspace));
    changeMessage(this.#state, workspace, channel, message, { text, blocks, edited: { user: person.id, ts: this.#state.nextTs() } });
  }

  delete(at: At & { readonly ts: string }): void {
    const { workspace, person, channel } = this.place(at);
    deleteMessage(this.#state, workspace, channel, this.#own(channel, person, at.ts));
  }

  /** Adds a reaction (name without colons), or takes it away again. */
  react(at: At & { readonly ts: string; readonly name: string; readonly remove?: boolean }): void {
    const { workspace, person, channel } = this.place(at);
    const message = this.#message(channel, at.ts);
    const users = message.reactions.get(at.name) ?? new Set<string>();
    if (at.remove) users.delete(person.id);
    else users.add(person.id);
    if (users.size > 0) message.reactions.set(at.name, users);
    else message.reactions.delete(at.name);
    const event = {
      type: at.remove ? "reaction_removed" : "reaction_added",
      user: person.id,
      reaction: at.name,
      item: { type: "message", channel: channel.id, ts: message.ts },
      item_user: message.userId,
      event_ts: this.#state.nextTs(),
    };
    this.#state.announce({ type: "event", workspace, channel, event });
  }

  /** Puts somebody (or the bot, "footnote") into a channel, or takes them out. */
  join({ workspace: name, as, channel: channelName, leave }: At & { readonly leave?: boolean }): void {
    const workspace = this.workspace(name);
    const person = this.person(workspace, as);
    const channel = this.channel(workspace, channelName);
    const event = {
      type: leave ? "member_left_channel" : "member_joined_channel",
      user: person.id,
      channel: channel.id,
      channel_type: channel.kind === "private" ? "G" : "C",
      team: person.teamId,
      event_ts: this.#state.nextTs(),
    };
    if (!leave) channel.members.add(person.id);
    this.#state.announce({ type: "event", workspace, channel, event });
    if (leave) channel.members.delete(person.id);
    // What the bot itself hears of it, from a place that it does not hear any more.
    if (leave && person.id === workspace.bot.id) {
      const gone = {
        type: channel.kind === "private" ? "group_left" : "channel_left",
        channel: channel.id,
        event_ts: this.#state.nextTs(),
      };
      this.#state.announce({ type: "event", workspace, event: gone });
    }
  }

  /** Presses a button of a message. Resolves with the app's acknowledgement. */
  async click(
    at: At & { readonly ts: string; readonly actionId: string; readonly blockId?: string; readonly value?: string },
  ): Promise<Attempt> {
    const { workspace, person, channel } = this.place(at);
    const message = channel.messages.find((candidate) => candidate.ts === at.ts && !candidate.deleted);
    if (!message || (message.ephemeralTo && message.ephemeralTo !== person.id)) throw new Error("There is no such message.");
    const pressed = findElement(message.blocks, at.actionId, at.blockId);
    if (!pressed) throw new Error(`The message has no element ${at.actionId}.`);
    const element = chosen(pressed.element, at.value);
    return this.#send("interactive", this.#interactions.blockActions(workspace, person, channel, message, element, pressed.blockId));
  }

  /** Uses a shortcut of the app on a message. Resolves with the app's acknowledgement. */
  async shortcut(at: At & { readonly ts: string; readonly callbackId: string }): Promise<Attempt> {
    const { workspace, person, channel } = this.place(at);
    const message = this.#message(channel, at.ts);
    return this.#send("interactive", this.#interactions.messageAction(workspace, person, channel, message, at.callbackId));
  }

  /** Gives a slash command. What the app answers with its acknowledgement is shown to the person alone, as is a failure. */
  async command(at: At & { readonly command: string; readonly text: string }): Promise<Attempt> {
    const { workspace, person, channel } = this.place(at);
    const payload = this.#interactions.command(workspace, person, channel, at.command, at.text);
    const attempt = await this.#send("slash_commands", payload);
    const failed = attempt.outcome !== "acknowledged";
    const text = failed ? `${at.command} failed with the error "operation_timeout"` : attempt.body?.text;
    const blocks = attempt.body?.blocks;
    if (text || Array.isArray(blocks)) {
      storeMessage(this.#state, workspace, channel, workspace.bot, {
        text: typeof text === "string" ? text : "",
        blocks: Array.isArray(blocks) ? (blocks as Json[]) : [],
        ...(attempt.body?.response_type !== "in_channel" && { ephemeralTo: person.id }),
      });
    }
    return attempt;
  }

  /** Ends a streaming answer with Slack's own stop button. */
  stopStream(at: At & { readonly ts: string }): void {
    const { workspace, person, channel } = this.place(at);
    const message = this.#message(channel, at.ts);
    if (message.stream) message.stream.state = "stopped_by_user";
    const event = {
      type: "agent_session_stopped",
      channel: channel.id,
      user: person.id,
      thread_ts: message.threadTs,
      streaming_message_ts: [message.ts],
      event_ts: this.#state.nextTs(),
    };
    this.#state.announce({ type: "event", workspace, channel, event });
  }

  /** What Slack's link preview does: an attachment, and a change event without a change of text. */
  unfurl(at: { readonly workspace: string; readonly channel: string; readonly ts: string; readonly url: string }): void {
    const workspace = this.workspace(at.workspace);
    const channel = this.channel(workspace, at.channel);
    changeMessage(this.#state, workspace, channel, this.#message(channel, at.ts), {
      attachments: [{ id: 1, from_url: at.url, original_url: at.url, title: at.url, fallback: at.url }],
    });
  }

  #message(channel: Channel, ts: string): Message {
    const message = messageAt(channel, ts);
    if (!message) throw new Error(`There is no message ${ts} in ${channel.name}.`);
    return message;
  }

  #own(channel: Channel, person: Person, ts: string): Message {
    const message = this.#message(channel, ts);
    if (message.userId !== person.id) throw new Error(`${person.name} did not write ${ts}.`);
    return message;
  }

  #stranger(workspace: Workspace, nameOrId: string): Person | undefined {
    const direct = personIn(this.#state, workspace, nameOrId);
    if (direct) return direct;
    const [home, handle] = nameOrId.split("/");
    const other = this.#state.workspaces.find((candidate) => candidate.name === home);
    const person = [...(other?.people.values() ?? [])].find((candidate) => candidate.name === handle);
    return person && personIn(this.#state, workspace, person.id);
  }
}
