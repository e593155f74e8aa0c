import { mentions, questionText } from "../turns/question-text.ts";
import type { SlackMessage } from "../turns/slack-message.ts";
import { addressedCommand, bangCommand, type Command } from "./command.ts";

/**
 * The command in a message, if it holds one. `addressed` says whether the bot itself is spoken to (a mention, a direct message):
 * one that is not counts in a thread only where the bot takes part.
 */
export function commandIn(message: SlackMessage, bot: string): { readonly command: Command; readonly addressed: boolean } | undefined {
  const raw = message.text ?? "";
  const mentioned = mentions(raw, bot);
  const addressed = mentioned || message.channel_type === "im";
  const text = mentioned ? questionText(raw, bot, unnamed) : raw;
  const command = bangCommand(text) ?? (addressed ? addressedCommand(text) : undefined);
  return command && { command, addressed };
}

const unnamed = { person: () => undefined, channel: () => undefined };
