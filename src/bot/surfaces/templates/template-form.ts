import type { InputBlock, ModalView, Option } from "@slack/types";
import {
  checkTemplate,
  longestInstructions,
  longestPrompt,
  mostPrompts,
  type TemplateMistake,
  type TemplateVocabulary,
} from "../../../agent/templates/check-template.ts";
import type { ChannelTemplate, TemplateToolState } from "../../../agent/templates/template.ts";
import { canonicalName } from "../../../permissions/tool-name.ts";
import type { Tool } from "../../../plugins/contract.ts";
import type { StoredTemplate } from "../../commands/command-store.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context } from "../blocks.ts";
import type { Click } from "../click.ts";
import { modal, plain } from "../parts.ts";
import { readTokens, written } from "../usage/token-count.ts";
import { readTemplatesState, type TemplatesState } from "./templates-state.ts";

type ToolList = TemplateToolState;
/** The form's fields. Their mistakes have a sentence each. */
export type FormField = Exclude<keyof Catalogue["templates"]["mistakes"], "nameTaken">;

/** Slack's limits: characters of a field, options of a list, characters of an option's value. */
const longestField = 3_000;
const optionsPerGroup = 100;
const longestValue = 75;
/** What the option for the usual model carries. */
const usual = "usual";
const toolLists: readonly ToolList[] = ["on", "off", "locked"];
const citationStyles = ["list", "compact"] as const;
const budgetFields = ["answerTokens", "monthTokens"] as const;
const rules = ["thread", "mention", "always"] as const;

export interface FormFacts {
  readonly tools: readonly Tool[];
  readonly models: readonly string[];
}

/** The form for a template. @param notice a sentence above it, e.g. why what was sent was not stored */
export function templateForm(
  template: ChannelTemplate,
  given: TemplatesState & { readonly onto: number },
  { tools, models }: FormFacts,
  words: Catalogue,
  notice?: string,
): ModalView {
  const said = words.templates;
  const { form } = said;
  const texts = instructionParts(template.instructions);
  const state = { ...given, parts: texts.length, language: words.language };
  const known = state.name !== undefined;
  const blockId = (field: string) => blockIdOf(field, state);
  const input = (field: string, label: string, element: InputBlock["element"], more: Partial<InputBlock> = {}): InputBlock => ({
    ...{ type: "input", block_id: blockId(field), label: plain(label, 2_000), element },
    ...more,
  });
  const hint = (text: string) => ({ hint: plain(text, 2_000) });
  const text = (action: string, initial: string, more: object = {}) => ({
    ...{ type: "plain_text_input", action_id: action },
    ...(initial && { initial_value: initial }),
    ...more,
  });
  const option = (label: string, value: string): Option => ({ text: plain(label), value });
  const select = (action: string, options: Option[], initial: string) => {
    const chosen = options.find(({ value }) => value === initial);
    return { type: "static_select", action_id: action, options, ...(chosen && { initial_option: chosen }) };
  };
  const offered = models.filter((_, at) => at < optionsPerGroup - 1);
  return modal(
    {
      title: known ? form.titleEdit : form.titleNew,
      metadata: JSON.stringify(state),
      form: { action: "template_save", submit: form.save, cancel: form.cancel },
      blocks: [
        ...(notice ? [context(`:no_entry: ${notice}`)] : []),
        ...(known ? [context(form.onto(given.onto === 0 ? said.builtIn : said.version(given.onto)))] : []),
        ...(known ? [] : [input("name", form.name, text("name", template.name, { max_length: 40 }) as never, hint(form.nameHint))]),
        input("title", form.titleField, text("title", template.title, { max_length: 80 }) as never),
        ...texts.map((part, at) =>
          input(
            `instructions${at}`,
            at === 0 ? form.instructions : form.instructionsMore(at + 1),
            text(`instructions_${at}`, part, { multiline: true, max_length: longestField }) as never,
            { optional: true, ...(at === texts.length - 1 && hint(form.instructionsHint)) },
          ),
        ),
        ...(models.length === 0
          ? []
          : [
              input(
                "model",
                form.model,
                select(
                  "model",
                  [option(said.usualModel, usual), ...offered.map((name) => option(name, name.slice(0, longestValue)))],
                  template.model?.slice(0, longestValue) ?? usual,
                ) as never,
              ),
            ]),
        input("temperature", form.temperature, text("temperature", template.temperature?.toString() ?? "", { max_length: 10 }) as never, {
          optional: true,
          ...hint(form.temperatureHint),
        }),
        ...toolLists.flatMap((list) => {
          const options = toolOptions(tools, template, words);
          if (!("options" in options || "option_groups" in options)) return [];
          const initial = chosenTools(template, list, tools).map((name) => optionFor(name, tools));
          const element = {
            ...{ type: "multi_static_select", action_id: list, placeholder: plain(form.chooseTools), ...options },
            ...(initial.length > 0 && { initial_options: initial }),
          };
          return [input(list, form[list], element as never, { optional: true })];
        }),
        input(
          "others",
          form.others,
          select(
            "others",
            toolLists.map((each) => option(form.othersOptions[each], each)),
            template.otherTools,
          ) as never,
        ),
        input(
          "reply",
          form.reply,
          select(
            "reply",
            rules.map((rule) => option(said.replies[rule], rule)),
            template.reply,
          ) as never,
        ),
        input(
          "prompts",
          form.prompts,
          text("prompts", template.suggestedPrompts.join("\n"), {
            multiline: true,
            max_length: mostPrompts * (longestPrompt + 1),
          }) as never,
          { optional: true, ...hint(form.promptsHint) },
        ),
        input(
          "citations",
          form.citations,
          select(
            "citations",
            citationStyles.map((style) => option(form.citationsOptions[style], style)),
            template.citations ?? "list",
          ) as never,
        ),
        ...budgetFields.map((field) => {
          const now = template.budget?.[field];
          const shown = now === undefined ? "" : written(now, words.language);
          return input(field, form[field], text(field, shown, { max_length: 30 }) as never, { optional: true, ...hint(form.tokensHint) });
        }),
        {
          type: "actions",
          block_id: "form_actions",
          elements: [{ type: "button", action_id: "template_preview_draft", text: plain(said.previewButton), value: "draft" }],
        },
        context(form.previewHint),
      ],
    },
    words,
  );
}

