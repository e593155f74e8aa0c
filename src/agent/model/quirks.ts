type Body = Readonly<Record<string, unknown>>;

/** What one model's server does differently, learned from its refusals and kept for good. Every model learns for itself. */
export class Quirks {
  readonly #dropped = new Set<string>();
  /** Newer models of OpenAI want the second name for the length limit, most other servers know only the first. */
  #limitName: "max_tokens" | "max_completion_tokens" = "max_tokens";
  /** Its reasoning has an end but no beginning, see ReasoningFilter. */
  unmarkedReasoning = false;

  /** The parameters a request may carry beside its messages and tools. */
  parameters(wanted: { readonly temperature: number | undefined; readonly maxOutputTokens: number | undefined }): Body {
    const all = {
      stream_options: { include_usage: true },
      temperature: wanted.temperature,
      [this.#limitName]: wanted.maxOutputTokens,
    };
    return Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== undefined && !this.#dropped.has(name)));
  }

  /**
   * Whether a refusal named a parameter we can do without; then the same request may be made again at once. Judged by what this very
   * request sent: another answer may have learned the same a moment ago.
   * @param refusal the server's message, in lower case
   */
  learn(refusal: string, sent: Body): boolean {
    if ("max_tokens" in sent && refusal.includes("max_completion_tokens")) {
      this.#limitName = "max_completion_tokens";
      return true;
    }
    const named = ["stream_options", "temperature", "max_completion_tokens", "max_tokens"].find(
      (name) => name in sent && refusal.includes(name),
    );
    if (named) this.#dropped.add(named);
    return named !== undefined;
  }
}
