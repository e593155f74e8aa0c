import { asList, asObject, asString, type BlockElement, readElement } from "./block-elements.ts";
import type { Inline } from "./mrkdwn/nodes.ts";
import type { Block } from "./page-api.ts";

/** A text object of Block Kit, read with care: a bot may send anything. */
export interface BlockText {
  readonly text: string;
  readonly mrkdwn: boolean;
}

/** The blocks the page can draw. */
export type Drawable =
  | { readonly type: "header"; readonly text: string }
  | { readonly type: "section"; readonly texts: readonly BlockText[]; readonly accessory?: BlockElement }
  | { readonly type: "context"; readonly texts: readonly BlockText[] }
  | { readonly type: "actions"; readonly elements: readonly BlockElement[] }
  | { readonly type: "input"; readonly label: string; readonly hint: string; readonly optional: boolean; readonly element: BlockElement }
  | { readonly type: "rich"; readonly parts: readonly RichPart[] }
  | { readonly type: "divider" }
  | { readonly type: "markdown"; readonly text: string }
  | { readonly type: "task"; readonly title: string; readonly status: TaskStatus }
  | { readonly type: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[]; readonly align: readonly string[] };

/** A piece of rich text: what stands in it, and whether as a quote, as code or plainly. */
export interface RichPart {
  readonly form: "text" | "quote" | "code";
  readonly content: readonly Inline[];
}

/** Where a tool call of a streamed answer stands. */
export type TaskStatus = "pending" | "in_progress" | "complete" | "error";

/** What of a message's blocks can be drawn, in order. Images are never loaded: their alt text stands for them. */
export function readBlocks(blocks: readonly Block[]): Drawable[] {
  return blocks.map(readBlock).filter((drawable) => drawable !== undefined);
}

function readBlock(block: Block): Drawable | undefined {
  const blockId = asString(block.block_id);
  switch (block.type) {
    case "header":
      return { type: "header", text: readText(block.text)?.text ?? "" };
    case "markdown":
      return { type: "markdown", text: asString(block.text) };
    case "task_card":
      return { type: "task", title: asString(block.title), status: readStatus(block.status) };
    case "table":
      return {
        type: "table",
        rows: asList(block.rows).map((row) => asList(row).map(readCell)),
        align: asList(block.column_settings).map((column) => asString(asObject(column).align)),
      };
    case "section": {
      const texts = [block.text, ...asList(block.fields)].map(readText).filter((text) => text !== undefined);
      const accessory = readElement(block.accessory, blockId);
      return { type: "section", texts, ...(accessory && { accessory }) };
    }
    case "context":
      return {
        type: "context",
        texts: asList(block.elements)
          .map(readText)
          .filter((text) => text !== undefined),
      };
    case "image":
      return { type: "context", texts: [{ text: asString(block.alt_text), mrkdwn: false }] };
    case "actions":
    case "context_actions": {
      const elements = asList(block.elements)
        .map((element) => readElement(element, blockId))
        .filter((element) => element !== undefined);
      return { type: "actions", elements };
    }
    case "input": {
      const element = readElement(block.element, blockId);
      const [label, hint] = [block.label, block.hint].map((text) => readText(text)?.text ?? "");
      return element && { type: "input", label: label ?? "", hint: hint ?? "", optional: block.optional === true, element };
    }
    case "rich_text":
      return Array.isArray(block.elements) ? { type: "rich", parts: block.elements.map(readPart) } : undefined;
    case "divider":
      return { type: "divider" };
    default:
      return undefined;
  }
}

const statuses: readonly string[] = ["pending", "in_progress", "complete", "error"] satisfies TaskStatus[];
const readStatus = (raw: unknown): TaskStatus => (statuses.includes(asString(raw)) ? (raw as TaskStatus) : "pending");

/** A cell of a table: plain text, a number, or one line of rich text. */
function readCell(raw: unknown): readonly Inline[] {
  const { type, text, value, elements } = asObject(raw);
  if (type !== "rich_text") return [{ type: "text", text: typeof value === "number" ? String(value) : asString(text) }];
  return asList(elements).flatMap((section) => asList(asObject(section).elements).map(readRich));
}

function readRich(raw: unknown): Inline {
  const { type, text, url, style } = asObject(raw);
  const styles = asObject(style);
  const words = asString(text) || asString(url);
  const inner: Inline = styles.code ? { type: "code", text: words } : { type: "text", text: words };
  const linked: Inline =
    type === "link" && /^https?:\/\//.test(asString(url)) ? { type: "link", href: asString(url), label: words } : inner;
  const wrap = (on: unknown, kind: "bold" | "italic" | "strike", child: Inline): Inline => (on ? { type: kind, children: [child] } : child);
  return wrap(styles.bold, "bold", wrap(styles.italic, "italic", wrap(styles.strike, "strike", linked)));
}

const forms: Readonly<Record<string, RichPart["form"]>> = { rich_text_quote: "quote", rich_text_preformatted: "code" };

function readPart(raw: unknown): RichPart {
  const { type, elements } = asObject(raw);
  return { form: forms[asString(type)] ?? "text", content: asList(elements).map(readRich) };
}

function readText(raw: unknown): BlockText | undefined {
  const { type, text, alt_text } = asObject(raw);
  if (type === "image") return { text: asString(alt_text), mrkdwn: false };
  return typeof text === "string" ? { text, mrkdwn: type === "mrkdwn" } : undefined;
}
