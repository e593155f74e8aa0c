import type { Source } from "../plugins/contract.ts";
import type { Answering, Ending } from "./answering.ts";
import { asQuote } from "./citations/citation-text.ts";
import { headline } from "./citations/citations.ts";
import type { Citation } from "./events.ts";
import type { ModelFailure } from "./model/model.ts";
import { type BudgetState, budgetNotice } from "./spending.ts";
import { runCalls } from "./tools/tool-step.ts";

/** The search that stands in for a model. */
const SEARCH = "query_documents";
const MOST_PASSAGES = 3;
const LONGEST_QUOTE = 500;
/** An answer's own questions come in a handful of words; a pasted text as a query finds nothing. In characters. */
const LONGEST_QUERY = 400;

/**
 * The answer when the model gave none: the best passages, quoted with their sources. Searches the documents first unless tools
 * have found something already; the search goes the same way as any call, so the asker's rights hold.
 */
export async function quotePassages(answering: Answering, why: string): Promise<Ending> {
  const { citations, session, signal, emit } = answering;
  let searched = citations.found.length > 0;
  if (!searched) {
    await session.refresh();
    const query = session.question.text.slice(0, LONGEST_QUERY);
    let status: string | undefined;
    const watched: Answering = {
      ...answering,
      emit: (event) => {
        if (event.type === "tool-end") status = event.result.status;
        emit(event);
      },
    };
    if (session.tools.some(({ name }) => name === SEARCH)) {
      await runCalls([{ id: "fallback", name: SEARCH, params: { query } }], watched);
    }
    searched = status === "success";
  }
  if (signal.aborted) return { type: "stopped", text: "" };
  if (!searched) return { type: "failed", text: "", code: "MODEL_FAILED" };

  emit({ type: "notice", text: why });
  const filter = citations.text();
  const text = filter.push(quoted(citations.found)) + filter.end();
  emit({ type: "text-delta", text });
  return { type: "answered", text, outcome: "fallback" };
}

/** The answer when a budget is used up: what the documents say, as they say it. It costs no tokens. */
export async function withoutModel(answering: Answering, state: BudgetState): Promise<Ending> {
  const ending = await quotePassages(answering, budgetNotice(state));
  return ending.type === "failed" ? { ...ending, code: "BUDGET_USED_UP" } : ending;
}

/** Why there is no answer of the model's own, for people. */
export function whyFallback(failure: ModelFailure | undefined): string {
  const instead = "so the best passages of the documents are quoted instead.";
  if (failure?.code === "no-tools") return `The language model cannot call tools, ${instead}`;
  if (failure?.code === "rate-limited") return `The language model is overloaded, ${instead}`;
  if (failure?.code === "unreachable" || failure?.code === "timeout") return `The language model cannot be reached, ${instead}`;
  if (failure?.code === "refused") return `The language model refused the request, ${instead}`;
  return `The language model gave no answer, ${instead}`;
}

function quoted(found: readonly Citation[]): string {
  const best = [...found].sort((a, b) => b.source.relevance - a.source.relevance).slice(0, MOST_PASSAGES);
  if (best.length === 0) return "I found nothing about this in the documents that may be used here.";
  const blocks = best.map(({ n, source }) => `${headline(n, { ...source, ...named(source) })}\n${quoteOf(source.passage)}`);
  return `These passages fit best:\n\n${blocks.join("\n\n")}`;
}

const named = ({ title, heading }: Source) => ({ title: asQuote(title), ...(heading !== undefined && { heading: asQuote(heading) }) });

/** Other people's text as a quotation: it can neither cite nor open a code block. */
function quoteOf(passage: string): string {
  const plain = asQuote(passage).replaceAll("`", "'").trim();
  const cut = plain.length <= LONGEST_QUOTE ? plain : `${plain.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, "")} ...`;
  return cut
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
