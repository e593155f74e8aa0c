import { ApiError } from "./api-error.ts";
import { blockId } from "./mrkdwn.ts";
import type { Json } from "./state.ts";

/** What a call wants to write, after the checks. */
export interface Written {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly metadata?: Json;
  readonly unfurls: boolean;
}

/** Characters of chat.postMessage's text; what is over is cut off. */
const maxText = 40_000;
/** Characters of chat.update's text; more is refused. */
const maxUpdateText = 4_000;
/** Characters of markdown_text, and of all markdown blocks of a message together. */
const maxMarkdown = 12_000;
/** Blocks of a message, and of a modal or App Home. */
const maxBlocks = { message: 50, view: 100 } as const;

/** The text to store. Throws msg_too_long where Slack refuses, cuts where Slack cuts. */
export function checkText(text: string, markdown: string | undefined, occasion: "post" | "update"): string {
  if (markdown !== undefined && markdown.length > maxMarkdown) throw new ApiError("msg_too_long");
  if (occasion === "update" && text.length > maxUpdateText) throw new ApiError("msg_too_long");
  return markdown ?? text.slice(0, maxText);
}

/** The blocks to store, each with an id. Throws invalid_blocks with a list of everything that is wrong. */
export function checkBlocks(blocks: readonly Json[], surface: keyof typeof maxBlocks): readonly Json[] {
  const mistakes: string[] = [];
  if (blocks.length > maxBlocks[surface]) mistakes.push(`no more than ${maxBlocks[surface]} items allowed [json-pointer:/blocks]`);
  if (mistakes.length > 0) throw invalidBlocks(mistakes);
  return blocks.map((block, index) => ({ ...block, block_id: block.block_id ?? blockId(`${index}${JSON.stringify(block)}`) }));
}

/** Slack's answer to blocks it does not take. */
export function invalidBlocks(mistakes: readonly string[]): ApiError {
  return new ApiError("invalid_blocks", {
    errors: mistakes,
    response_metadata: { messages: mistakes.map((mistake) => `[ERROR] ${mistake}`) },
  });
}

/** Slack's answer to other arguments it does not take. */
const invalidArguments = (mistakes: readonly string[]): ApiError =>
  new ApiError("invalid_arguments", { response_metadata: { messages: mistakes.map((mistake) => `[ERROR] ${mistake}`) } });

/** Characters: title, close, submit; callback_id; private_metadata. Bytes: a whole view. */
const viewLimits = { label: 24, callbackId: 255, privateMetadata: 3_000, bytes: 250_000 } as const;

/** The view to store. Throws invalid_arguments, or invalid_blocks for what is inside. */
export function checkView(view: Json, type: "modal" | "home"): Json {
  const mistakes: string[] = [];
  if (JSON.stringify(view).length > viewLimits.bytes) throw new ApiError("view_too_large");
  if (type === "modal" && !view.title) mistakes.push("missing required field: title [json-pointer:/view]");
  for (const label of ["title", "close", "submit"]) {
    const text = (view[label] as Json | undefined)?.text;
    if (typeof text === "string" && text.length > viewLimits.label)
      mistakes.push(`must be less than 25 characters [json-pointer:/view/${label}/text]`);
  }
  if (String(view.callback_id ?? "").length > viewLimits.callbackId)
    mistakes.push("must be less than 256 characters [json-pointer:/view/callback_id]");
  if (String(view.private_metadata ?? "").length > viewLimits.privateMetadata) {
    mistakes.push("must be less than 3001 characters [json-pointer:/view/private_metadata]");
  }
  if (mistakes.length > 0) throw invalidArguments(mistakes);
  if (!Array.isArray(view.blocks)) throw invalidArguments(["missing required field: blocks [json-pointer:/view]"]);
  return { ...view, blocks: checkBlocks(view.blocks as Json[], "view") };
}
