import type { TaskUpdateChunk } from "@slack/types";
import { type ActivityLine, activityFacts, shorten } from "../../surfaces/answer/activity.ts";
import type { Words } from "../../surfaces/answer/words.ts";
import { textRuns } from "../mrkdwn/addresses.ts";
import { clean } from "../mrkdwn/clean.ts";
import { brokenForms } from "../mrkdwn/write-markdown.ts";

// Slack shows 256 characters of a title; cards count as part of the message and must not push the answer out of it.
const longestTitle = 120;
// So many calls have cards of their own in one answer; all others share one.
const mostCards = 6;
/** Bytes of cards in one message from which on only ends are shown. */
const mostBytes = 2_500;

const states = { running: "in_progress", done: "complete", failed: "error", denied: "error" } as const;

/** Tool calls as task cards of a stream. A card's title and state are replaced by a newer one with the same id. */
export class TaskCards {
  readonly #words: Words;
  readonly #shown = new Map<string, string>();
  readonly #over = new Set<string>();
  #bytes = 0;

  constructor(words: Words) {
    this.#words = words;
  }

  /** What has changed since the last `note`. `busy` is false from the first text on. */
  changed(calls: readonly ActivityLine[], busy: boolean): TaskUpdateChunk[] {
    return this.#cards(calls, busy).filter((card) => {
      const end = card.status !== "in_progress";
      if (this.#over.has(card.id) || this.#shown.get(card.id) === keyOf(card)) return false;
      return this.#bytes < mostBytes || (end && this.#shown.has(card.id));
    });
  }

  /** Takes note that these are on the screen. */
  note(cards: readonly TaskUpdateChunk[]): void {
    for (const card of cards) {
      this.#shown.set(card.id, keyOf(card));
      if (card.status !== "in_progress" && card.id !== "more") this.#over.add(card.id);
      this.#bytes += Buffer.byteLength(JSON.stringify(card));
    }
  }

  /** The next message begins without cards; those of calls that still run appear again there. */
  turn(): void {
    this.#shown.clear();
    this.#bytes = 0;
  }

  #cards(calls: readonly ActivityLine[], busy: boolean): TaskUpdateChunk[] {
    const waiting = busy && calls.length === 0;
    const others = calls.slice(mostCards);
    const running = others.some(({ state }) => state === "running");
    return [
      card("start", this.#words.reading, waiting ? "in_progress" : "complete"),
      ...calls
        .slice(0, mostCards)
        .map((call, index) =>
          card(
            String(index),
            [shorten(this.#words.said(call.label), longestTitle), ...activityFacts(call, this.#words)].join(" \u00B7 "),
            states[call.state],
          ),
        ),
      ...(others.length > 0 ? [card("more", this.#words.furtherSteps(others.length), running ? "in_progress" : "complete")] : []),
    ];
  }
}

const card = (id: string, title: string, status: TaskUpdateChunk["status"]): TaskUpdateChunk => ({
  type: "task_update",
  id,
  title: inertTitle(title),
  status,
});

const keyOf = ({ title, status }: TaskUpdateChunk): string => `${status} ${title}`;

/** A title is plain text, in which Slack may still see addresses and forms of its own: those are broken up. */
const inertTitle = (title: string): string =>
  textRuns(clean(title).replace(/\s+/g, " ").trim(), {}, new Set())
    .map(({ text, code }) => brokenForms(code ? text.replace(/[.:/@\uFF0E]/g, "$&\u200B") : text))
    .join("")
    .replace(/@(?=(?:channel|here|everyone)\b)/gi, "@\u200B");
