import type { KnownBlock, ModalView } from "@slack/types";
import type { ChannelTemplate } from "../../../agent/templates/template.ts";
import { templateDiff } from "../../../agent/templates/write-template.ts";
import type { StoredTemplate } from "../../commands/command-store.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { shorten } from "../answer/activity.ts";
import { code, context, section, slackDate } from "../blocks.ts";
import { actions, button, modal, pageBlocks, plain } from "../parts.ts";
import { written } from "../usage/token-count.ts";
import type { TemplateVersion } from "./template-store.ts";
import type { TemplatesState } from "./templates-state.ts";

/** Rows a page: far below the 100 blocks that Slack takes. */
export const perPage = 15;
/** Characters of instructions that are shown, and of a comparison: what one block takes. */
const longestShown = 2_500;
/** Options of a menu. */
const mostOptions = 100;

export interface ListFacts {
  readonly templates: readonly StoredTemplate[];
  /** Name of the template that holds where the list was opened. */
  readonly here: string | undefined;
  readonly isAdmin: boolean;
}

/** Every template, and for admins the way to a new one. */
export function listView(state: TemplatesState, { templates, here, isAdmin }: ListFacts, words: Catalogue, notice?: string): ModalView {
  const said = words.templates;
  const pages = Math.max(1, Math.ceil(templates.length / perPage));
  const page = Math.min(state.page, pages - 1);
  const rows = templates.slice(page * perPage, (page + 1) * perPage).map((template): KnownBlock => {
    const facts = [versionOf(template, words), ...(template.name === here ? [said.inUseHere] : [])];
    return {
      ...section(`*${plainMrkdwn(template.title)}* \`${template.name}\`\n${facts.join(" · ")}`),
      block_id: `template ${template.name}`,
      accessory: button("template_open", said.open, template.name),
    };
  });
  const blocks: KnownBlock[] = [
    section(isAdmin ? `${said.intro} ${said.introAdmin}` : said.intro),
    ...noticeBlock(notice),
    ...(isAdmin ? [actions("list_actions", [button("template_new", said.create, "new", "primary")])] : []),
    { type: "divider" },
    ...rows,
    ...pageBlocks({ page, pages, previous: "templates_previous", next: "templates_next" }, words),
  ];
  const { name: _name, ...rest } = state;
  return modal({ title: said.title, blocks, metadata: JSON.stringify({ ...rest, page }) }, words);
}

export interface TemplateFacts {
  readonly template: StoredTemplate;
  readonly isAdmin: boolean;
  /** Channels that an admin may give it to, by name; at most as many as a menu takes. */
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  /** How many there are in all. */
  readonly channelCount: number;
}

/** One template, and what can be done with it. */
export function templateView(state: TemplatesState, facts: TemplateFacts, words: Catalogue, notice?: string): ModalView {
  const { template, isAdmin, channels, channelCount } = facts;
  const said = words.templates;
  const { name } = template;
  const chosen = channels.find(({ id }) => id === state.channel);
  const buttons = [
    button("template_start", said.startButton, name, "primary"),
    ...(isAdmin ? [button("template_edit", said.edit, name), button("template_preview", said.previewButton, name)] : []),
    ...(isAdmin && template.version > 0 ? [button("template_versions", said.versionsButton, "0")] : []),
    button("templates_back", said.back, "list"),
  ];
  const option = ({ id, name: label }: { readonly id: string; readonly name: string }) => ({ text: plain(`#${label}`), value: id });
  const blocks: KnownBlock[] = [
    section(`*${plainMrkdwn(template.title)}* \`${name}\`\n${versionOf(template, words)}`),
    ...noticeBlock(notice),
    section(settingLines(template, isAdmin, words).join("\n")),
    ...(isAdmin ? instructionBlocks(template, words) : []),
    actions(`actions ${name}`, buttons),
    ...(isAdmin && channels.length > 0
      ? [
          actions(`use ${name} ${chosen?.id ?? ""}`, [
            {
              type: "static_select",
              action_id: "template_channel",
              placeholder: plain(said.chooseChannel),
              options: channels.slice(0, mostOptions).map(option),
              ...(chosen && { initial_option: option(chosen) }),
            },
            ...(chosen ? [button("template_use", said.useButton(`#${chosen.name}`), name)] : []),
          ]),
          ...(channelCount > channels.length ? [context(said.channelsCut(channels.length))] : []),
        ]
      : []),
  ];
  return modal({ title: said.title, blocks, metadata: JSON.stringify({ ...state, name }) }, words);
}

