import type { ChannelTemplate } from "./template.ts";

/** Templates that every workspace has. One of its own with the same name takes the place of a built-in one. */
export const builtInTemplates: readonly ChannelTemplate[] = [
  {
    name: "general",
    title: "General assistant",
    instructions: "",
    tools: {},
    otherTools: "on",
    reply: "thread",
    suggestedPrompts: [],
  },
  {
    name: "document-analysis",
    title: "Document analysis",
    instructions:
      "Answer from the workspace's documents alone. Quote the decisive sentences, name the document and page, and say where documents contradict each other or leave something open.",
    tools: { query_documents: "on", document_full_text_search: "on", get_document_context: "on", list_documents: "on" },
    otherTools: "off",
    reply: "thread",
    suggestedPrompts: ["Which documents do you have?", "What do the documents say about …?"],
  },
];
