import type { Inline } from "./mrkdwn/nodes.ts";
import type { Block } from "./page-api.ts";

/** A text object of Block Kit, read with care: a bot may send anything. */
export interface BlockText {
  readonly text: string;
  readonly mrkdwn: boolean;
}

export interface BlockButton {
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

/** The blocks the page can draw. */
export type Drawable =
  | { readonly type: "header"; readonly text: string }
  | { readonly type: "section"; readonly texts: readonly BlockText[]; readonly button?: BlockButton }
  | { readonly type: "context"; readonly texts: readonly BlockText[] }
  | { readonly type: "actions"; readonly buttons: readonly BlockButton[] }
  | { readonly type: "divider" }
  | { readonly type: "markdown"; readonly text: string }
  | { readonly type: "task"; readonly title: string; readonly status: TaskStatus }
  | { readonly type: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[]; readonly align: readonly string[] };

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
      const button = readButton(block.accessory, blockId);
      return { type: "section", texts, ...(button && { button }) };
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
      const buttons = asList(block.elements)
        .map((element) => readButton(element, blockId))
        .filter((button) => button !== undefined);
      return { type: "actions", buttons };
    }
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

function readText(raw: unknown): BlockText | undefined {
  const { type, text, alt_text } = asObject(raw);
  if (type === "image") return { text: asString(alt_text), mrkdwn: false };
  return typeof text === "string" ? { text, mrkdwn: type === "mrkdwn" } : undefined;
}

function readButton(raw: unknown, blockId: string): BlockButton | undefined {
  const element = asObject(raw);
  if (element.type !== "button") return undefined;
  const style = element.style === "primary" || element.style === "danger" ? element.style : undefined;
  const url = asString(element.url);
  const confirm = asObject(element.confirm);
  const question = [confirm.title, confirm.text].map((text) => readText(text)?.text).filter(Boolean);
  return {
    blockId,
    actionId: asString(element.action_id),
    label: readText(element.text)?.text ?? "Button",
    value: asString(element.value),
    ...(asString(element.accessibility_label) && { spoken: asString(element.accessibility_label) }),
    ...(style && { style }),
    ...(/^https?:\/\//.test(url) && { url }),
    ...(question.length > 0 && { confirm: question.join("\n\n") }),
  };
}

const asString = (raw: unknown): string => (typeof raw === "string" ? raw : "");
const asList = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : []);
const asObject = (raw: unknown): Readonly<Record<string, unknown>> =>
  typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : {};
