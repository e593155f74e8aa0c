import type { Json } from "./state.ts";

/** Notes one mistake: what is wrong and where, as a JSON pointer within the block. */
export type Report = (mistake: string, path: string) => void;

/** Characters of an element's parts. */
const max = {
  actionId: 255,
  buttonText: 75,
  value: 2_000,
  url: 3_000,
  accessibility: 75,
  placeholder: 150,
  optionText: 75,
  optionValue: 150,
} as const;
/** Options of a menu; of radio buttons and check boxes; of an overflow menu; groups of options. */
const most = { options: 100, choices: 10, overflow: 5, groups: 100 } as const;

/** Longest option lists by element type. */
const optionLimits: Readonly<Record<string, number>> = {
  static_select: most.options,
  multi_static_select: most.options,
  radio_buttons: most.choices,
  checkboxes: most.choices,
  overflow: most.overflow,
};

/** Elements whose parts need no check of their own here. */
const others = new Set([
  "external_select",
  "users_select",
  "conversations_select",
  "channels_select",
  "multi_external_select",
  "multi_users_select",
  "multi_conversations_select",
  "multi_channels_select",
  "plain_text_input",
  "number_input",
  "email_text_input",
  "url_text_input",
  "rich_text_input",
  "file_input",
  "datepicker",
  "timepicker",
  "datetimepicker",
  "workflow_button",
  "image",
]);

/** Checks an interactive element. */
export function elementMistakes(element: Json, report: Report, path: string): void {
  const type = String(element.type);
  if (String(element.action_id ?? "").length > max.actionId)
    report(`must be less than ${max.actionId + 1} characters`, `${path}/action_id`);
  if (element.placeholder) textObject(element.placeholder, max.placeholder, report, `${path}/placeholder`, "plain_text");
  const limit = optionLimits[type];
  if (type === "button") button(element, report, path);
  else if (type === "feedback_buttons") feedback(element, report, path);
  else if (type === "icon_button") icon(element, report, path);
  else if (limit) options(element, limit, report, path);
  else if (!others.has(type)) report("unsupported type", `${path}/type`);
}

/** Checks a text object: its type, that it says something, and its length. */
export function textObject(value: unknown, limit: number, report: Report, path: string, only?: "plain_text"): void {
  const object = typeof value === "object" && value !== null ? (value as Json) : undefined;
  if (!object) {
    report("must be an object", path);
    return;
  }
  if (object.type !== "plain_text" && (only || object.type !== "mrkdwn")) report("must be a valid text type", `${path}/type`);
  const { text } = object;
  if (typeof text !== "string" || text.length === 0) report("must be more than 0 characters", `${path}/text`);
  else if (text.length > limit) report(`must be less than ${limit + 1} characters`, `${path}/text`);
}

function button(element: Json, report: Report, path: string): void {
  textObject(element.text, max.buttonText, report, `${path}/text`, "plain_text");
  const lengths = { value: max.value, url: max.url, accessibility_label: max.accessibility } as const;
  for (const [name, limit] of Object.entries(lengths)) {
    if (String(element[name] ?? "").length > limit) report(`must be less than ${limit + 1} characters`, `${path}/${name}`);
  }
  if (element.url !== undefined && !/^(https?:\/\/|mailto:|slack:)/.test(String(element.url))) report("must be a valid url", `${path}/url`);
  if (element.style !== undefined && element.style !== "primary" && element.style !== "danger")
    report("must be a valid enum value", `${path}/style`);
}

function feedback(element: Json, report: Report, path: string): void {
  for (const side of ["positive_button", "negative_button"]) {
    if (element[side]) button(element[side] as Json, report, `${path}/${side}`);
    else report(`missing required field: ${side}`, path);
  }
}

function icon(element: Json, report: Report, path: string): void {
  if (typeof element.icon !== "string") report("missing required field: icon", path);
  textObject(element.text, max.buttonText, report, `${path}/text`, "plain_text");
}

function options(element: Json, limit: number, report: Report, path: string): void {
  const groups = Array.isArray(element.option_groups) ? (element.option_groups as Json[]) : [];
  if (groups.length > most.groups) report(`no more than ${most.groups} items allowed`, `${path}/option_groups`);
  const lists = groups.length > 0 ? groups.map((group) => group.options) : [element.options];
  for (const list of lists) {
    const items = Array.isArray(list) ? (list as Json[]) : [];
    if (items.length === 0) report("must have at least 1 item", `${path}/options`);
    if (items.length > limit) report(`no more than ${limit} items allowed`, `${path}/options`);
    for (const [index, option] of items.entries()) {
      textObject(option.text, max.optionText, report, `${path}/options/${index}/text`);
      if (String(option.value ?? "").length > max.optionValue)
        report(`must be less than ${max.optionValue + 1} characters`, `${path}/options/${index}/value`);
    }
  }
}
