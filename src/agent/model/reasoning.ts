const OPEN = "<think>";
const CLOSE = "</think>";

/** What a piece of content means for the reader: text to add, and whether everything before it was reasoning after all. */
export interface Visible {
  readonly reset: boolean;
  readonly text: string;
}

/**
 * Takes the reasoning out of a content stream: a leading <think>...</think>, also with its tags cut between pieces, and reasoning of which
 * only the end is marked (then what was shown is taken back). A tag within backticks or later in the text is the answer's own.
 */
export class ReasoningFilter {
  #state: "start" | "thinking" | "answer" | "held" = "start";
  #open = "";
  #shown = "";

  /** @param startsUnmarked the server is known to leave out the opening tag: nothing is shown before the closing one */
  constructor(startsUnmarked: boolean) {
    if (startsUnmarked) this.#state = "held";
  }

  push(piece: string): Visible {
    this.#open += piece;
    if (this.#state === "start") this.#start();
    if (this.#state === "thinking" || this.#state === "held") return { reset: false, text: this.#skip() };
    return this.#state === "answer" ? this.#pass() : { reset: false, text: "" };
  }

  /** The rest, when the stream has ended. Reasoning that never ended is not an answer. */
  end(): string {
    const rest = this.#state === "thinking" ? "" : this.#open;
    this.#open = "";
    return rest;
  }

  /** Decides whether the reply begins with reasoning as soon as that is sure. */
  #start() {
    const text = this.#open.trimStart();
    if (text.startsWith(OPEN)) {
      this.#state = "thinking";
      this.#open = text.slice(OPEN.length);
    } else if (text !== "" && !OPEN.startsWith(text)) this.#state = "answer";
  }

  #skip(): string {
    const at = this.#open.indexOf(CLOSE);
    if (at < 0) return "";
    const rest = this.#open.slice(at + CLOSE.length).trimStart();
    this.#state = rest === "" ? "start" : "answer";
    this.#open = "";
    this.#shown = rest;
    return rest;
  }

  #pass(): Visible {
    const at = this.#open.search(/(?<!`)<\/think>(?!`)/);
    if (at >= 0 && !(this.#shown + this.#open.slice(0, at)).includes(OPEN)) {
      const text = this.#open.slice(at + CLOSE.length).trimStart();
      const reset = this.#shown !== "";
      this.#open = "";
      this.#shown = text;
      return { reset, text };
    }
    const held = partialTag(this.#open);
    const text = this.#open.slice(0, this.#open.length - held);
    this.#open = this.#open.slice(text.length);
    this.#shown += text;
    return { reset: false, text };
  }
}

/** Length of the tail that may be the beginning of a closing tag (with the character after it, which may be a backtick). */
function partialTag(text: string): number {
  const at = text.lastIndexOf("<");
  if (at < 0) return 0;
  const tail = text.slice(at);
  const from = text[at - 1] === "`" ? at - 1 : at;
  return CLOSE.startsWith(tail) ? text.length - from : 0;
}
