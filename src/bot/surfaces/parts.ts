import type { KnownBlock, ModalView, PlainTextElement } from "@slack/types";
import type { Catalogue } from "../words/catalogue.ts";
import { shorten } from "./answer/activity.ts";
import { section } from "./blocks.ts";

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
