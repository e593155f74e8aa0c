import { z } from "zod";
import { closest } from "../../permissions/named-tools.ts";
import { canonicalName } from "../../permissions/tool-name.ts";
import type { ChannelTemplate } from "./template.ts";

/** What a template may name. */
export interface TemplateVocabulary {
  /** Names of all tools there are. */
  readonly tools: readonly string[];
  /** Models that the operator allows; empty when no language model is configured. */
  readonly models: readonly string[];
}

/** What is wrong with a template, and where: the path of a setting, e.g. ["tools", "web_search"]. */
export interface TemplateMistake {
  readonly path: readonly PropertyKey[];
  /** A sentence that begins with the setting's name. */
  readonly text: string;
}

/** Characters of instructions, and of a suggested prompt; how many prompts there may be. */
export const longestInstructions = 8_000;
export const longestPrompt = 200;
export const mostPrompts = 4;

const toolState = z.enum(["on", "off", "locked"], { error: "must be on, off or locked" });
const line = (most: number) =>
  z
    .string({ error: "must be text" })
    .trim()
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line");

/** A budget in tokens: below the first number no answer comes about, beyond the second nothing is limited. */
export const leastTokens = 1_000;
export const mostTokens = 1_000_000_000_000;
const tokens = z
  .int({ error: "must be a whole number of tokens" })
  .min(leastTokens, `must be at least ${leastTokens}`)
  .max(mostTokens, `must be at most ${mostTokens}`)
  .optional();

/** The file's form: snake_case keys, none unknown. */
const file = z.strictObject(
  {
    name: z
      .string({ error: "is missing: lower-case letters, digits and hyphens" })
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens, at most 40"),
    title: line(80),
    instructions: z
      .string({ error: "must be text" })
      .trim()
      .max(longestInstructions, `must have at most ${longestInstructions} characters`)
      .default(""),
    model: line(120).optional(),
    temperature: z.number({ error: "must be a number" }).min(0, "must be at least 0").max(2, "must be at most 2").optional(),
    tools: z.record(z.string(), toolState, { error: "must be a list of tools, each with on, off or locked" }).default({}),
    other_tools: toolState.default("on"),
    reply: z.enum(["mention", "thread", "always"], { error: "must be mention, thread or always" }).default("thread"),
    suggested_prompts: z
      .array(line(longestPrompt), { error: "must be a list" })
      .max(mostPrompts, `must hold at most ${mostPrompts} prompts`)
      .default([]),
    citations: z.enum(["list", "compact"], { error: "must be list or compact" }).optional(),
    budget: z
      .strictObject({ answer_tokens: tokens, month_tokens: tokens }, { error: "must hold answer_tokens or month_tokens, each a number" })
      .optional(),
  },
  {
    error: (issue) => (issue.code === "unrecognized_keys" ? "is not a setting of a template" : "must hold settings, each as `name: value`"),
  },
);

/**
 * A template from its settings as a file or a form holds them: all of them checked, whoever wrote them. Every mistake is told, not only
 * the first.
 */
export function checkTemplate(
  settings: unknown,
  { tools, models }: TemplateVocabulary,
): { readonly template: ChannelTemplate } | { readonly mistakes: readonly TemplateMistake[] } {
  const parsed = file.safeParse(settings);
  if (!parsed.success) return { mistakes: parsed.error.issues.flatMap(mistakesOf) };
  const { other_tools, suggested_prompts, model, temperature, citations, budget, ...rest } = parsed.data;
  const mistakes: TemplateMistake[] = Object.keys(rest.tools).flatMap((name) => unknownTool(name, tools));
  const refused = model === undefined ? undefined : whyNotModel(model, models);
  if (refused) mistakes.push({ path: ["model"], text: refused });
  if (mistakes.length > 0) return { mistakes };
  const template = {
    ...rest,
    otherTools: other_tools,
    suggestedPrompts: suggested_prompts,
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(citations === "compact" && { citations }),
    ...budgetOf(budget),
  };
  return { template };
}

function budgetOf({ answer_tokens, month_tokens }: NonNullable<z.output<typeof file>["budget"]> = {}): Pick<ChannelTemplate, "budget"> {
  if (answer_tokens === undefined && month_tokens === undefined) return {};
  return {
    budget: {
      ...(answer_tokens !== undefined && { answerTokens: answer_tokens }),
      ...(month_tokens !== undefined && { monthTokens: month_tokens }),
    },
  };
}

/** Why a template cannot have this model, as a sentence; nothing when it can. */
export function whyNotModel(model: string, models: readonly string[]): string | undefined {
  if (models.includes(model)) return undefined;
  if (models.length === 0) return "No language model is configured here, so a template cannot name one.";
  return `The model "${model}" is not allowed here. Allowed: ${models.join(", ")}. Whoever runs Footnote can add it to FOOTNOTE_MODELS.`;
}

function mistakesOf(issue: z.core.$ZodIssue): TemplateMistake[] {
  const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
  return keys.map((key) => {
    const path = key === undefined ? issue.path : [...issue.path, key];
    return { path, text: `${path.map(String).join(".") || "The file"} ${issue.message}.` };
  });
}

function unknownTool(name: string, tools: readonly string[]): TemplateMistake[] {
  const wanted = canonicalName(name);
  if (tools.some((tool) => canonicalName(tool) === wanted)) return [];
  const meant = closest(wanted, tools.map(canonicalName));
  return [{ path: ["tools", name], text: `There is no tool "${name}".${meant ? ` Did you mean ${meant}?` : ""}` }];
}
