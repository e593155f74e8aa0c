import type { Person } from "../../../permissions/directory.ts";
import { type Obstacle, obstacleTo, sentenceFor, type ToolChoices } from "../../../permissions/enabled-tools.ts";
import type { Tool } from "../../../plugins/contract.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";

/** Every registered tool with its state for one person at one place, and the reason why not, in mrkdwn. */
export const toolLines = (
  tools: readonly Tool[],
  choices: ToolChoices,
  person: Person,
  inWords: (obstacle: Obstacle) => string = sentenceFor,
): readonly string[] =>
  tools.map((tool) => {
    const obstacle = obstacleTo(tool, choices, person);
    const reason = obstacle && inWords(obstacle);
    const title = tool.annotations?.title;
    if (reason === undefined) return `:large_green_circle: \`${tool.name}\`${title ? ` ${plainMrkdwn(title)}` : ""}`;
    const sign = choices.switchedOff.admin.has(tool.name) ? ":lock:" : ":white_circle:";
    return `${sign} \`${tool.name}\` ${plainMrkdwn(reason)}`;
  });
