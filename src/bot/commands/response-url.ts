import type { MessageBody } from "../out/slack-writer.ts";

/** Where Slack takes answers to commands. */
const slackHost = "hooks.slack.com";
/** Slack answers at once or not at all. */
const timeoutMs = 5_000;

/** Answers a command so that only its author sees it. False when Slack did not take the answer, or the address is not Slack's. */
export type Respond = (responseUrl: string, body: MessageBody) => Promise<boolean>;

/** @param apiUrl where the Web API is, when that is not Slack itself: answers to commands go to the same host then */
export function responder(apiUrl: string | undefined): Respond {
  const own = apiUrl === undefined ? undefined : new URL(apiUrl).origin;
  return async (responseUrl, { text, blocks }) => {
    if (!isSlacks(responseUrl, own)) return false;
    try {
      const response = await fetch(responseUrl, {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify({ response_type: "ephemeral", replace_original: false, text, blocks }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };
}

function isSlacks(address: string, own: string | undefined): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return own === undefined ? url.protocol === "https:" && url.host === slackHost : url.origin === own;
}