/** A block of its own for every template and version: otherwise Slack keeps what was typed for another one. */
const blockIdOf = (field: string, { name, onto }: Pick<TemplatesState, "name" | "onto">): string => `${field} ${name ?? ""} ${onto ?? 0}`;

/** What stands in a form, as settings that `checkTemplate` takes. */
function readForm({ entered }: Pick<Click, "entered">, state: TemplatesState, models: readonly string[]): Settings {
  const typed = (field: string) => entered.get(field) ?? "";
  const listed = (field: string) =>
    typed(field)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const model = models.find((name) => name.slice(0, longestValue) === typed("model"));
  const temperature = typed("temperature").trim().replace(",", ".");
  return {
    name: state.name ?? typed("name").trim(),
    title: typed("title").trim(),
    instructions: Array.from({ length: state.parts ?? 1 }, (_, at) => typed(`instructions_${at}`)).join(""),
    ...(model !== undefined && { model }),
    ...(temperature !== "" && { temperature: Number(temperature) }),
    tools: Object.fromEntries([...toolLists].reverse().flatMap((list) => listed(list).map((name) => [name, list] as const))),
    other_tools: typed("others"),
    reply: typed("reply"),
    suggested_prompts: listed("prompts"),
    ...(typed("citations") !== "" && { citations: typed("citations") }),
    budget: { answer_tokens: readTokens(typed("answerTokens")), month_tokens: readTokens(typed("monthTokens")) },
  };
}
type Settings = Readonly<Record<string, unknown>> & { readonly tools: Readonly<Record<string, ToolList>> };

/**
 * The fields of a form that are not as they must be, as far as that can be known at once. Whether every tool still exists is checked when it
 * is stored: those of external servers come and go.
 */
function formMistakes(click: Pick<Click, "entered">, state: TemplatesState, { tools, models }: FormFacts): readonly FormField[] {
  const settings = readForm(click, state, models);
  const chosen = toolLists.flatMap((list) => (click.entered.get(list) ?? "").split("\n").filter((name) => name !== ""));
  const twice = chosen.filter((name, at) => chosen.indexOf(name) !== at);
  const doubled = toolLists.filter((list) => (click.entered.get(list) ?? "").split("\n").some((name) => twice.includes(name)));
  const checked = checkTemplate(settings, { models, tools: [...tools.map(({ name }) => name), ...chosen] });
  const wrong = "mistakes" in checked ? checked.mistakes.map((mistake) => fieldOf(mistake, settings)) : [];
  return [...new Set([...doubled, ...wrong])];
}

