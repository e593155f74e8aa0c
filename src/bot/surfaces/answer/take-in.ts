import { messageTs } from "../../../core/ids.ts";
import type { Clicked } from "../desk.ts";

/**
 * Has a question that waits become part of the answer that it waits for, if both are the same person's: with whose rights that is made
 * stays as it is. @returns the sentence for the person alone
 */
export async function takeIn({ click, person, desk, words: { answer: words }, parts }: Clicked): Promise<string> {
  const { at, value } = click;
  if (!at || !/^\d{1,20}\.\d{1,10}$/.test(value)) return words.notTakenIn;
  const answer = await desk.changes.takeIn({ channel: at.channel, ts: messageTs(value), person: person.id });
  if (answer === undefined) return words.notTakenIn;
  parts.added(answer);
  return words.takenIn;
}
