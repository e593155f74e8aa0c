import type { ToolChoices } from "../../permissions/enabled-tools.ts";
import { AgentClient, type AgentParts, type Answer } from "../client.ts";
import type { Question } from "../ports.ts";
import { type ChannelTemplate, toolsOf } from "./template.ts";

/** Answers questions as a template would that holds nowhere yet. Nothing is written but the trace; no call that needs a click is made. */
export class Trials {
  readonly #parts: AgentParts;
  /** Who is being answered: one at a time a person, since each is a whole answer. */
  readonly #running = new Set<string>();
  readonly #ending = new AbortController();

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** @param question without a message: so nobody is asked to allow a call. Never rejects; "busy" while another of the person's is answered */
  async tryOut(question: Omit<Question, "message" | "thread">, template: ChannelTemplate): Promise<Answer | "busy"> {
    const key = `${question.tenant} ${question.person}`;
    if (this.#running.has(key)) return "busy";
    this.#running.add(key);
    try {
      return await this.#agentWith(template).ask(question, { write: () => undefined }, this.#ending.signal);
    } finally {
      this.#running.delete(key);
    }
  }

  /** Ends what is being answered. */
  stop(): void {
    this.#ending.abort();
  }

  #agentWith(template: ChannelTemplate): AgentClient {
    const { registry, forTenant } = this.#parts;
    const registered = registry.all().map(({ name }) => name);
    return new AgentClient({
      ...this.#parts,
      forTenant: (tenant) => {
        const ports = forTenant(tenant);
        return {
          ...ports,
          templates: { inChannel: async () => template },
          choices: {
            read: async (channel, person, thread, external = []) =>
              choicesWith(await ports.choices.read(channel, person, thread, external), template, [...registered, ...external]),
          },
        };
      },
    });
  }
}

/** The same choices as if a channel used this template. What an admin has added there beside the present one goes. */
export function choicesWith(choices: ToolChoices, template: ChannelTemplate, tools: readonly string[]): ToolChoices {
  const { part, locked } = toolsOf(template, tools);
  return { ...choices, template: part, lockedByTemplate: locked };
}
