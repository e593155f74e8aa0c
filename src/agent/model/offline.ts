import { asQuote } from "../citations/citation-text.ts";
import type { Model, ModelEvent, ModelRequest, ToolCall } from "./model.ts";
import { choose, type Quote } from "./offline/extract.ts";
import { type Reading, read } from "./offline/reading.ts";
import { smallTalk } from "./offline/small-talk.ts";
import { searchWords } from "./offline/words.ts";

const BY_WORDS = "document_full_text_search";
const SEARCHES = ["query_documents", BY_WORDS];
const READ_ON = "get_document_context";
const LIST = "list_documents";
/** Words handed out at once. There is no wait between the pieces. */
const PIECE = 4;
/** A hit below this is not worth reading around. */
const LEAST_RELEVANCE = 0.2;

const asksForList =
  /\b(?:what|which|list|show)\b.*\b(?:documents?|files?|docs|sources?)\b.*\b(?:have|know|there|can|available|use|read|see)\b|^(?:list|show)(?: me)?(?: all| the| your| our)* (?:documents?|docs|files)\W*$/i;

/**
 * Answers without a language model: it searches, reads around the best hit, and quotes the sentences that fit the question best. It goes
 * through the same loop, tools and permissions as any model and knows only what a model is shown.
 */
export class OfflineAnswerer implements Model {
  readonly name = "offline-answerer";
  readonly quotesOnly = true;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const reading = read(request);
    const calls = request.toolChoice === "none" ? [] : nextCalls(reading, request);
    for (const call of calls) yield { type: "tool-call", call };
    if (calls.length === 0) {
      for (const text of pieces(answer(reading, request))) {
        if (signal.aborted) return yield { type: "model-error", error: { code: "aborted", message: "Stopped.", retryable: false } };
        yield { type: "text-delta", text };
      }
    }
    yield { type: "model-end", finish: calls.length > 0 ? "tool-calls" : "stop", usage: { inputTokens: 0, outputTokens: 0 } };
  }
}

/** Both searches at once, then the text around the best hit, then nothing more. */
function nextCalls({ question, query, called, sources }: Reading, { tools }: ModelRequest): readonly ToolCall[] {
  const offered = (name: string) => tools.some((tool) => tool.name === name);
  const call = (name: string, params: unknown): ToolCall => ({ id: `offline_${called.size}_${name}`, name, params });
  if (called.size === 0) {
    if (smallTalk(question, tools) !== undefined) return [];
    if (asksForList.test(question) && offered(LIST)) return [call(LIST, {})];
    return SEARCHES.filter(offered).map((name) => call(name, { query: name === BY_WORDS ? searchWords(query) || query : query }));
  }
  const searched = SEARCHES.some((name) => called.has(name));
  const best = [...sources].sort((a, b) => b.relevance - a.relevance)[0];
  if (!searched || called.has(READ_ON) || !offered(READ_ON) || !best?.passageId || best.relevance < LEAST_RELEVANCE) return [];
  return choose(query, sources).verdict === "absent" ? [] : [call(READ_ON, { passage_id: best.passageId, before: 1, after: 1 })];
}

function answer({ question, query, called, results, sources }: Reading, { tools }: ModelRequest): string {
  if (called.size === 0) {
    const reply = smallTalk(question, tools);
    if (reply !== undefined) return reply;
    return "I cannot look that up: the document search is not available here. `!tools` shows what is switched on and who can change it.";
  }
  const listed = results.find(({ name, content }) => name === LIST && !content.startsWith("Error"));
  if (listed) return listed.content.replace(/, document_id \S+/g, "");

  const { verdict, quotes } = choose(query, sources);
  if (verdict === "absent" && results.every(({ content }) => content.startsWith("Error")))
    return "The document search failed, so I cannot tell whether your documents hold this. Please try again in a moment.";
  if (verdict === "absent")
    return `I found no answer to this in the documents that may be used here. I searched them for “${query}”, by meaning and by words.`;
  const label = verdict === "held" ? "From your documents:" : "Your documents may not answer this exactly. The closest I found:";
  return `${label}\n\n${paragraphs(quotes)}`;
}

/** Quotes of one source stand together; each carries its number. */
function paragraphs(quotes: readonly Quote[]): string {
  let text = "";
  let last: Quote | undefined;
  for (const quote of quotes) {
    const separate = !last || last.n !== quote.n || last.kind !== "sentence" || quote.kind !== "sentence";
    text += `${last ? (separate ? (last.kind === "row" && quote.kind === "row" ? "\n" : "\n\n") : " ") : ""}${marked(quote)}`;
    last = quote;
  }
  return text;
}

function marked({ n, text, kind }: Quote): string {
  const plain = asQuote(text);
  if (kind === "row") return `- ${plain} [${n}]`;
  if (kind === "sentence") return `${plain} [${n}]`;
  const [lead = "", ...items] = plain.split("\n");
  return `${lead} [${n}]\n${items.join("\n")}`;
}

function* pieces(text: string): Generator<string> {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  for (let at = 0; at < words.length; at += PIECE) yield words.slice(at, at + PIECE).join("");
}
