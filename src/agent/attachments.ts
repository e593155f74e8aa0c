import { text } from "../plugins/define.ts";
import type { Citations } from "./citations/citations.ts";
import type { ModelMessage } from "./model/model.ts";
import type { Attachments } from "./ports.ts";

/** Longest text of everything together, in characters, sources' heads included. */
const LIMIT = 40_000;

/** The conversation with what came along behind the question: numbered like what tools find, so that it can be cited. */
export function withAttachments(
  messages: readonly ModelMessage[],
  { read, notes }: Attachments,
  citations: Citations,
): readonly ModelMessage[] {
  const question = messages.at(-1);
  if (question?.role !== "user") return messages;
  const sources = read.flatMap(({ id, name, passages }) =>
    passages.map((passage, index) => ({ id: `${id} ${index}`, title: name, relevance: 1, ...passage })),
  );
  const along = citations.render(text("Sent along by the person with the question:", { sources, notices: notes }), LIMIT);
  return [...messages.slice(0, -1), { ...question, content: `${question.content}\n\n${along}` }];
}
