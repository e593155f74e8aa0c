import type { Settings, Tool } from "../plugins/contract.ts";
import type { Role } from "./directory.ts";
import { atLeast, type Standing, takesPart } from "./roles.ts";
import { type ToggleScope, toggleScopes } from "./toggles.ts";
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
export function whyNot(tool: Tool, choices: ToolChoices, person: Standing): string | undefined {
  const obstacle = obstacleTo(tool, choices, person);
  return obstacle && sentenceFor(obstacle);
}

/** Why a person does not have a tool. `label` is the tool's name for people. */
export type Obstacle = { readonly label: string } & (
  | { readonly kind: "not-taking-part" | "unreleased" | "not-allowed" | "template-lock" | "template" | ToggleScope }
  | { readonly kind: "not-configured"; readonly missing: string }
  | { readonly kind: "role"; readonly least: Role }
);

/** The first reason why a person does not have a tool, as a fact, to be put into words in any language. */
export const obstacleTo = (tool: Tool, choices: ToolChoices, person: Standing): Obstacle | undefined =>
  firstReason(tool, canonical(choices), person);

/** An obstacle in English. */
export function sentenceFor(obstacle: Obstacle): string {
  const { label } = obstacle;
  switch (obstacle.kind) {
    case "not-taking-part":
      return "Tools are for people of this workspace; nobody can change that.";
    case "unreleased":
      return `${label} is not released to this workspace yet; whoever runs Footnote can release it.`;
    case "not-configured":
      return `${obstacle.missing} Whoever runs Footnote can set it up.`;
    case "not-allowed":
      return `${label} is not allowed in this workspace; a workspace admin can allow it.`;
    case "role":
      return `${label} needs the role ${obstacle.least} or higher; a workspace admin can change that.`;
    case "template-lock":
      return `${label} is locked out of this channel's assistant; a workspace admin can change its template.`;
    case "template":
      return `${label} is not part of this channel's assistant; a workspace admin can add it.`;
    case "admin":
      return `${label} is locked by an admin; only a workspace admin can unlock it.`;
    case "channel":
      return `${label} is switched off in this channel; a workspace admin can switch it on.`;
    case "thread":
      return `${label} is switched off in this thread; anybody in the thread can switch it on.`;
    case "person":
      return `${label} is switched off by you; you can switch it on.`;
    default:
      return obstacle satisfies never;
  }
}

/** flag ∧ configured ∧ policy ∧ role ∧ template ∧ toggles. What was not said is a no, except for toggles, which only take away. */
function firstReason(tool: Tool, rules: ToolChoices, person: Standing): Obstacle | undefined {
  const name = canonicalName(tool.name);
  const label = tool.annotations?.title ?? tool.name;
  const least = rules.leastRole.get(name) ?? "guest";

  if (!takesPart(person)) return { kind: "not-taking-part", label };
  if (tool.featureFlag && !rules.flags.has(tool.featureFlag)) return { kind: "unreleased", label };
  const missing = notConfigured(tool, rules.settings);
  if (missing) return { kind: "not-configured", label, missing };
  if (!rules.allowed.has(name)) return { kind: "not-allowed", label };
  if (!atLeast(person.role, least)) return { kind: "role", label, least };
  if (rules.lockedByTemplate?.has(name)) return { kind: "template-lock", label };
  if (!rules.template.has(name)) return { kind: "template", label };
  const kind = toggleScopes.find((scope) => rules.switchedOff[scope].has(name));
  return kind && { kind, label };
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
