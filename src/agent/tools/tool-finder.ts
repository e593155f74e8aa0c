import type { Tool } from "../../plugins/contract.ts";
import { defineTool, failure, text } from "../../plugins/define.ts";

/** Tools of external servers that a model is given at once. More confuse it and fill its window. */
const MOST_AT_ONCE = 20;
/** Tools that one search brings up, and that stay at hand in one answer. */
const MOST_FOUND = 8;
const MOST_KEPT = 20;
/** Characters of a description in the list of what was found. */
const SHOWN = 200;

export const finderName = "find_tools";

/**
 * One answer's choice among many external tools: with more than twenty the model first gets a tool that finds tools, and from the next
 * step on those that it has found. Nothing is offered that is not enabled.
 */
export class ToolFinder {
  #enabled: readonly Tool[] = [];
  /** Names, the last found last. */
  readonly #found = new Set<string>();

  /**
   * @param enabled all tools that may be called now, in name order
   * @param external those of them that are of external servers, among others
   */
  offered(enabled: readonly Tool[], external: ReadonlySet<Tool>): readonly Tool[] {
    this.#enabled = enabled.filter((tool) => external.has(tool));
    if (this.#enabled.length <= MOST_AT_ONCE) return enabled;
    const near = enabled.filter((tool) => !external.has(tool) || this.#found.has(tool.name));
    return [...near, this.#finder()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #finder(): Tool {
    const servers = [...new Set(this.#enabled.map(({ server }) => server))].join(", ");
    return defineTool<{ query: string }>({
      name: finderName,
      description: `Finds tools of external services by what they do. ${this.#enabled.length} tools can be found, of: ${servers}. Those found can be called from the next step on.`,
      parameters: {
        type: "object",
        properties: { query: { type: "string", minLength: 1, maxLength: 200, description: "What the tool should do, in a few words." } },
        required: ["query"],
        additionalProperties: false,
      },
      annotations: { title: "Find tools", readOnly: true },
      effect: "read-inside",
      execute: async ({ query }) => this.#find(query),
    });
  }

  #find(query: string) {
    const terms = termsOf(query);
    const ranked = this.#enabled
      .map((tool) => ({ tool, score: score(tool, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
      .slice(0, MOST_FOUND);
    if (ranked.length === 0) return failure("NOT_FOUND", "No tool fits. Try other words, or answer without one.");
    for (const { tool } of ranked) {
      this.#found.delete(tool.name);
      this.#found.add(tool.name);
    }
    for (const name of [...this.#found].slice(0, -MOST_KEPT)) this.#found.delete(name);
    const lines = ranked.map(({ tool }) => `- ${tool.name}: ${tool.description.replace(/\s+/g, " ").slice(0, SHOWN)}`);
    return text(`These tools can be called now:\n${lines.join("\n")}`, { count: ranked.length, public: true });
  }
}

/** Words of a name count more than those of a description: descriptions are long and mention much. */
function score(tool: Tool, terms: readonly string[]): number {
  const name = new Set(termsOf(tool.name));
  const description = new Set(termsOf(tool.description));
  return terms.reduce((sum, term) => sum + (name.has(term) ? 3 : 0) + (description.has(term) ? 1 : 0), 0);
}

/** Words without their endings, roughly: "issues" finds "issue". */
const termsOf = (said: string): readonly string[] =>
  (said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/(?:ies|s|ing|ed|e)$/, ""));
