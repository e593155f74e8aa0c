import type { ModalView } from "@slack/types";
import { channelId } from "../../../core/ids.ts";
import { postQuestion } from "../../commands/ask-command.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { escapeMarkdown } from "../../out/mrkdwn/escape.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { SlackFailure } from "../../out/slack-failure.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { section } from "../blocks.ts";
import { type Click, clickKey } from "../click.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { modal, plain, sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { clickedName } from "./template-access.ts";
import { ownTemplatesState, readTemplatesState } from "./templates-state.ts";

/** Longest question, in characters: what Slack's field takes. */
const longestQuestion = 3_000;

/** The form in which somebody asks a template's first question: in the channel where it was opened, else in their direct messages. */
export async function startForm(clicked: Clicked): Promise<Rendering> {
  const { click, person, desk, words } = clicked;
  const said = words.templates;
  const state = ownTemplatesState(clicked);
  const template = state && (await desk.templates.find(clickedName({ click })));
  if (!state || !template) return async () => sayingModal(said.title, said.none, words);
  const reads = state.channel !== undefined && (await readsPlace(state.channel, clicked));
  const channel = reads ? state.channel : await desk.directory.directMessage(person.id);
  const place = channel?.startsWith("D") ? said.start.direct : `<#${channel}>`;
  const [example] = template.suggestedPrompts;
  const metadata = JSON.stringify({ person: person.id, page: 0, name: template.name, channel, language: words.language });
  return async () =>
    modal(
      {
        title: said.start.title,
        metadata,
        form: { action: "thread_start", submit: said.start.send, cancel: said.start.cancel },
        blocks: [
          section(said.start.intro(plainMrkdwn(template.title), place)),
          {
            type: "input",
            block_id: "question",
            label: plain(said.start.question, 2_000),
            element: {
              type: "plain_text_input",
              action_id: "question",
              multiline: true,
              max_length: longestQuestion,
              ...(example !== undefined && { placeholder: plain(example, 150) }),
            },
          },
        ],
      },
      words,
    );
}

/** Of a form without a question: that one is needed, by its block. */
export const mistakesInQuestion = (click: Click, { templates: { start } }: Catalogue): Readonly<Record<string, string>> =>
  asksNothing(click) ? { question: start.empty } : {};

const asksNothing = ({ entered }: Pick<Click, "entered">): boolean => (entered.get("question") ?? "").trim() === "";

/** Shows the question where it is asked, makes the template hold in its thread, and has it answered there. */
export async function startThread(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const said = words.templates;
  const state = readTemplatesState(click);
  const template = await desk.templates.find(state?.name ?? "");
  const allowed = state?.person === person.id && state.channel !== undefined && (await readsPlace(state.channel, clicked));
  const channel = channelId(state?.channel ?? "");
  const attempt: Attempt = {
    actor: person.id,
    action: "template-start",
    subject: template?.name ?? "unknown",
    ...(allowed && { channel }),
  };
  if (!allowed || !template || asksNothing(click)) {
    await desk.commands.take({ key: clickKey(click), attempts: [attempt] });
    return sayingModal(said.start.title, words.surface.refused, words);
  }
  const key = clickKey(click);
  const question = (click.entered.get("question") ?? "").trim();
  // Slack may deliver the form twice: the question is shown once.
  if (!(await desk.commands.take({ key: `${key} shown`, attempts: [] }))) return sayingModal(said.start.title, said.start.started, words);
  try {
    const intro = said.start.asks(escapeMarkdown(person.displayName), escapeMarkdown(template.title));
    const asked = await postQuestion({ tenant: click.tenant, person: person.id, channel, key, intro }, question, {
      writer: desk.writer,
      inbox: parts.inbox,
      begin: (thread) => desk.templateDesk.startThread({ key, attempts: [{ ...attempt, thread }] }, channel, thread, template.name),
    });
    return sayingModal(said.start.title, asked ? said.start.started : words.surface.failed, words);
  } catch (thrown) {
    if (thrown instanceof SlackFailure && thrown.kind === "place-gone") return sayingModal(said.start.title, said.start.notThere, words);
    throw thrown;
  }
}
