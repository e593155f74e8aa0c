import type { Person } from "../../permissions/directory.ts";
import { type ToolChoices, whyNot } from "../../permissions/enabled-tools.ts";
import type { Tool } from "../../plugins/contract.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";

/** Every registered tool with its state for one person at one place, and the reason why not, in mrkdwn. */
export const toolLines = (tools: readonly Tool[], choices: ToolChoices, person: Person): readonly string[] =>
  tools.map((tool) => {
    const reason = whyNot(tool, choices, person);
    const title = tool.annotations?.title;
    if (reason === undefined) return `:large_green_circle: \`${tool.name}\`${title ? ` ${plainMrkdwn(title)}` : ""}`;
    const sign = choices.switchedOff.admin.has(tool.name) ? ":lock:" : ":white_circle:";
    return `${sign} \`${tool.name}\` ${plainMrkdwn(reason)}`;
  });
