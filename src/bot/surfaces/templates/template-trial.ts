import type { KnownBlock, ModalView } from "@slack/types";
import type { Answer } from "../../../agent/client.ts";
import { channelId, isUuid } from "../../../core/ids.ts";
import { mayNotChange } from "../../../permissions/toggles.ts";
import { plainMrkdwn, toMrkdwn } from "../../out/mrkdwn.ts";
import { questionText } from "../../turns/question-text.ts";
import { shorten } from "../answer/activity.ts";
import { sourceLines } from "../answer/source-list.ts";
import { context, section } from "../blocks.ts";
import type { Clicked } from "../desk.ts";
import { modal, sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { previewed } from "./template-preview.ts";
import { ownTemplatesState } from "./templates-state.ts";

/** Blocks of an answer that are shown: with all around them below the 100 that Slack takes, and its 250 kB. */
const mostSections = 40;
const longestQuestion = 500;
/** The newest questions of a channel among which the one that was clicked must be. */
const lookedThrough = 50;

/**
 * Has a channel's question answered as the previewed template would, for whoever clicks alone: with what everybody there may read, nothing
 * posted, and no call that needs a click. One at a time a person.
 */
export async function tryOut(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const said = words.templates.trial;
  const state = ownTemplatesState(clicked);
  const admin = mayNotChange("template", person) === undefined;
  if (!state?.channel || !admin) return sayingModal(said.title, words.surface.refused, words);
  const channel = channelId(state.channel);
  const [template, reads] = await Promise.all([previewed(clicked, state), readsPlace(channel, clicked)]);
  if (!template) return sayingModal(said.title, words.templates.goneDraft, words);
  const questions = reads && isUuid(click.value) ? await desk.templateDesk.lastQuestions(channel, lookedThrough) : [];
  const asked = questions.find(({ turn }) => turn === click.value);
  if (!asked) return sayingModal(said.title, said.gone, words);
  const text = questionText(asked.text, desk.bot, { person: () => undefined, channel: () => undefined });
  const answer = await parts.tryOut({ tenant: click.tenant, person: person.id, channel, text }, template);
  if (answer === "busy") return sayingModal(said.title, said.busy, words);
  return modal(
    { title: said.title, blocks: [context(`> ${plainMrkdwn(shorten(text, longestQuestion))}`), ...answerBlocks(answer, clicked)] },
    words,
  );
}

function answerBlocks({ status, text, citations, tools, error }: Answer, { words }: Clicked): KnownBlock[] {
  const said = words.templates.trial;
  if (status === "error") return [section(error ? plainMrkdwn(error.message) : said.failed)];
  const sections = toMrkdwn(text).flat();
  const used = tools.map(({ name, status, ms }) => `\`${name}\` ${status === "success" ? words.answer.seconds(ms) : words.answer.failed}`);
  const sources = sourceLines(citations, words.answer);
  return [
    ...(sections.length === 0 ? [section(said.failed)] : sections.slice(0, mostSections).map(section)),
    ...(sections.length > mostSections ? [context(said.cut)] : []),
    ...(sources.length > 0 ? [section(said.sources), ...sources.slice(0, mostSections).map(section)] : []),
    context(used.length > 0 ? said.tools(shorten(used.join(", "), 2_000)) : said.noTools),
  ];
}
