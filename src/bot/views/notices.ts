import type { TurnId } from "../../core/ids.ts";
import { toMrkdwn } from "../mrkdwn.ts";
import type { MessageBody } from "../slack-writer.ts";
import { button, section } from "./blocks.ts";
import type { Words } from "./words.ts";

/** A short sentence of our own: queued, refused, a counter-question. Marks in it are read as Markdown. */
export function notice(sentence: string): MessageBody {
  const text = toMrkdwn(sentence).flat().join("\n");
  return { text, blocks: [section(text)] };
}

/** The same with a button that asks the question again. */
export function noticeWithRetry(sentence: string, turn: TurnId, words: Words): MessageBody {
  const said = notice(sentence);
  return { ...said, blocks: [...said.blocks, button(words.retry, "retry_turn", turn, words.retryHint)] };
}
