import type { ChannelId, PersonId } from "../../src/core/ids.ts";
import type { Directory, Person, Place } from "../../src/permissions/directory.ts";
import { channel } from "./people.ts";

/** One workspace's people and places over arrays. `members` says who is in which channel. */
export class MemoryDirectory implements Directory {
  readonly #people: readonly Person[];
  readonly #places: readonly Place[];
  readonly #members: ReadonlyMap<ChannelId, readonly PersonId[]>;

  constructor(people: readonly Person[], places: readonly Place[], members: ReadonlyMap<ChannelId, readonly PersonId[]> = new Map()) {
    this.#people = people;
    this.#places = places;
    this.#members = members;
  }

  person = async (id: PersonId) => this.#people.find((person) => person.id === id);
  place = async (id: ChannelId) => this.#places.find((place) => place.id === id);
  channelsOf = async (id: PersonId) => [...this.#members].filter(([, people]) => people.includes(id)).map(([where]) => where);
  findPerson = async (name: string) => this.#people.find((person) => person.name === name.replace(/^@/, ""));
  findChannel = async (name: string) => this.#places.find((place) => place.name === name.replace(/^#/, ""));
  directMessage = async (id: PersonId) => channel(`DM_${id}`);
}
