import { toMrkdwn } from "../out/mrkdwn.ts";
import type { MessageBody } from "../out/slack-writer.ts";
import { section } from "./blocks.ts";

/** A short sentence of our own: queued, refused, a counter-question. Marks in it are read as Markdown. */
export function notice(sentence: string): MessageBody {
  const text = toMrkdwn(sentence).flat().join("\n");
  return { text, blocks: [section(text)] };
}
