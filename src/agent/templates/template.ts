import { canonicalName } from "../../permissions/tool-name.ts";

/** Which messages of a channel the bot answers. Direct messages are always answered. */
export type ReplyRule =
  /** Those that mention it, in threads too. */
  | "mention"
  /** Those, and what is said in threads it takes part in. */
  | "thread"
  /** Every message of a person. */
  | "always";

/** What a template says about a tool: part of the assistant; not part unless an admin adds it in a channel; kept out for good. */
export type TemplateToolState = "on" | "off" | "locked";

/** How the bot behaves in the channels that use this template. Written by an admin. */
export interface ChannelTemplate {
  /** What people type: lower case, digits, hyphens; unique within a workspace. */
  readonly name: string;
  readonly title: string;
  /** The admin's words to the model. */
  readonly instructions: string;
  /** Another model of the same endpoint, by its name there; the usual one when absent. */
  readonly model?: string;
  /** 0 to 2; the model's own when absent. */
  readonly temperature?: number;
  /** By tool name. */
  readonly tools: Readonly<Record<string, TemplateToolState>>;
  /** What holds for tools that are not named. */
  readonly otherTools: TemplateToolState;
  readonly reply: ReplyRule;
  /** Questions to start from. */
  readonly suggestedPrompts: readonly string[];
  /** How sources stand below an answer; a list with pages and relevance unless given. */
  readonly citations?: CitationStyle;
  /** Model tokens, read and written together. */
  readonly budget?: TemplateBudget;
}

/** "list": a line each, with page, heading and relevance. "compact": one line of small print. */
export type CitationStyle = "list" | "compact";

/** Tokens that one answer may use, beside the operator's own limits, and that all answers of a channel may use in a month (UTC). */
export interface TemplateBudget {
  readonly answerTokens?: number;
  readonly monthTokens?: number;
}

/** One tenant's templates, as far as an answer needs them. */
export interface ChannelTemplates {
  /** The template that holds in a channel, or in a thread of it that was started from another one; undefined when none was chosen. */
  inChannel(channel: string, thread?: string): Promise<ChannelTemplate | undefined>;
}

/**
 * What holds in a thread that somebody has started from a template, in a channel that may have one of its own. What the channel's admin
 * has laid down stays: its instructions come first, and its rule of replies and its budget count. Which tools there are is for `ToolChoices`.
 */
export function inThread(channel: ChannelTemplate | undefined, started: ChannelTemplate): ChannelTemplate {
  if (!channel || channel.name === started.name) return started;
  const instructions = [channel.instructions, started.instructions].filter((text) => text !== "").join("\n\n");
  // Nobody gets around a channel's budget with a thread; a thread's own one counts where the channel has none.
  const budget = channel.budget ?? started.budget;
  return { ...started, instructions, reply: channel.reply, ...(budget && { budget }) };
}

/** Which of the registered tools a template takes in, and which it keeps out for good. Spelling of names does not matter. */
export function toolsOf(
  { tools, otherTools }: Pick<ChannelTemplate, "tools" | "otherTools">,
  registered: readonly string[],
): { readonly part: ReadonlySet<string>; readonly locked: ReadonlySet<string> } {
  const said = new Map(Object.entries(tools).map(([name, state]) => [canonicalName(name), state]));
  const stateOf = (name: string) => said.get(canonicalName(name)) ?? otherTools;
  return {
    part: new Set(registered.filter((name) => stateOf(name) === "on")),
    locked: new Set(registered.filter((name) => stateOf(name) === "locked")),
  };
}
