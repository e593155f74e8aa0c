/** Elements of Block Kit that people use, read with care: a bot may send anything. */

export interface BlockButton {
  readonly kind: "button";
  readonly blockId: string;
  readonly actionId: string;
  readonly label: string;
  /** What a screen reader says in place of the label. */
  readonly spoken?: string;
  readonly value: string;
  readonly style?: "primary" | "danger";
  readonly url?: string;
  /** The question to put before the click counts. */
  readonly confirm?: string;
}

export interface Option {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
}

export interface BlockMenu {
  /** "several" takes more than one option, "people" more than one of the workspace's people. "suggest": its options come from the bot while one types. */
  readonly kind: "select" | "several" | "people" | "overflow" | "radio" | "suggest";
  readonly blockId: string;
  readonly actionId: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  readonly initial?: Option;
  /** Of "several": those that are chosen to begin with. */
  readonly initials?: readonly Option[];
}

interface BlockThumbs {
  readonly kind: "thumbs";
  readonly blockId: string;
  readonly actionId: string;
  readonly up: Option;
  readonly down: Option;
}

export interface BlockField {
  readonly kind: "text";
  readonly blockId: string;
  readonly actionId: string;
  readonly placeholder: string;
  readonly multiline: boolean;
  readonly initial: string;
  readonly longest?: number;
}

export type BlockElement = BlockButton | BlockMenu | BlockThumbs | BlockField;

const menus: Readonly<Record<string, BlockMenu["kind"]>> = {
  static_select: "select",
  external_select: "suggest",
  overflow: "overflow",
  radio_buttons: "radio",
  multi_static_select: "several",
  multi_users_select: "people",
};

export function readElement(raw: unknown, blockId: string): BlockElement | undefined {
  const element = asObject(raw);
  const type = asString(element.type);
  const base = { blockId, actionId: asString(element.action_id) };
  const placeholder = plainText(element.placeholder);
  if (type === "button") return readButton(element, blockId);
  if (type === "feedback_buttons") {
    const [up, down] = [element.positive_button, element.negative_button].map(readOption);
    return up && down && { kind: "thumbs", ...base, up, down };
  }
  if (type === "plain_text_input") {
    const longest = typeof element.max_length === "number" ? { longest: element.max_length } : {};
    return {
      kind: "text",
      ...base,
      placeholder,
      multiline: element.multiline === true,
      initial: asString(element.initial_value),
      ...longest,
    };
  }
  const kind = menus[type];
  if (!kind) return undefined;
  const groups = asList(element.option_groups).flatMap((group) => asList(asObject(group).options));
  const initial = readOption(element.initial_option);
  const options = [...asList(element.options), ...groups].map(readOption).filter((option) => option !== undefined);
  const initials = asList(element.initial_options)
    .map(readOption)
    .filter((option) => option !== undefined);
  return { kind, ...base, placeholder, options, ...(initial && { initial }), ...(kind === "several" && { initials }) };
}

/** What is entered before anything is typed; several choices on a line each. */
export function initialOf(element: BlockElement): string {
  if (element.kind === "text") return element.initial;
  if ("initials" in element && element.initials) return element.initials.map(({ value }) => value).join("\n");
  return "initial" in element ? (element.initial?.value ?? "") : "";
}

export const linesOf = (value: string): readonly string[] => value.split("\n").filter((line) => line !== "");

/** An option as the bot has sent it, for instance as a suggestion. */
export function readOption(raw: unknown): Option | undefined {
  const { text, value, description } = asObject(raw);
  if (typeof value !== "string") return undefined;
  const more = plainText(description);
  return { label: plainText(text), value, ...(more && { description: more }) };
}

function readButton(element: Readonly<Record<string, unknown>>, blockId: string): BlockButton {
  const style = element.style === "primary" || element.style === "danger" ? element.style : undefined;
  const url = asString(element.url);
  const confirm = asObject(element.confirm);
  const question = [confirm.title, confirm.text].map(plainText).filter(Boolean);
  return {
    kind: "button",
    blockId,
    actionId: asString(element.action_id),
    label: plainText(element.text) || "Button",
    value: asString(element.value),
    ...(asString(element.accessibility_label) && { spoken: asString(element.accessibility_label) }),
    ...(style && { style }),
    ...(/^https?:\/\//.test(url) && { url }),
    ...(question.length > 0 && { confirm: question.join("\n\n") }),
  };
}

const plainText = (raw: unknown): string => asString(asObject(raw).text);
export const asString = (raw: unknown): string => (typeof raw === "string" ? raw : "");
export const asList = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : []);
export const asObject = (raw: unknown): Readonly<Record<string, unknown>> =>
  typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : {};
