import type { Command } from "commander";
import type { FeedbackReport } from "../operations.ts";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";

/** Answers in one list at most. */
const mostAnswers = 100;

/** `footnote feedback`: the answers that people found worst. */
export function addFeedbackCommand(program: Command, { out, using, printJson }: CommandParts): void {
  program
    .command("feedback")
    .description("list the answers that people found worst, with what they say about them")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--limit <count>", `how many, ${mostAnswers} at most`, "20")
    .option("--json", "print one JSON object")
    .action(({ json, workspace, limit }: { workspace: string; limit: string; json?: boolean }) =>
      using(async (operations) => {
        const report = await operations.feedback({
          workspace,
          limit: Math.min(mostAnswers, Math.max(1, Number.parseInt(limit, 10) || 20)),
        });
        if (json) printJson(report);
        else out.write(printable(feedbackForPeople(report)));
      }),
    );
}

function feedbackForPeople({ answers, total }: FeedbackReport): string {
  if (answers.length === 0) return "Nobody has found an answer bad.\n";
  const lines = answers.flatMap(({ trace, channel, answeredAt, up, down, comments }) => [
    `${answeredAt.slice(0, 16).replace("T", " ")}  ${channel}  ${down} bad, ${up} good  footnote trace ${trace}`,
    ...comments.map(({ person, text }) => `    ${person}: ${text.replace(/\s+/g, " ")}`),
  ]);
  const hint = answers.length < mostAnswers ? `: --limit ${Math.min(mostAnswers, total)}` : "";
  const more = total > answers.length ? [`${total - answers.length} more${hint}`] : [];
  return `${[...lines, ...more].join("\n")}\n`;
}
