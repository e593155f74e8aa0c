import type { ContextBlock, RichTextBlock, SectionBlock } from "@slack/types";

/** A block of text in mrkdwn that is already inert. Never shortened behind "see more"; Slack looks for no names or addresses in it. */
export const section = (text: string): SectionBlock => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true }, expand: true });

/** A small grey line. */
export const context = (text: string): ContextBlock => ({ type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] });

/** Text as it is, in a fixed width. Rich text has no marks, so that nothing in it can leave its block. */
export const code = (text: string): RichTextBlock => ({
  type: "rich_text",
  elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }],
});

/** A time that Slack writes in the reader's language and time zone. */
export const slackDate = (at: Date): string =>
  `<!date^${Math.floor(at.getTime() / 1_000)}^{date_short_pretty} {time}|${at.toISOString().slice(0, 16).replace("T", " ")} UTC>`;
