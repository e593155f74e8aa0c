import { AgentClient, type Answer } from "../../src/agent/client.ts";
import { defaultLimits } from "../../src/agent/limits.ts";
import type { Model, ModelRequest } from "../../src/agent/model/model.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Rights } from "../../src/permissions/audience.ts";
import type { Directory, Person, Place } from "../../src/permissions/directory.ts";
import type { ToolChoices } from "../../src/permissions/enabled-tools.ts";
import type { Plugin } from "../../src/plugins/contract.ts";
import { Registry } from "../../src/plugins/registry.ts";
import { acme } from "../fakes/tool-context.ts";

/** One model turn: the calls it makes. */
export type Step = readonly { readonly name: string; readonly params: unknown }[];

export interface Attack {
  readonly plugins: readonly Plugin[];
  readonly directory: Directory;
  readonly person: Pick<Person, "id">;
  readonly place: Pick<Place, "id">;
  /** With whose rights the channel is answered. */
  readonly rights?: Rights;
  /** What the model calls, step by step; after the last it answers. */
  readonly steps: readonly Step[];
  /** What the tenant says about tools at the given step (0-based); everything registered is on unless given. */
  choices?(step: number): ToolChoices;
}

export interface Outcome {
  readonly answer: Answer;
  /** Everything the model was told, as one text. */
  readonly prompt: string;
  /** Names of the tools the model was offered, per request. */
  readonly offered: readonly (readonly string[])[];
}

/** Everything a tenant can say about tools, all yes. */
export const everythingOn = (plugins: readonly Plugin[]): ToolChoices => {
  const names = new Set(plugins.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const none = new Set<string>();
  const switchedOff = { admin: none, channel: none, thread: none, person: none };
  return { flags: none, settings: {}, allowed: names, leastRole: new Map(), template: names, switchedOff };
};

/** Asks the real agent a question with a model that does whatever an attacker would want. */
export async function attack({ plugins, directory, person, place, rights, steps, choices }: Attack): Promise<Outcome> {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: "attacker",
    async *stream(request) {
      const step = requests.push(request) - 1;
      const calls = steps[step] ?? [];
      for (const [at, call] of calls.entries()) yield { type: "tool-call", call: { id: `call-${step}-${at}`, ...call } };
      if (calls.length === 0) yield { type: "text-delta", text: "Done." };
      yield { type: "model-end", finish: calls.length > 0 ? "tool-calls" : "stop", usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const client = new AgentClient({
    registry: new Registry(plugins),
    model: () => model,
    clock: { ...systemClock, now: () => new Date("2026-03-01T09:00:00Z") },
    log: silentLogger,
    limits: defaultLimits,
    forTenant: () => ({
      directory,
      choices: { read: async () => choices?.(requests.length) ?? everythingOn(plugins) },
      threads: { history: async () => [] },
      traces: { save: async () => undefined, find: async () => undefined },
      links: { passage: () => "https://footnote.example/p" },
    }),
  });
  const question = { tenant: acme, person: person.id, channel: place.id, text: "What may I see?", ...(rights && { rights }) };
  const answer = await client.ask(question, { write: () => undefined }, new AbortController().signal);
  return {
    answer,
    prompt: JSON.stringify(requests.map(({ system, messages }) => [system, messages])),
    offered: requests.map(({ tools }) => tools.map(({ name }) => name)),
  };
}
