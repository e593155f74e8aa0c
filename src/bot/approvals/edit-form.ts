import type { InputBlock, ModalView } from "@slack/types";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { FormField } from "../../plugins/contract.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import { section } from "../surfaces/blocks.ts";
import { modal, plain } from "../surfaces/parts.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { literal } from "./approval-card.ts";
import type { EditableCall } from "./approval-store.ts";

/** What the modal is called when it is sent. */
export const editedForm = "call_edited";

/** Characters that a field of Slack's takes. */
const LONGEST_FIELD = 3_000;
/** The field of arguments that are one text, and of those of a form by their place. */
const WHOLE = "arguments";
const actionOf = (at: number): string => `field_${at}`;
const [YES, NO] = ["yes", "no"];

/** Whether a call's arguments can be put into the modal whole. */
export const isEditable = ({ arguments: args, form }: Pick<EditableCall, "arguments" | "form">): boolean =>
  form ? form.length > 0 : literal(args).length <= LONGEST_FIELD;

/** A modal in which its asker changes a call, or fills in what a service wants to know. @param id the entry's, which proves nothing */
export function editModal(id: string, { tool, arguments: args, form }: EditableCall, words: Catalogue): ModalView {
  const said = words.approvals.edit;
  const values = JSON.parse(args) as Readonly<Record<string, unknown>>;
  const input = (action: string, label: string, element: InputBlock["element"], optional = false): InputBlock => ({
    ...{ type: "input", block_id: action, label: plain(label, LONGEST_FIELD), optional },
    element: { ...element, action_id: action },
  });
  const fields = form?.map((field, at) => input(actionOf(at), field.label, elementFor(field, values[field.name], said), !field.required));
  const whole = input(WHOLE, said.arguments, {
    type: "plain_text_input",
    multiline: true,
    initial_value: inLines(args),
    max_length: LONGEST_FIELD,
  });
  return modal(
    {
      title: form ? said.fillTitle : said.title,
      blocks: [section((form ? said.fillIntro : said.intro)(plainMrkdwn(tool))), ...(fields ?? [whole])],
      metadata: id,
      form: { action: editedForm, submit: words.approvals.once, cancel: words.surface.close },
    },
    words,
  );
}

/** A line for each argument, where that fits; nothing in it hides. */
function inLines(args: string): string {
  const line = ([name, value]: [string, unknown]) => `  ${literal(JSON.stringify(name))}: ${literal(canonicalJson(value))}`;
  const lines = `{\n${Object.entries(JSON.parse(args) as object)
    .map(line)
    .join(",\n")}\n}`;
  return lines.length <= LONGEST_FIELD ? lines : literal(args);
}

function elementFor({ kind, options = [] }: FormField, value: unknown, said: Catalogue["approvals"]["edit"]): InputBlock["element"] {
  if (kind === "text" || kind === "number" || kind === "integer") {
    const initial = value === undefined ? "" : String(value).slice(0, LONGEST_FIELD);
    return { type: "plain_text_input", max_length: LONGEST_FIELD, ...(initial !== "" && { initial_value: initial }) };
  }
  const all = kind === "yes-no" ? [YES, NO] : options;
  const option = (at: number) => ({
    text: plain(kind === "yes-no" ? (at === 0 ? said.yes : said.no) : (all[at] ?? "")),
    value: String(at),
  });
  const chosen = kind === "yes-no" ? (value === undefined ? -1 : value === true ? 0 : 1) : all.indexOf(String(value));
  return { type: "static_select", options: all.map((_one, at) => option(at)), ...(chosen >= 0 && { initial_option: option(chosen) }) };
}

/** What was sent: the arguments as JSON with sorted keys, or a sentence for each field that cannot be used, by its block's id. */
export function readEdited(
  entered: ReadonlyMap<string, string>,
  { form }: Pick<EditableCall, "form">,
  said: Catalogue["approvals"]["edit"],
): { readonly edited: string } | { readonly mistakes: Readonly<Record<string, string>> } {
  if (!form) {
    const params = objectIn(entered.get(WHOLE) ?? "");
    return params ? { edited: canonicalJson(params) } : { mistakes: { [WHOLE]: said.noJson } };
  }
  const values: [string, unknown][] = [];
  const mistakes: [string, string][] = [];
  for (const [at, field] of form.entries()) {
    const typed = entered.get(actionOf(at)) ?? "";
    const value = typed === "" ? undefined : readValue(field, typed);
    if (value !== undefined) values.push([field.name, value]);
    else if (typed !== "" || field.required) mistakes.push([actionOf(at), typed === "" ? said.missing : said.noNumber]);
  }
  return mistakes.length > 0 ? { mistakes: Object.fromEntries(mistakes) } : { edited: canonicalJson(Object.fromEntries(values)) };
}

/** The block beside which a mistake in all of it is told. */
export const mistakeBlock = (entered: ReadonlyMap<string, string>): string => (entered.has(WHOLE) ? WHOLE : actionOf(0));

function readValue({ kind, options = [] }: FormField, typed: string): unknown {
  switch (kind) {
    case "text":
      return typed;
    case "yes-no":
      return typed === "0";
    case "choice":
      return options[Number(typed)];
    default: {
      const number = Number(typed.trim().replace(",", "."));
      return Number.isFinite(number) && (kind === "number" || Number.isInteger(number)) ? number : undefined;
    }
  }
}

function objectIn(json: string): object | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
