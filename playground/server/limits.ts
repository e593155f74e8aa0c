import { ApiError } from "./api-error.ts";
import { blockMistakes } from "./block-limits.ts";
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
/** Characters of all blocks of a message together. Undocumented; refusals were seen from about 13,200. */
export const maxBlockText = 13_200;
/** Blocks of a message, and of a modal or App Home. */
const maxBlocks = { message: 50, view: 100 } as const;
/** Bytes of a message's metadata. Slack gives no figure; this one is generous. */
const maxMetadata = 16_000;

/** The text to store. Throws msg_too_long where Slack refuses; cuts where Slack cuts, and notes it. */
export function checkText(text: string, occasion: "post" | "update", note: (problem: string) => void): string {
  if (occasion === "update" && text.length > maxUpdateText) throw new ApiError("msg_too_long");
  if (text.length > maxText) note("text_truncated");
  return text.slice(0, maxText);
}

/** markdown_text becomes a markdown block beside a text of the same words. */
export function checkMarkdown(markdown: string): string {
  if (markdown.length > maxMarkdown) throw new ApiError("msg_too_long");
  return markdown;
}

/** The blocks to store, each with an id. Throws invalid_blocks with a list of everything that is wrong, or msg_blocks_too_long. */
export function checkBlocks(blocks: readonly Json[], surface: keyof typeof maxBlocks): readonly Json[] {
  const mistakes = blockMistakes(blocks);
  if (blocks.length > maxBlocks[surface]) mistakes.push(`no more than ${maxBlocks[surface]} items allowed [json-pointer:/blocks]`);
  const ids = blocks.map((block) => block.block_id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) mistakes.push("`block_id` must be unique in a message [json-pointer:/blocks]");
  if (mistakes.length > 0) throw invalidBlocks(mistakes);
  const markdown = blocks.filter((block) => block.type === "markdown").reduce((sum, block) => sum + String(block.text).length, 0);
  if (surface === "message" && (markdown > maxMarkdown || blockCharacters(blocks) > maxBlockText))
    throw new ApiError("msg_blocks_too_long");
  return blocks.map((block, index) => ({ ...block, block_id: block.block_id ?? blockId(`${index}${JSON.stringify(block)}`) }));
}

/** The metadata to store. Throws invalid_metadata_format or metadata_too_large. */
export function checkMetadata(metadata: Json | undefined): Json | undefined {
  if (!metadata) return undefined;
  const { event_type: type, event_payload: payload } = metadata;
  if (typeof type !== "string" || !type || typeof payload !== "object" || payload === null) throw new ApiError("invalid_metadata_format");
  if (!Object.values(payload).every((value) => isFlat(value, 1))) throw new ApiError("invalid_metadata_format");
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxMetadata) throw new ApiError("metadata_too_large");
  return metadata;
}

/** Scalars, flat objects, and lists of those: all that metadata may hold. */
function isFlat(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isFlat(item, depth));
  return depth > 0 && Object.values(value).every((inner) => isFlat(inner, depth - 1));
}

/** Slack's answer to blocks it does not take. */
function invalidBlocks(mistakes: readonly string[]): ApiError {
  return new ApiError("invalid_blocks", {
    errors: mistakes,
    response_metadata: { messages: mistakes.map((mistake) => `[ERROR] ${mistake}`) },
  });
}

/** Everything that is text in blocks, counted. */
export function blockCharacters(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "text" && typeof inner === "string") sum += inner.length;
    else sum += blockCharacters(inner);
  }
  return sum;
}

/** Characters: title, close, submit; callback_id; private_metadata. Bytes: a whole view. */
const viewLimits = { label: 24, callbackId: 255, privateMetadata: 3_000, bytes: 250_000 } as const;

/** The view to store. Throws view_too_large, invalid_arguments, or invalid_blocks for what is inside. */
export function checkView(view: Json, type: "modal" | "home"): Json {
  const mistakes: string[] = [];
  if (Buffer.byteLength(JSON.stringify(view)) > viewLimits.bytes) throw new ApiError("view_too_large");
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
  const blocks = view.blocks;
  if (!Array.isArray(blocks)) mistakes.push("missing required field: blocks [json-pointer:/view]");
  else if (type === "modal" && !view.submit && blocks.some((block: Json) => block.type === "input")) {
    mistakes.push("missing required field: submit (a modal with inputs needs it) [json-pointer:/view]");
  }
  if (mistakes.length > 0)
    throw new ApiError("invalid_arguments", { response_metadata: { messages: mistakes.map((mistake) => `[ERROR] ${mistake}`) } });
  return { ...view, blocks: checkBlocks(blocks as Json[], "view") };
}
