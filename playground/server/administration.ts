import type { People } from "./people.ts";
import type { SeedRole } from "./seed.ts";
import type { Channel, Json, State } from "./state.ts";

/** What administrators do in Slack while the bot runs. Throws an Error when a name is unknown. */
export class Administration {
  readonly #state: State;
  readonly #people: People;

  constructor(state: State, people: People) {
    this.#state = state;
    this.#people = people;
  }

  /** Promotes or demotes somebody. */
  setRole({ workspace, person, role }: { readonly workspace: string; readonly person: string; readonly role: SeedRole }): void {
    this.#people.person(this.#people.workspace(workspace), person).role = role;
  }

  /** Sets somebody's language in Slack. */
  setLocale({ workspace, person, locale }: { readonly workspace: string; readonly person: string; readonly locale: string }): void {
    this.#people.person(this.#people.workspace(workspace), person).locale = locale;
  }

  /** Deactivates an account, or restores it. */
  deactivate({
    workspace,
    person,
    restore = false,
  }: {
    readonly workspace: string;
    readonly person: string;
    readonly restore?: boolean;
  }): void {
    this.#people.person(this.#people.workspace(workspace), person).deactivated = !restore;
  }

  /** Shares a channel with an organisation that is not seeded, invites one, or ends that. */
  connect({
    workspace,
    channel,
    connect,
  }: {
    readonly workspace: string;
    readonly channel: string;
    readonly connect: Channel["connect"];
  }): void {
    this.#people.channel(this.#people.workspace(workspace), channel).connect = connect;
  }

  /** Makes a public channel private, or a private one public. Its files go by another list then. */
  setPrivate({
    workspace: name,
    channel: channelName,
    isPrivate,
  }: {
    readonly workspace: string;
    readonly channel: string;
    readonly isPrivate: boolean;
  }): void {
    const workspace = this.#people.workspace(name);
    const channel = this.#people.channel(workspace, channelName);
    channel.kind = isPrivate ? "private" : "public";
    const [from, to] = isPrivate ? ["channels", "groups"] : ["groups", "channels"];
    for (const [id, file] of workspace.files) {
      const [before, after] = [file[from], file[to]] as string[][];
      if (before?.includes(channel.id))
        workspace.files.set(id, { ...file, [from]: before.filter((each) => each !== channel.id), [to]: [...(after ?? []), channel.id] });
    }
  }

  /** Closes a channel for new messages. */
  archive({
    workspace: name,
    channel: channelName,
    as,
  }: {
    readonly workspace: string;
    readonly channel: string;
    readonly as: string;
  }): void {
    const workspace = this.#people.workspace(name);
    const channel = this.#people.channel(workspace, channelName);
    channel.archived = true;
    const user = this.#people.person(workspace, as).id;
    this.#state.announce({ type: "event", workspace, channel, event: { type: "channel_archive", channel: channel.id, user } });
  }

  /** Removes the app: its token stops working, and Slack says so twice, as it does. */
  uninstall({ workspace: name }: { readonly workspace: string }): void {
    const workspace = this.#people.workspace(name);
    workspace.installed = false;
    this.#state.announce({ type: "event", workspace, event: { type: "tokens_revoked", tokens: { oauth: [], bot: [workspace.bot.id] } } });
    this.#state.announce({ type: "event", workspace, event: { type: "app_uninstalled" } });
  }

  /** Adds a file that files.info knows. @returns its id */
  addFile({ workspace, file }: { readonly workspace: string; readonly file: Json & { readonly id: string } }): string {
    this.#people.workspace(workspace).files.set(file.id, file);
    return file.id;
  }
}
