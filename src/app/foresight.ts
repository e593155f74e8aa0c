import { LRUCache } from "lru-cache";
import type { Question } from "../agent/ports.ts";
import type { Foreseen } from "../agent/session.ts";
import type { StartedTurn } from "../bot/turns/turn-store.ts";
import type { TenantId } from "../core/ids.ts";
import type { Rights } from "../permissions/audience.ts";
import type { Ground } from "./ground.ts";

/** What is said about a question's place, whoever will read the answer. */
export interface Said extends Foreseen {
  /** With whose rights the channel is answered. */
  readonly rights: Promise<Rights>;
}

type Asked = Pick<StartedTurn, "channel" | "thread" | "ts" | "person">;

/** How long what was read ahead for a question counts: a switch that somebody turns meanwhile must not be missed. */
const freshMs = 1_000;

/** Reads what every answer needs to know of its place while its question is being stored. All of it is one statement. */
export class Foresight {
  readonly #ground: Pick<Ground, "store" | "pool" | "external">;
  readonly #read = new LRUCache<string, Said>({ max: 1_000, ttl: freshMs });

  constructor(ground: Pick<Ground, "store" | "pool" | "external">) {
    this.#ground = ground;
  }

  /** Begins to read for a question that has just come, and to ask Slack who reads along. */
  begin(tenant: TenantId, question: Asked): void {
    const { channel, person } = question;
    this.#begin(tenant, question);
    // What fails here fails again where it is needed.
    const look = this.#ground.pool.load(tenant).then(({ directory }) => Promise.all([directory.person(person), directory.place(channel)]));
    look.catch(ignore);
  }

  /** What was begun to be read a moment ago; otherwise it is read now. An answer that is begun anew reads everything anew. */
  of(tenant: TenantId, turn: StartedTurn): Said {
    return (turn.earlierAttempts === 0 && this.#read.get(keyOf(tenant, turn))) || this.#begin(tenant, turn);
  }

  /** The same for a question that is asked now, as long as it counts. */
  known({ tenant, channel, message }: Question): Foreseen | undefined {
    return message && this.#read.get(keyOf(tenant, { channel, ts: message }));
  }

  #begin(tenant: TenantId, question: Asked): Said {
    const { channel, person, thread } = question;
    const { store, external } = this.#ground;
    const said = (external?.tools(tenant) ?? Promise.resolve([])).then(async (tools) => {
      const names = tools.map(({ name }) => name);
      return { tools, ...(await store.forTenant(tenant).choices.readPlace(channel, person, thread, names)) };
    });
    const reading = {
      tools: said.then(({ tools, choices }) => ({ external: tools, choices })),
      template: said.then(({ template }) => template),
      rights: said.then(({ rights }) => rights),
    };
    for (const each of Object.values(reading)) each.catch(ignore);
    this.#read.set(keyOf(tenant, question), reading);
    return reading;
  }
}

const keyOf = (tenant: TenantId, { channel, ts }: Pick<Asked, "channel" | "ts">): string => `${tenant} ${channel} ${ts}`;
const ignore = () => undefined;
