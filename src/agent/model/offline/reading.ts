import type { ModelRequest } from "../model.ts";
import { stems } from "./words.ts";

/** A source as the model was shown it, see `Citations.render`. */
export interface ShownSource {
  readonly n: number;
  readonly title: string;
  readonly heading: string;
  readonly passageId: string | undefined;
  /** 0 to 1, as the search gave it. */
  readonly relevance: number;
  readonly passage: string;
}

/** What a request says, as far as an answerer without a language model needs it. */
export interface Reading {
  readonly question: string;
  /** The question with the one before it, when it cannot be understood alone. */
  readonly query: string;
  /** Names of the tools called since the question. */
  readonly called: ReadonlySet<string>;
  /** Their results, as text. */
  readonly results: readonly { readonly name: string; readonly content: string }[];
  readonly sources: readonly ShownSource[];
}

const block =
  /^\[(\d+)\] ([^\n]*)\n(?:passage_id: (\S+), document_id: \S+, |url: \S+, (?:published: \S+, )?(?:retrieved: \S+, )?)?relevance: ([\d.]+)\n"""([\s\S]*?)"""$/gm;

/** The question is the last message of a person before the first tool call; what comes after the calls is our own loop's. */
export function read({ messages }: ModelRequest): Reading {
  const firstCall = messages.findIndex((message) => message.role === "assistant" && (message.toolCalls?.length ?? 0) > 0);
  const before = firstCall < 0 ? messages : messages.slice(0, firstCall);
  const asked = before.flatMap((message) => (message.role === "user" ? [message.content] : []));
  const questions = asked.length > 1 && asked.every((text) => speaker.test(text)) ? asked.map((text) => text.replace(speaker, "")) : asked;
  const question = questions.at(-1)?.trim() ?? "";
  const results = messages.flatMap((message) => (message.role === "tool" ? [{ name: message.name, content: message.content }] : []));
  return {
    question,
    query: queryFor(question, questions.at(-2)?.trim()),
    called: new Set(results.map(({ name }) => name)),
    results,
    sources: results.flatMap(({ content }) => sourcesIn(content)),
  };
}

/** The sources of one tool result. */
export function sourcesIn(content: string): readonly ShownSource[] {
  return [...content.matchAll(block)].map(([, n, line = "", passageId, relevance, passage = ""]) => {
    const [title = "", heading = ""] = line.split(" · ");
    return { n: Number(n), title: title.replace(/, pages? [\d–]+$/, ""), heading, passageId, relevance: Number(relevance), passage };
  });
}

const speaker = /^[\p{L}\p{N}._-]{1,40}: /u;
const LONGEST_QUERY = 400;
const opensAsFollowUp = /^(and|but|also|what about|how about|und|et|y)\b/i;
const pointsBack =
  /\b(it|they|them|its|their|he|she|him|her|those|these|one|ones|same|instead|else)\b|\b(that|this)\b(?=\s*(?:[?.!]|$|is|was|does|apply|mean|cost|take|include|count|work))/i;

/** "And for guests?" means nothing to a search; with the question before it, it does. */
function queryFor(question: string, previous: string | undefined): string {
  const content = stems(question);
  const alone = content.length >= 3 && !opensAsFollowUp.test(question) && !pointsBack.test(question);
  const query = previous === undefined || (alone && content.length > 0) || content.length > 8 ? question : `${previous} ${question}`;
  return query.replace(/\s+/g, " ").slice(0, LONGEST_QUERY);
}
