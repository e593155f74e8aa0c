import { type ChannelId, channelId } from "../../../core/ids.ts";
import { mostPrompts, type SuggestedPrompt } from "../../out/slack-agent-view.ts";
import { shorten } from "../answer/activity.ts";
import type { Clicked } from "../desk.ts";
import { readsPlace } from "../place-access.ts";

/** What stands on a suggested question, in characters. */
const longestLabel = 60;

/**
 * Offers questions to somebody who opens the direct message: those of the assistant of the channel that they are looking at beside it, if
 * they read it and it has some; else those of the direct message's own assistant; else a few of our own.
 */
export async function suggestPrompts({ person, desk, words }: Omit<Clicked, "click">, viewing?: ChannelId): Promise<void> {
  const direct = await desk.directory.directMessage(person.id);
  const beside = viewing !== undefined && (await readsPlace(viewing, { person, desk })) ? await promptsOf(desk, viewing) : [];
  const own = beside.length > 0 ? beside : await promptsOf(desk, direct);
  const { begin, prompts } = words.agentView;
  const offered = own.length > 0 ? own : prompts;
  await desk.agentView.suggest(direct, begin, offered.slice(0, mostPrompts).map(toPrompt));
}

const promptsOf = async ({ templates }: Clicked["desk"], channel: ChannelId): Promise<readonly string[]> =>
  (await templates.inChannel(channelId(channel)))?.suggestedPrompts ?? [];

const toPrompt = (message: string): SuggestedPrompt => ({ title: shorten(message, longestLabel), message });
