import type { ContextBlock, SectionBlock } from "@slack/types";

/** A block of text in mrkdwn that is already inert. Never shortened behind "see more"; Slack looks for no names or addresses in it. */
export const section = (text: string): SectionBlock => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true }, expand: true });

/** A small grey line. */
export const context = (text: string): ContextBlock => ({ type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] });
