import type { ActionsBlock, Button, KnownBlock, ModalView, PlainTextElement } from "@slack/types";
import type { Catalogue } from "../words/catalogue.ts";
import { shorten } from "./answer/activity.ts";
import { context, section } from "./blocks.ts";

/** Slack's limits: characters of a modal's title and buttons, of an element's label; blocks of a view. */
const longestTitle = 24;
const longestLabel = 75;
export const mostBlocks = 100;

/** Text without marks. Slack refuses it when it is empty. */
export const plain = (text: string, most = longestLabel): PlainTextElement => ({
  type: "plain_text",
  text: shorten(text, most) || "–",
  emoji: false,
});

/** @param value at most 2,000 characters, which prove nothing: rights are checked at the click */
export const button = (action: string, label: string, value: string, style?: "primary" | "danger"): Button => ({
  type: "button",
  action_id: action,
  text: plain(label),
  value,
  ...(style && { style }),
});

/** A row of buttons and menus. @param id of its own for what it is about: otherwise Slack keeps what was chosen in another one */
export const actions = (id: string, elements: ActionsBlock["elements"]): ActionsBlock => ({
  type: "actions",
  block_id: id.slice(0, 255),
  elements,
});

/** The way to a list's other pages, when it has any. Values are 0-based pages. */
export function pageBlocks(
  { page, pages, previous, next }: { readonly page: number; readonly pages: number; readonly previous: string; readonly next: string },
  { surface: said }: Catalogue,
  carries: (page: number) => string = String,
): KnownBlock[] {
  if (pages < 2) return [];
  const elements = [
    ...(page > 0 ? [button(previous, said.previous, carries(page - 1))] : []),
    ...(page < pages - 1 ? [button(next, said.next, carries(page + 1))] : []),
  ];
  return [context(said.pageOf(page + 1, pages)), { type: "actions", elements }];
}

export interface ModalParts {
  readonly title: string;
  readonly blocks: readonly KnownBlock[];
  /** What we need to know again when something in it is clicked. Nobody's rights may follow from it. */
  readonly metadata?: string;
  /** Makes it a form: the action id of its submission and the label of the button that sends it. */
  readonly form?: { readonly action: string; readonly submit: string; readonly cancel: string };
}

/** A modal. Blocks that Slack would not take any more are left out. */
export const modal = ({ title, blocks, metadata, form }: ModalParts, words: Catalogue): ModalView => ({
  type: "modal",
  title: plain(title, longestTitle),
  close: plain(form?.cancel ?? words.surface.close, longestTitle),
  ...(form && { submit: plain(form.submit, longestTitle), callback_id: form.action }),
  ...(metadata !== undefined && { private_metadata: metadata }),
  blocks: blocks.slice(0, mostBlocks),
});

/** A modal that says one sentence. */
export const sayingModal = (title: string, sentence: string, words: Catalogue): ModalView =>
  modal({ title, blocks: [section(sentence)] }, words);
