import type { Settings, Tool } from "../plugins/contract.ts";
import type { Role } from "./directory.ts";
import { atLeast, type Standing, takesPart } from "./roles.ts";
import { canonicalName } from "./tool-name.ts";

/** What a tenant, its policy, a person's role, a channel's template and the toggles say about tools, at one moment. */
export interface ToolChoices {
  /** Feature flags the operator has set for the tenant. */
  readonly flags: ReadonlySet<string>;
  /** The tenant's plugin settings. */
  readonly settings: Settings;
  /** Tools the tenant's admins allow at all. */
  readonly allowed: ReadonlySet<string>;
  /** Least role per tool; a tool not named here needs "guest" (outsiders never). */
  readonly leastRole: ReadonlyMap<string, Role>;
  /** Tools that are part of the channel's template. */
  readonly template: ReadonlySet<string>;
  /** Tools that the channel's template keeps out for good: not even an admin's switch adds them there. */
  readonly lockedByTemplate?: ReadonlySet<string>;
  /** Tools switched off, by scope. */
  readonly switchedOff: {
    readonly admin: ReadonlySet<string>;
    readonly channel: ReadonlySet<string>;
    readonly thread: ReadonlySet<string>;
    readonly person: ReadonlySet<string>;
  };
}

/** The tools a person has at this moment, in name order, so that the prompt is the same on every run. Anything else cannot be called. */
export function enabledTools(all: readonly Tool[], choices: ToolChoices, person: Standing): readonly Tool[] {
  const rules = canonical(choices);
  return all.filter((tool) => firstReason(tool, rules, person) === undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The first reason why a person does not have a tool, as a sentence that says who can change it; nothing when they have it. */
export const whyNot = (tool: Tool, choices: ToolChoices, person: Standing): string | undefined =>
  firstReason(tool, canonical(choices), person);

/** flag ∧ configured ∧ policy ∧ role ∧ template ∧ toggles. What was not said is a no, except for toggles, which only take away. */
function firstReason(tool: Tool, rules: ToolChoices, person: Standing): string | undefined {
  const name = canonicalName(tool.name);
  const label = tool.annotations?.title ?? tool.name;
  const least = rules.leastRole.get(name) ?? "guest";
  const { admin, channel, thread, person: own } = rules.switchedOff;

  if (!takesPart(person)) return "Tools are for people of this workspace; nobody can change that.";
  if (tool.featureFlag && !rules.flags.has(tool.featureFlag))
    return `${label} is not released to this workspace yet; whoever runs Footnote can release it.`;
  const missing = notConfigured(tool, rules.settings);
  if (missing) return `${missing} A workspace admin can set it up.`;
  if (!rules.allowed.has(name)) return `${label} is not allowed in this workspace; a workspace admin can allow it.`;
  if (!atLeast(person.role, least)) return `${label} needs the role ${least} or higher; a workspace admin can change that.`;
  if (rules.lockedByTemplate?.has(name))
    return `${label} is locked out of this channel's assistant; a workspace admin can change its template.`;
  if (!rules.template.has(name)) return `${label} is not part of this channel's assistant; a workspace admin can add it.`;
  if (admin.has(name)) return `${label} is locked by an admin; only a workspace admin can unlock it.`;
  if (channel.has(name)) return `${label} is switched off in this channel; a workspace admin can switch it on.`;
  if (thread.has(name)) return `${label} is switched off in this thread; anybody in the thread can switch it on.`;
  if (own.has(name)) return `${label} is switched off by you; you can switch it on.`;
  return undefined;
}

/** A check that fails says nothing about the settings, so the tool stays off. */
function notConfigured(tool: Tool, settings: Settings): string | undefined {
  try {
    return tool.configure?.(settings);
  } catch {
    return "Its settings could not be checked.";
  }
}

/** The same choices with every tool's name in the form in which names are compared. Of two rules for one tool the stricter holds. */
function canonical(choices: ToolChoices): ToolChoices {
  const { admin, channel, thread, person } = choices.switchedOff;
  const leastRole = new Map<string, Role>();
  for (const [raw, role] of choices.leastRole) {
    const name = canonicalName(raw);
    const other = leastRole.get(name);
    leastRole.set(name, other !== undefined && !atLeast(role, other) ? other : role);
  }
  return {
    ...choices,
    leastRole,
    allowed: names(choices.allowed),
    template: names(choices.template),
    ...(choices.lockedByTemplate && { lockedByTemplate: names(choices.lockedByTemplate) }),
    switchedOff: { admin: names(admin), channel: names(channel), thread: names(thread), person: names(person) },
  };
}

const names = (raw: ReadonlySet<string>): ReadonlySet<string> => new Set([...raw].map(canonicalName));
