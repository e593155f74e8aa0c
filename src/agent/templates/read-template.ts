import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import { closest } from "../../permissions/named-tools.ts";
import { canonicalName } from "../../permissions/tool-name.ts";
import type { ChannelTemplate } from "./template.ts";

/** What a template may name. */
export interface TemplateVocabulary {
  /** Names of all registered tools. */
  readonly tools: readonly string[];
  /** Models that the operator allows; empty when no language model is configured. */
  readonly models: readonly string[];
}

/** A template is a page of text, not a document. Characters. */
const longestFile = 50_000;

const toolState = z.enum(["on", "off", "locked"], { error: "must be on, off or locked" });
const line = (most: number) =>
  z
    .string({ error: "must be text" })
    .trim()
    .min(1, "must not be empty")
    .max(most, `must have at most ${most} characters`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line");

/** The file's form: snake_case keys, none unknown. */
const file = z.strictObject(
  {
    name: z
      .string({ error: "is missing: lower-case letters, digits and hyphens" })
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens, at most 40"),
    title: line(80),
    instructions: z.string({ error: "must be text" }).trim().max(8_000, "must have at most 8000 characters").default(""),
    model: line(120).optional(),
    temperature: z.number({ error: "must be a number" }).min(0, "must be at least 0").max(2, "must be at most 2").optional(),
    tools: z.record(z.string(), toolState, { error: "must be a list of tools, each with on, off or locked" }).default({}),
    other_tools: toolState.default("on"),
    reply: z.enum(["mention", "thread", "always"], { error: "must be mention, thread or always" }).default("thread"),
    suggested_prompts: z.array(line(200), { error: "must be a list" }).max(4, "must hold at most 4 prompts").default([]),
  },
  {
    error: (issue) => (issue.code === "unrecognized_keys" ? "is not a setting of a template" : "must hold settings, each as `name: value`"),
  },
);

/**
 * Reads a template from YAML.
 * @throws AppError TEMPLATE_INVALID that lists every mistake with its line
 */
export function readTemplate(text: string, { tools, models }: TemplateVocabulary): ChannelTemplate {
  if (text.length > longestFile) throw invalid([{ line: 1, text: `The file has more than ${longestFile} characters.` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: "1.2", prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ line: lineAt(pos[0]), text: `${message}.` }));
  // A few lines of aliases can stand for gigabytes.
  visit(document, {
    Alias: (_, alias) => void broken.push({ line: lineAt(alias.range?.[0] ?? 0), text: "Aliases are not used in templates." }),
  });
  if (broken.length > 0) throw invalid(broken);

  const lineOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document.contents, path));
  const parsed = file.safeParse(document.toJS());
  if (!parsed.success) throw invalid(parsed.error.issues.flatMap((issue) => mistakesOf(issue, lineOf)));

  const { other_tools, suggested_prompts, model, temperature, ...rest } = parsed.data;
  const mistakes: Mistake[] = Object.keys(rest.tools).flatMap((name) => unknownTool(name, tools, lineOf(["tools", name])));
  const refused = model === undefined ? undefined : whyNotModel(model, models);
  if (refused) mistakes.push({ line: lineOf(["model"]), text: refused });
  if (mistakes.length > 0) throw invalid(mistakes);
  return {
    ...rest,
    otherTools: other_tools,
    suggestedPrompts: suggested_prompts,
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
  };
}

/** Why a template cannot have this model, as a sentence; nothing when it can. */
export function whyNotModel(model: string, models: readonly string[]): string | undefined {
  if (models.includes(model)) return undefined;
  if (models.length === 0) return "No language model is configured here, so a template cannot name one.";
  return `The model "${model}" is not allowed here. Allowed: ${models.join(", ")}. Whoever runs Footnote can add it to FOOTNOTE_MODELS.`;
}

interface Mistake {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const invalid = (mistakes: readonly Mistake[]) =>
  new AppError("TEMPLATE_INVALID", `\n${mistakes.map(({ line, text }) => `- line ${line}: ${text}`).join("\n")}`);

function mistakesOf(issue: z.core.$ZodIssue, lineOf: (path: readonly PropertyKey[]) => number): Mistake[] {
  const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
  return keys.map((key) => {
    const path = key === undefined ? issue.path : [...issue.path, key];
    return { line: lineOf(path), text: `${path.map(String).join(".") || "The file"} ${issue.message}.` };
  });
}

function unknownTool(name: string, tools: readonly string[], line: number): Mistake[] {
  const wanted = canonicalName(name);
  if (tools.some((tool) => canonicalName(tool) === wanted)) return [];
  const meant = closest(wanted, tools.map(canonicalName));
  return [{ line, text: `There is no tool "${name}".${meant ? ` Did you mean ${meant}?` : ""}` }];
}

/** Where in the file something stands: the key of a path, or of as much of it as there is. */
function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node: unknown = root;
  let offset = startOf(root);
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair) break;
      offset = startOf(pair.key);
      node = pair.value;
    } else break;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) ? ((node as Node).range?.[0] ?? 0) : 0);
