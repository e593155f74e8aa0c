/** Somebody's words within Markdown of ours: every mark in them is a character. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|>~]/g, "\\$&");
