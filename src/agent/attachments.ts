import { text } from "../plugins/define.ts";
import type { Citations } from "./citations.ts";
import type { ModelMessage } from "./model/model.ts";
import type { Attachment } from "./ports.ts";

/** Longest text of all files together, in characters, sources' heads included. */
const LIMIT = 40_000;

/** The conversation with the question's files behind the question: numbered like what tools find, so that they can be cited. */
export function withAttachments(
  messages: readonly ModelMessage[],
  attachments: readonly Attachment[],
  citations: Citations,
): readonly ModelMessage[] {
  const question = messages.at(-1);
  if (question?.role !== "user") return messages;
  const sources = attachments.flatMap(({ id, name, passages }) =>
    passages.map((passage, index) => ({ id: `${id} ${index}`, title: name, relevance: 1, ...passage })),
  );
  const files = citations.render(text("Files that the person has sent along with the question:", { sources }), LIMIT);
  return [...messages.slice(0, -1), { ...question, content: `${question.content}\n\n${files}` }];
}
