import type { KnownBlock, ModalView } from "@slack/types";
import type { ChannelTemplate } from "../../../agent/templates/template.ts";
import { choicesWith } from "../../../agent/templates/trial.ts";
import { type ChannelId, channelId } from "../../../core/ids.ts";
import { obstacleTo, type ToolChoices } from "../../../permissions/enabled-tools.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { questionText } from "../../turns/question-text.ts";
import { shorten } from "../answer/activity.ts";
import { context, section, slackDate } from "../blocks.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { actions, button, modal, plain, sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { clickedName, editsTemplates } from "./template-access.ts";
import { templateOf } from "./template-form.ts";
import type { AskedQuestion } from "./template-store.ts";
import { ownTemplatesState, type TemplatesState } from "./templates-state.ts";

/** Questions that are shown, and characters of each; channels in the menu; characters of a list of tools. */
const mostQuestions = 5;
const longestQuestion = 200;
const mostChannels = 100;
const longestList = 2_000;

/** Shows what a stored template would do in a channel. Runs nothing. */
export async function previewStored(clicked: Clicked): Promise<ModalView> {
  const state = ownTemplatesState(clicked);
  const template = state && editsTemplates(clicked) ? await clicked.desk.templates.find(clickedName(clicked)) : undefined;
  if (!state || !template) return refusedView(clicked);
  return preview(clicked, { ...state, name: template.name });
}

/** Shows what the form's content would do, without storing it as a version. What is wrong in it is told instead. */
export async function previewDraft(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const state = ownTemplatesState(clicked);
  if (!state || !editsTemplates(clicked)) return refusedView(clicked);
  const said = words.templates;
  const read = templateOf(click, state, { tools: parts.tools, models: parts.models });
  if ("wrong" in read) {
    const lines = read.wrong.map((field) => `• ${said.mistakes[field]}`);
    return sayingModal(said.preview.title, [said.invalid, ...lines].join("\n"), words);
  }
  return preview(clicked, { ...state, draft: await desk.templateDesk.keepDraft(read.template, person.id) });
}

/** Looks at another channel. */
export async function previewElsewhere(clicked: Clicked): Promise<Rendering> {
  const state = ownTemplatesState(clicked);
  const { value } = clicked.click;
  if (!state || !editsTemplates(clicked) || !(await readsPlace(value, clicked))) return async () => refusedView(clicked);
  return () => preview(clicked, { ...state, channel: value });
}

/** The template that a preview is about: what is kept of a form, or the stored one. */
export async function previewed({ desk, person }: Clicked, { draft, name }: TemplatesState): Promise<ChannelTemplate | undefined> {
  return draft !== undefined ? desk.templateDesk.draft(draft, person.id) : name !== undefined ? desk.templates.find(name) : undefined;
}

async function preview(clicked: Clicked, state: TemplatesState): Promise<ModalView> {
  const { desk, person, words } = clicked;
  const said = words.templates;
  const template = await previewed(clicked, state);
  if (!template) return sayingModal(said.preview.title, said.goneDraft, words);
  const own = await desk.directory.channelsOf(person.id);
  const places = await Promise.all(own.slice(0, mostChannels).map((id) => desk.directory.place(id)));
  const options = places
    .flatMap((place) => (place ? [{ text: plain(`#${place.name}`), value: place.id as string }] : []))
    .sort((a, b) => (a.text.text < b.text.text ? -1 : 1));
  const channel = state.channel !== undefined && (await readsPlace(state.channel, clicked)) ? channelId(state.channel) : undefined;
  const initial = options.find(({ value }) => value === channel);
  const blocks: KnownBlock[] = [
    ...(options.length > 0
      ? [
          actions(`preview ${channel ?? ""}`, [
            {
              type: "static_select",
              action_id: "preview_channel",
              placeholder: plain(said.chooseChannel),
              options,
              ...(initial && { initial_option: initial }),
            },
          ]),
        ]
      : []),
    ...(channel ? await facts(clicked, template, channel) : [section(said.preview.choosePlace)]),
  ];
  const { person: whose, page, name, draft } = state;
  const carried = { person: whose, page, ...(name && { name }), ...(draft && { draft }), ...(channel && { channel }) };
  return modal({ title: said.preview.title, blocks, metadata: JSON.stringify(carried) }, words);
}

async function facts({ desk, person, parts, words }: Clicked, template: ChannelTemplate, channel: ChannelId): Promise<KnownBlock[]> {
  const said = words.templates;
  const [now, questions] = await Promise.all([
    desk.choices.read(channel, person.id),
    desk.templateDesk.lastQuestions(channel, mostQuestions),
  ]);
  const names = parts.tools.map(({ name }) => name);
  const then = choicesWith(now, template, names);
  const ready = (choices: ToolChoices) =>
    parts.tools.filter((tool) => obstacleTo(tool, choices, person) === undefined).map(({ name }) => name);
  const [before, after] = [ready(now), ready(then)];
  const off = names.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  const changes = [
    ...(added.length > 0 ? [said.preview.added(listed(added, words))] : []),
    ...(removed.length > 0 ? [said.preview.removed(listed(removed, words))] : []),
  ];
  return [
    section(said.preview.of(plainMrkdwn(template.title), `<#${channel}>`)),
    section(said.preview.on(listed(after, words))),
    section(said.preview.off(listed(off, words))),
    context(changes.length > 0 ? changes.join("\n") : said.preview.same),
    section(said.repliesLine(said.replies[template.reply])),
    template.instructions === ""
      ? section(said.noInstructions)
      : section(`${said.instructionsLine}\n> ${plainMrkdwn(shorten(template.instructions, longestQuestion * 2))}`),
    { type: "divider" },
    section(`*${said.preview.questions}*`),
    ...(questions.length === 0 ? [context(said.preview.noQuestions)] : questions.map((asked) => questionBlock(asked, desk.bot, words))),
    ...(questions.length === 0 ? [] : [context(said.preview.tryHint)]),
  ];
}

function questionBlock({ turn, person, askedAt, text }: AskedQuestion, bot: string, words: Clicked["words"]): KnownBlock {
  const said = words.templates.preview;
  const asked = questionText(text, bot, { person: () => undefined, channel: () => undefined });
  return {
    ...section(`${plainMrkdwn(shorten(asked, longestQuestion)) || "–"}\n${said.asked(`<@${person}>`, slackDate(askedAt))}`),
    block_id: `question ${turn}`,
    accessory: button("template_try", said.tryIt, turn),
  };
}

function listed(names: readonly string[], { templates: { preview: said } }: Clicked["words"]): string {
  return names.length === 0 ? said.nothing : shorten(names.map((name) => `\`${name}\``).join(", "), longestList);
}

const refusedView = ({ words }: Clicked): ModalView => sayingModal(words.templates.preview.title, words.surface.refused, words);
