import { LRUCache } from "lru-cache";
import type { PersonId, TenantId } from "../../core/ids.ts";
import type { Directory } from "../../permissions/directory.ts";
import { type Catalogue, english, wordsFor } from "./catalogue.ts";

/** People whose language is kept at hand for those that cannot wait. */
const kept = 10_000;

/** Which words people read: those of the language that they have set in Slack. */
export class ReaderWords {
  readonly #known = new LRUCache<string, Catalogue>({ max: kept });

  /** Asks the directory, which remembers for a while. English when Slack cannot tell. */
  async load(tenant: TenantId, person: PersonId, directory: Pick<Directory, "person">): Promise<Catalogue> {
    const words = wordsFor((await directory.person(person))?.locale);
    this.#known.set(`${tenant} ${person}`, words);
    return words;
  }

  /** What `load` gave last; English before that. */
  loaded(tenant: TenantId, person: PersonId): Catalogue {
    return this.#known.get(`${tenant} ${person}`) ?? english;
  }
}
