import type { WebClient } from "@slack/web-api";
import type { ChannelId, MessageTs } from "../../core/ids.ts";
import { slackFailure } from "./slack-failure.ts";

/** A question that Slack offers above the field in which people write. */
export interface SuggestedPrompt {
  /** What stands on it. */
  readonly title: string;
  /** What is asked when it is clicked. */
  readonly message: string;
}

/** More than this many Slack refuses. */
export const mostPrompts = 4;

/**
 * What Slack shows around a direct message with the app: names of its threads, questions to begin with. Throws SlackFailure. Nothing is
 * tried again: answers do not depend on it.
 */
export class SlackAgentView {
  readonly #client: WebClient;

  constructor(client: WebClient) {
    this.#client = client;
  }

  /** Gives a thread of a direct message the name under which it stands in the history. People may change it. */
  async nameThread(channel: ChannelId, thread: MessageTs, title: string): Promise<void> {
    await this.#client.assistant.threads.setTitle({ channel_id: channel, thread_ts: thread, title }).catch(rethrow);
  }

  /** Offers questions in a direct message. No thread is named: with one, Slack ignores the call of an app that has the agent view. */
  async suggest(channel: ChannelId, title: string, prompts: readonly SuggestedPrompt[]): Promise<void> {
    await this.#client.assistant.threads
      .setSuggestedPrompts({ channel_id: channel, title, prompts: prompts.slice(0, mostPrompts) })
      .catch(rethrow);
  }
}

const rethrow = (thrown: unknown): never => {
  throw slackFailure(thrown);
};
