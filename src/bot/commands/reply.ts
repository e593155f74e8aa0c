import type { MessageBody } from "../out/slack-writer.ts";
import { context, section } from "../surfaces/blocks.ts";

/** Slack takes 3,000 characters a section; a message of more than about 13,000 is refused. */
const longestSection = 2_800;
const sectionsPerMessage = 4;

/** Lines of mrkdwn as messages, never cut within a line. The last line may be small print. */
export function messagesOf(lines: readonly string[], smallPrint?: string): readonly MessageBody[] {
  const sections: string[] = [];
  for (const line of lines.map((each) => each.slice(0, longestSection))) {
    const last = sections.at(-1);
    if (last === undefined || last.length + line.length + 1 > longestSection) sections.push(line);
    else sections[sections.length - 1] = `${last}\n${line}`;
  }
  const pages: string[][] = [];
  for (let at = 0; at < sections.length; at += sectionsPerMessage) pages.push(sections.slice(at, at + sectionsPerMessage));
  return pages.map((page, index) => ({
    text: page.join("\n").slice(0, longestSection),
    blocks: [...page.map(section), ...(smallPrint !== undefined && index === pages.length - 1 ? [context(smallPrint)] : [])],
  }));
}
