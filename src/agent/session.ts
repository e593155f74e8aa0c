import { AppError, type ErrorCode } from "../core/errors.ts";
import { audienceFor } from "../permissions/audience.ts";
import type { Person, Place } from "../permissions/directory.ts";
import { enabledTools, type ToolChoices, whyNot } from "../permissions/enabled-tools.ts";
import type { Audience, Settings, Tool } from "../plugins/contract.ts";
import type { Question, TenantAgentPorts } from "./ports.ts";
import type { ChannelTemplate } from "./templates/template.ts";

/** Everything that exists; nothing enabled. */
export interface ToolRegistry {
  all(): readonly Tool[];
}

/** Who asks, where, for whose eyes: fixed for one answer. Which tools they have is read anew at every step. */
export class Session {
  readonly person: Person;
  readonly place: Place;
  readonly audience: Audience;
  /** The template of the channel in which it is asked, if one was chosen. */
  readonly template: ChannelTemplate | undefined;
  readonly question: Question;
  readonly #registry: ToolRegistry;
  readonly #ports: TenantAgentPorts;
  /** Read while the session was opened, for the first step. */
  #first: Promise<ToolChoices> | undefined;
  #choices: ToolChoices | undefined;
  #tools: readonly Tool[] = [];

  /** Use `openSession`, which checks who asks. */
  constructor(
    who: { person: Person; place: Place; audience: Audience; template?: ChannelTemplate | undefined; choices?: Promise<ToolChoices> },
    question: Question,
    registry: ToolRegistry,
    ports: TenantAgentPorts,
  ) {
    this.person = who.person;
    this.place = who.place;
    this.audience = who.audience;
    this.template = who.template;
    this.#first = who.choices;
    this.question = question;
    this.#registry = registry;
    this.#ports = ports;
  }

  /** The tools that may be called now, in name order. Empty until the first `refresh`. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get settings(): Settings {
    return this.#choices?.settings ?? {};
  }

  /** Reads the toggles, templates and flags again, so that a switch takes effect at the next step of a running answer. */
  async refresh(): Promise<void> {
    const { channel, person, thread } = this.question;
    const first = this.#first;
    this.#first = undefined;
    this.#choices = await (first ?? this.#ports.choices.read(channel, person, thread));
    this.#tools = enabledTools(this.#registry.all(), this.#choices, this.person);
  }

  /** Why a tool cannot be called, as a sentence; the same for one that does not exist and one the person cannot know of. */
  whyNot(name: string): string {
    const tool = this.#registry.all().find((tool) => tool.name === name);
    const reason = tool && this.#choices && whyNot(tool, this.#choices, this.person);
    return reason ?? `There is no tool named ${JSON.stringify(name.slice(0, 64))} here.`;
  }
}

/**
 * Finds out who asks and who will read the answer.
 * @throws AppError PERSON_UNKNOWN, PERSON_DEACTIVATED, PERSON_IS_BOT, PERSON_IS_OUTSIDER or CHANNEL_UNKNOWN: the question is refused
 */
export async function openSession(question: Question, registry: ToolRegistry, ports: TenantAgentPorts): Promise<Session> {
  const choices = ports.choices.read(question.channel, question.person, question.thread);
  choices.catch(() => undefined);
  const placed = ports.directory.place(question.channel);
  const [person, place, channels, template] = await Promise.all([
    ports.directory.person(question.person),
    placed,
    // Only a direct message draws on them, and Slack has to be asked.
    placed.then((place) => (place?.kind === "direct" ? ports.directory.channelsOf(question.person) : [])),
    ports.templates?.inChannel(question.channel),
  ]);
  if (!person) throw new AppError("PERSON_UNKNOWN");
  const refusal = refusalOf(person);
  if (refusal) throw new AppError(refusal);
  if (!place) throw new AppError("CHANNEL_UNKNOWN");
  return new Session({ person, place, audience: audienceFor(place, person, channels), template, choices }, question, registry, ports);
}

function refusalOf(person: Person): ErrorCode | undefined {
  if (person.deactivated) return "PERSON_DEACTIVATED";
  if (person.isBot) return "PERSON_IS_BOT";
  if (person.role === "outsider") return "PERSON_IS_OUTSIDER";
  return undefined;
}
