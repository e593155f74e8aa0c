import { stringify } from "yaml";
import { lineDiff } from "../../core/line-diff.ts";
import type { ChannelTemplate } from "./template.ts";

/** A template as YAML: what `readTemplate` reads back as the same template. */
export function writeTemplate({
  name,
  title,
  instructions,
  model,
  temperature,
  tools,
  otherTools,
  reply,
  suggestedPrompts,
  citations,
  budget,
}: ChannelTemplate): string {
  const settings = {
    name,
    title,
    ...(instructions !== "" && { instructions: `${instructions}\n` }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(Object.keys(tools).length > 0 && { tools }),
    other_tools: otherTools,
    reply,
    ...(suggestedPrompts.length > 0 && { suggested_prompts: suggestedPrompts }),
    ...(citations !== undefined && { citations }),
    ...(budget && {
      budget: {
        ...(budget.answerTokens !== undefined && { answer_tokens: budget.answerTokens }),
        ...(budget.monthTokens !== undefined && { month_tokens: budget.monthTokens }),
      },
    }),
  };
  return stringify(settings, { lineWidth: 0, version: "1.2", aliasDuplicateObjects: false });
}

/** What another version changes, line by line; all of it when there was none before. */
export const templateDiff = (before: ChannelTemplate | undefined, after: ChannelTemplate): readonly string[] =>
  lineDiff(before ? linesOf(before) : [], linesOf(after));

const linesOf = (template: ChannelTemplate): readonly string[] => writeTemplate(template).trimEnd().split("\n");
