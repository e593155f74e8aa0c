import type { Logger } from "../../core/logger.ts";
import type { Directory } from "../../permissions/directory.ts";
import type { SlackAgentView } from "../out/slack-agent-view.ts";
import { slackFailure } from "../out/slack-failure.ts";
import { shorten } from "../surfaces/answer/activity.ts";
import type { Prepared } from "./prepared.ts";
import type { StartedTurn } from "./turn-store.ts";

/** Characters of a thread's name. */
const longestName = 60;

export interface NamingParts {
  readonly directory: Pick<Directory, "place">;
  readonly agentView: Pick<SlackAgentView, "nameThread">;
  readonly log: Logger;
}

/**
 * Names a thread of a direct message after the question that begins it, so that people find it again in Slack's list of their
 * conversations. Once: people may give it another name. Never rejects: no answer waits for it or needs it.
 */
export async function nameThread(turn: StartedTurn, prepared: Prepared, { directory, agentView, log }: NamingParts): Promise<void> {
  if (prepared.kind !== "ask" || turn.thread !== turn.ts || turn.earlierAttempts > 0) return;
  const name = shorten(prepared.text.split("\n").find((line) => line.trim() !== "") ?? "", longestName);
  try {
    if (name !== "" && (await directory.place(turn.channel))?.kind === "direct")
      await agentView.nameThread(turn.channel, turn.thread, name);
  } catch (thrown) {
    log.info("A thread was not named.", { code: slackFailure(thrown).code });
  }
}