/** The same as sentences by block, as Slack marks them in the form. */
export function mistakesInForm(click: Click, { templates: said }: Catalogue, facts: FormFacts): Readonly<Record<string, string>> {
  const state = readTemplatesState(click);
  if (!state) return {};
  const block = (field: FormField) => blockIdOf(field === "instructions" ? "instructions0" : field, state);
  return Object.fromEntries(formMistakes(click, state, facts).map((field) => [block(field), said.mistakes[field]]));
}

/** The template in a form, with every tool there is now; or the fields that are wrong. */
export function templateOf(
  click: Pick<Click, "entered">,
  state: TemplatesState,
  { tools, models }: FormFacts,
): { readonly template: ChannelTemplate } | { readonly wrong: readonly FormField[] } {
  const vocabulary: TemplateVocabulary = { models, tools: tools.map(({ name }) => name) };
  const settings = readForm(click, state, models);
  const checked = checkTemplate(settings, vocabulary);
  const early = formMistakes(click, state, { tools, models });
  if (early.length > 0) return { wrong: early };
  return "template" in checked ? checked : { wrong: checked.mistakes.map((mistake) => fieldOf(mistake, settings)) };
}

/** A template that nobody has written yet. */
export const emptyTemplate: StoredTemplate = {
  ...{ name: "", title: "", instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [], version: 0 },
};

/** Fields that are called as the settings are. */
const fields = ["name", "title", "instructions", "model", "temperature", "reply", "citations"] as const;

function fieldOf({ path }: TemplateMistake, { tools }: Settings): FormField {
  const [setting, tool] = path.map(String);
  if (setting === "tools") return tools[tool ?? ""] ?? "on";
  if (setting === "other_tools") return "others";
  if (setting === "suggested_prompts") return "prompts";
  if (setting === "budget") return tool === "answer_tokens" ? "answerTokens" : "monthTokens";
  return fields.find((field) => field === setting) ?? "title";
}

/** Instructions in pieces that fit into a field each, with room to write on; together they are the whole text. */
function instructionParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + longestField - 200;
    const cut = end >= text.length ? text.length : Math.max(text.lastIndexOf("\n", end) + 1, text.lastIndexOf(" ", end) + 1);
    const to = cut > from ? cut : /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
    parts.push(text.slice(from, to));
    from = to;
  }
  const last = parts.at(-1) ?? "";
  const full = parts.length === 0 || (last.length > longestField / 2 && text.length < longestInstructions);
  return full ? [...parts, ""] : parts;
}

const optionFor = (name: string, tools: readonly Tool[]): Option => {
  const title = tools.find((tool) => tool.name === name)?.annotations?.title;
  return { text: plain(title ? `${title} (${name})` : name), value: name.slice(0, longestValue) };
};

/** Every tool there is, and those that the template names though they are gone, so that they can be taken out. */
function toolOptions(tools: readonly Tool[], template: ChannelTemplate, { templates: { form } }: Catalogue) {
  const gone = Object.keys(template.tools).filter((name) => !tools.some((tool) => canonicalName(tool.name) === canonicalName(name)));
  const options = [...tools.map(({ name }) => name), ...gone].sort().map((name) => optionFor(name, tools));
  if (options.length === 0) return {};
  if (options.length <= optionsPerGroup) return { options };
  const groups = Array.from({ length: Math.ceil(options.length / optionsPerGroup) }, (_, at) =>
    options.slice(at * optionsPerGroup, (at + 1) * optionsPerGroup),
  );
  const label = (group: readonly Option[]) => form.toolGroup(group[0]?.value ?? "", group.at(-1)?.value ?? "");
  return { option_groups: groups.slice(0, optionsPerGroup).map((group) => ({ label: plain(label(group)), options: group })) };
}

/** The tools that a template has in one of its lists, as they are called now. */
const chosenTools = ({ tools: said }: ChannelTemplate, list: ToolList, tools: readonly Tool[]): readonly string[] =>
  Object.entries(said)
    .filter(([, state]) => state === list)
    .map(([name]) => tools.find((tool) => canonicalName(tool.name) === canonicalName(name))?.name ?? name);
