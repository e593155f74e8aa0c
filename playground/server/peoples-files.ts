import { randomBytes } from "node:crypto";
import type { At, Channel, Json, Person, State, Workspace } from "./state.ts";

/** A file as somebody drops it into a message. */
export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What Slack says of it beside the usual, as of a file that is kept elsewhere. */
  readonly said?: Json;
}

/** Who finds places and workspaces by their names. */
interface Places {
  workspace(name: string): Workspace;
  place(at: At): { readonly workspace: Workspace; readonly person: Person; readonly channel: Channel };
}

interface OneFile {
  readonly workspace: string;
  readonly file: string;
}

/** What people do with files: share them, change them, take them away. */
export class PeoplesFiles {
  readonly #state: State;
  readonly #people: Places;
  readonly #url: (id: string, name: string) => string;

  /** @param url the address from which a dropped file is fetched */
  constructor(state: State, people: Places, url: (id: string, name: string) => string) {
    this.#state = state;
    this.#people = people;
    this.#url = url;
  }

  /** Id of the file of that name, the newest of them. */
  named(workspace: string, name: string): string {
    const found = [...this.#people.workspace(workspace).files.values()].findLast((file) => file.name === name);
    if (!found) throw new Error(`There is no file ${name} in ${workspace}.`);
    return String(found.id);
  }

  /** Shares a file that is there already in one more channel, or takes it out of one. */
  share({ file: id, out = false, ...at }: At & OneFile & { readonly out?: boolean }): void {
    const { workspace, person, channel } = this.#people.place(at);
    const file = this.#file(workspace, id);
    const place = placeOf(channel);
    const others = (file[place] as string[]).filter((each) => each !== channel.id);
    workspace.files.set(id, { ...file, [place]: out ? others : [...others, channel.id] });
    this.announce(out ? "file_unshared" : "file_shared", workspace, id, person, channel);
  }

  /** Puts another content into a file, or has Slack say something else of it. */
  change({ workspace: name, file: id, bytes, said = {} }: OneFile & { readonly bytes?: Uint8Array; readonly said?: Json }): void {
    const workspace = this.#people.workspace(name);
    const file = this.#file(workspace, id);
    const changed = bytes && { size: bytes.length, edit_timestamp: Number(file.edit_timestamp ?? file.created) + 1 };
    workspace.files.set(id, { ...file, ...changed, ...said });
    if (bytes) workspace.fileBytes.set(id, bytes);
    const event = { type: "file_change", file_id: id, file: { id }, event_ts: this.#state.nextTs() };
    this.#state.announce({ type: "event", workspace, event });
  }

  /** Takes a file away, from every message. */
  delete({ workspace: name, file }: OneFile): void {
    const workspace = this.#people.workspace(name);
    workspace.files.delete(file);
    workspace.fileBytes.delete(file);
    this.#state.announce({ type: "event", workspace, event: { type: "file_deleted", file_id: file, event_ts: this.#state.nextTs() } });
  }

  drop(workspace: Workspace, channel: Channel, person: Person, { name, bytes, said }: DroppedFile): Json {
    const id = `F0${randomBytes(5).toString("hex").toUpperCase()}`;
    const kind = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "binary";
    const url = this.#url(id, name);
    const file = {
      ...{ id, name, title: name, filetype: kind, pretty_type: kind.toUpperCase(), mimetype: "application/octet-stream", mode: "hosted" },
      ...{ created: Math.floor(this.#state.clock.now().getTime() / 1_000), user: person.id, user_team: person.teamId, size: bytes.length },
      ...{ is_external: false, is_public: channel.kind === "public", url_private: url, url_private_download: url },
      ...{ channels: [], groups: [], ims: [], [placeOf(channel)]: [channel.id] },
      ...said,
    };
    workspace.files.set(id, file);
    workspace.fileBytes.set(id, bytes);
    return file;
  }

  announce(type: "file_shared" | "file_unshared", workspace: Workspace, id: string, person: Person, channel: Channel): void {
    const event = { type, file_id: id, user_id: person.id, file: { id }, channel_id: channel.id, event_ts: this.#state.nextTs() };
    this.#state.announce({ type: "event", workspace, channel, event });
  }

  #file(workspace: Workspace, id: string): Json {
    const file = workspace.files.get(id);
    if (!file) throw new Error(`There is no file ${id} in ${workspace.name}.`);
    return file;
  }
}

const placeOf = (channel: Channel): "ims" | "groups" | "channels" =>
  channel.kind === "direct" ? "ims" : channel.kind === "private" ? "groups" : "channels";
