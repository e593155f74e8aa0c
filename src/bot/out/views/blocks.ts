import type { ActionsBlock, ContextBlock, SectionBlock } from "@slack/types";

/** A block of text in mrkdwn that is already inert. Never shortened behind "see more"; Slack looks for no names or addresses in it. */
export const section = (text: string): SectionBlock => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true }, expand: true });

/** A small grey line. */
export const context = (text: string): ContextBlock => ({ type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] });

/** One button that carries an opaque id. */
export const button = (label: string, action: string, value: string, hint: string): ActionsBlock => ({
  type: "actions",
  elements: [{ type: "button", text: { type: "plain_text", text: label }, action_id: action, value, accessibility_label: hint }],
});