/** A template's versions, the newest first. */
export function versionsView(
  state: TemplatesState,
  {
    template,
    versions,
    total,
    page,
  }: { readonly template: StoredTemplate; readonly versions: readonly TemplateVersion[]; readonly total: number; readonly page: number },
  words: Catalogue,
  notice?: string,
): ModalView {
  const said = words.templates;
  const rows = versions.map(({ version, author, createdAt }): KnownBlock => {
    const who = author === "operator" ? said.operator : `<@${author}>`;
    const line = said.versionLine(version, who, slackDate(createdAt));
    const isNewest = version === template.version;
    return {
      ...section(isNewest ? `${line} · ${said.newest}` : line),
      block_id: `version ${template.name} ${version}`,
      ...(!isNewest && { accessory: button("template_compare", said.compare, String(version)) }),
    };
  });
  const blocks: KnownBlock[] = [
    section(said.versions(plainMrkdwn(template.title))),
    ...noticeBlock(notice),
    ...rows,
    ...pageBlocks({ page, pages: Math.ceil(total / perPage), previous: "versions_previous", next: "versions_next" }, words),
    actions("versions_actions", [button("template_open", said.back, template.name)]),
  ];
  return modal({ title: said.versionsButton, blocks, metadata: JSON.stringify({ ...state, name: template.name }) }, words);
}

/** What an older version says otherwise than the newest, and the way back to it. */
export function comparisonView(state: TemplatesState, older: StoredTemplate, newest: StoredTemplate, words: Catalogue): ModalView {
  const said = words.templates;
  const diff = templateDiff(older, newest);
  const shown = fitting(diff);
  const back = {
    ...button("template_roll_back", said.rollBack(older.version), String(older.version), "danger"),
    confirm: {
      title: plain(said.rollBack(older.version), 100),
      text: plain(said.rollBackAsk(older.version), 300),
      confirm: plain(said.yes, 30),
      deny: plain(said.no, 30),
    },
  };
  const blocks: KnownBlock[] = [
    section(diff.length > 0 ? said.compared(older.version, newest.version) : said.same(older.version, newest.version)),
    ...(shown.length > 0 ? [code(shown.join("\n"))] : []),
    ...(diff.length > shown.length ? [context(said.diffCut(diff.length - shown.length))] : []),
    actions("comparison_actions", [...(diff.length > 0 ? [back] : []), button("template_versions", said.back, "0")]),
  ];
  return modal({ title: said.versionsButton, blocks, metadata: JSON.stringify({ ...state, name: newest.name }) }, words);
}

/** As many whole lines as one block takes. */
function fitting(lines: readonly string[]): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > longestShown;
  });
  return end === -1 ? lines : end === 0 ? [(lines[0] ?? "").slice(0, longestShown)] : lines.slice(0, end);
}

/** What a template says, but for its instructions, which are between admins and the model. */
function settingLines(template: ChannelTemplate, isAdmin: boolean, words: Catalogue): string[] {
  const said = words.templates;
  const { model, temperature, tools, otherTools, reply, suggestedPrompts, citations, budget = {} } = template;
  const named = (state: string) =>
    Object.entries(tools)
      .filter(([, each]) => each === state)
      .map(([name]) => `\`${name}\``)
      .sort()
      .join(", ");
  const [on, off, locked] = [named("on"), named("off"), named("locked")];
  return [
    said.repliesLine(said.replies[reply]),
    ...(isAdmin ? [said.modelLine(model === undefined ? said.usualModel : plainMrkdwn(model))] : []),
    ...(isAdmin && temperature !== undefined ? [said.temperatureLine(String(temperature))] : []),
    ...(on ? [shorten(said.toolsOn(on), longestShown / 5)] : []),
    ...(off ? [shorten(said.toolsOff(off), longestShown / 5)] : []),
    ...(locked ? [shorten(said.toolsLocked(locked), longestShown / 5)] : []),
    said.others[otherTools],
    ...(citations === "compact" ? [said.compact] : []),
    ...(budget.answerTokens !== undefined ? [said.answerTokens(written(budget.answerTokens, words.language))] : []),
    ...(budget.monthTokens !== undefined ? [said.monthTokens(written(budget.monthTokens, words.language))] : []),
    ...(suggestedPrompts.length > 0 ? [said.prompts(suggestedPrompts.map((prompt) => `• ${plainMrkdwn(prompt)}`).join("\n"))] : []),
  ];
}

function instructionBlocks({ instructions }: ChannelTemplate, { templates: said }: Catalogue): KnownBlock[] {
  if (instructions === "") return [section(said.noInstructions)];
  return [
    section(said.instructionsLine),
    code(instructions.length > longestShown ? `${instructions.slice(0, longestShown).trimEnd()} …` : instructions),
  ];
}

const versionOf = ({ version }: StoredTemplate, { templates: said }: Catalogue): string =>
  version === 0 ? said.builtIn : said.version(version);

const noticeBlock = (notice: string | undefined): KnownBlock[] => (notice ? [context(notice)] : []);
