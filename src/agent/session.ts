import { AppError, type ErrorCode } from "../core/errors.ts";
import { audienceFor, stillHolds } from "../permissions/audience.ts";
import type { Person, Place } from "../permissions/directory.ts";
import { enabledTools, type ToolChoices, whyNot } from "../permissions/enabled-tools.ts";
import type { Audience, Settings, Tool } from "../plugins/contract.ts";
import type { Question, TenantAgentPorts } from "./ports.ts";
import type { ChannelTemplate } from "./templates/template.ts";
import { finderName, ToolFinder } from "./tools/tool-finder.ts";

/** Everything that exists; nothing enabled. */
export interface ToolRegistry {
  all(): readonly Tool[];
}

/** The tools beside the registered ones, and what holds for all of them. */
interface ToolsNow {
  readonly external: readonly Tool[];
  readonly choices: ToolChoices;
}

/** Where somebody asks something. */
type AskedPlace = Pick<Question, "channel" | "person" | "thread">;

/** What is said about a place whoever will read the answer: read while that is found out. */
export interface Foreseen {
  readonly tools: Promise<ToolsNow>;
  readonly template: Promise<ChannelTemplate | undefined>;
}

/** Begins to read it. What cannot be read fails the session that is opened with it. */
function foresee(place: AskedPlace, ports: TenantAgentPorts): Foreseen {
  const template = Promise.resolve(ports.templates?.inChannel(place.channel, place.thread));
  const foreseen = { tools: readTools(place, ports), template };
  for (const reading of Object.values(foreseen)) reading.catch(() => undefined);
  return foreseen;
}

async function readTools({ channel, person, thread }: AskedPlace, { external, choices }: TenantAgentPorts): Promise<ToolsNow> {
  if (!external) return { external: [], choices: await choices.read(channel, person, thread) };
  const tools = await external.tools();
  const names = tools.map(({ name }) => name);
  return { external: tools, choices: await choices.read(channel, person, thread, names) };
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
  #first: Promise<ToolsNow> | undefined;
  #choices: ToolChoices | undefined;
  #external: readonly Tool[] = [];
  #tools: readonly Tool[] = [];
  readonly #finder = new ToolFinder();

  /** Use `openSession`, which checks who asks. */
  constructor(
    who: { person: Person; place: Place; audience: Audience; template?: ChannelTemplate | undefined; now?: Promise<ToolsNow> },
    question: Question,
    registry: ToolRegistry,
    ports: TenantAgentPorts,
  ) {
    this.person = who.person;
    this.place = who.place;
    this.audience = who.audience;
    this.template = who.template;
    this.#first = who.now;
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

  /**
   * Reads the toggles, templates and flags again, so that a switch takes effect at the next step of a running answer.
   * @throws AppError AUDIENCE_CHANGED as `recheck` does
   */
  async refresh(): Promise<void> {
    const first = this.#first;
    this.#first = undefined;
    if (!first) await this.recheck();
    const { choices, external } = await (first ?? readTools(this.question, this.#ports));
    this.#choices = choices;
    this.#external = external;
    this.#tools = this.#finder.offered(enabledTools(this.#all, choices, this.person), new Set(external));
  }

  /**
   * Looks again at who asks and who reads along.
   * @throws AppError AUDIENCE_CHANGED when the answer might hold what somebody who reads by now may not see
   */
  async recheck(): Promise<void> {
    const { audience } = await lookAround(this.question, this.#ports);
    if (!stillHolds(this.audience, audience)) throw new AppError("AUDIENCE_CHANGED");
  }

  get #all(): readonly Tool[] {
    return this.#external.length === 0 ? this.#registry.all() : [...this.#registry.all(), ...this.#external];
  }

  /** Why a tool cannot be called, as a sentence; the same for one that does not exist and one the person cannot know of. */
  whyNot(name: string): string {
    const tool = this.#all.find((tool) => tool.name === name);
    const reason = tool && this.#choices && whyNot(tool, this.#choices, this.person);
    if (tool && this.#choices && reason === undefined) return `Look for ${tool.name} with ${finderName} first.`;
    return reason ?? `There is no tool named ${JSON.stringify(name.slice(0, 64))} here.`;
  }
}

/**
 * Finds out who asks and who will read the answer.
 * @throws AppError PERSON_UNKNOWN, PERSON_DEACTIVATED, PERSON_IS_BOT, PERSON_IS_OUTSIDER, CHANNEL_UNKNOWN or PLACE_HAS_OUTSIDERS: the question is refused
 */
export async function openSession(
  question: Question,
  registry: ToolRegistry,
  ports: TenantAgentPorts,
  foreseen = foresee(question, ports),
): Promise<Session> {
  const [around, template] = await Promise.all([lookAround(question, ports), foreseen.template]);
  return new Session({ ...around, template, now: foreseen.tools }, question, registry, ports);
}

/** Who asks, where, and for whose eyes, as Slack says now. Throws as `openSession` does. */
async function lookAround({ channel, person: asker, rights }: Question, { directory }: TenantAgentPorts) {
  const placed = directory.place(channel);
  // Only where the asker's own rights count they matter, and Slack has to be asked.
  const ofTheirOwn = <T>(ask: () => Promise<readonly T[]> | undefined) =>
    placed.then((place) => (place?.kind === "direct" || rights === "asker" ? (ask() ?? []) : []));
  const [person, place, channels, groups] = await Promise.all([
    directory.person(asker),
    placed,
    ofTheirOwn(() => directory.channelsOf(asker)),
    ofTheirOwn(() => directory.groupsOf?.(asker)),
  ]);
  if (!person) throw new AppError("PERSON_UNKNOWN");
  const refusal = refusalOf(person);
  if (refusal) throw new AppError(refusal);
  if (!place) throw new AppError("CHANNEL_UNKNOWN");
  if (place.outsiders === "some") throw new AppError("PLACE_HAS_OUTSIDERS");
  return { person, place, audience: audienceFor(place, person, channels, { rights, groups }) };
}

function refusalOf(person: Person): ErrorCode | undefined {
  if (person.deactivated) return "PERSON_DEACTIVATED";
  if (person.isBot) return "PERSON_IS_BOT";
  if (person.role === "outsider") return "PERSON_IS_OUTSIDER";
  return undefined;
}
