import { elementMistakes, type Report, textObject } from "./element-limits.ts";
import type { Json } from "./state.ts";

/** Characters: ids of blocks; texts of sections, fields and headers; addresses; alternative texts. */
const max = {
  blockId: 255,
  section: 3_000,
  field: 2_000,
  header: 150,
  url: 3_000,
  alt: 2_000,
  label: 2_000,
  fallbackTitle: 2_000,
} as const;
/** Items: elements of actions, context and context_actions blocks; fields; rows, columns and cells' text of tables. */
const most = { actions: 25, context: 10, contextActions: 5, fields: 10, rows: 100, columns: 20 } as const;
/** Characters over all tables of a message. */
const maxTableText = 10_000;

type Rule = (block: Json, report: Report) => void;

/** What each kind of block must keep to. A kind that is not listed is refused, as Slack does. */
const rules: Readonly<Record<string, Rule>> = {
  section: (block, report) => {
    if (!block.text && !block.fields) report("must provide either text or fields", "");
    if (block.text) textObject(block.text, max.section, report, "/text");
    const fields = listOf(block.fields, most.fields, report, "/fields");
    for (const [index, field] of fields.entries()) textObject(field, max.field, report, `/fields/${index}`);
    if (block.accessory) elementMistakes(block.accessory as Json, report, "/accessory");
  },
  header: (block, report) => textObject(block.text, max.header, report, "/text", "plain_text"),
  context: (block, report) => {
    const elements = listOf(block.elements, most.context, report, "/elements", true);
    for (const [index, element] of elements.entries()) {
      if (element.type === "image") image(element, report, `/elements/${index}`);
      else textObject(element, max.section, report, `/elements/${index}`);
    }
  },
  actions: (block, report) => {
    const elements = listOf(block.elements, most.actions, report, "/elements", true);
    for (const [index, element] of elements.entries()) elementMistakes(element, report, `/elements/${index}`);
    uniqueActions(elements, report);
  },
  context_actions: (block, report) => {
    const elements = listOf(block.elements, most.contextActions, report, "/elements", true);
    for (const [index, element] of elements.entries()) elementMistakes(element, report, `/elements/${index}`);
    uniqueActions(elements, report);
  },
  input: (block, report) => {
    textObject(block.label, max.label, report, "/label", "plain_text");
    if (block.element) elementMistakes(block.element as Json, report, "/element");
    else report("missing required field: element", "");
  },
  image: (block, report) => image(block, report, ""),
  divider: () => undefined,
  markdown: (block, report) => {
    if (typeof block.text !== "string" || block.text.length === 0) report("must be more than 0 characters", "/text");
  },
  rich_text: (block, report) => {
    listOf(block.elements, Number.POSITIVE_INFINITY, report, "/elements", true);
  },
  table: (block, report) => {
    const rows = Array.isArray(block.rows) ? (block.rows as unknown[]) : [];
    if (rows.length === 0) report("missing required field: rows", "");
    if (rows.length > most.rows) report(`no more than ${most.rows} items allowed`, "/rows");
    if (rows.some((row) => !Array.isArray(row) || row.length > most.columns))
      report(`no more than ${most.columns} items allowed`, "/rows/0");
    if (JSON.stringify(rows).length > maxTableText * 2) report(`must be less than ${maxTableText + 1} characters`, "/rows");
  },
  task_card: (block, report) => {
    if (typeof block.task_id !== "string") report("missing required field: task_id", "");
    if (typeof block.title !== "string" || !block.title) report("missing required field: title", "");
  },
  plan: (block, report) => {
    if (typeof block.title !== "string" || !block.title) report("missing required field: title", "");
  },
  file: () => undefined,
  video: (block, report) => image({ ...block, image_url: block.thumbnail_url }, report, ""),
};

/** Everything that Slack would say against these blocks, in its words and with its pointers. Empty when they are fine. */
export function blockMistakes(blocks: readonly Json[]): string[] {
  const mistakes: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const report: Report = (mistake, path) => mistakes.push(`${mistake} [json-pointer:/blocks/${index}${path}]`);
    const rule = typeof block === "object" && block !== null ? rules[String(block.type)] : undefined;
    if (!rule) report("unsupported type", "/type");
    if (String(block?.block_id ?? "").length > max.blockId) report(`must be less than ${max.blockId + 1} characters`, "/block_id");
    rule?.(block, report);
  }
  return mistakes;
}

function image(block: Json, report: Report, path: string): void {
  if (!block.image_url && !block.slack_file) report("missing required field: image_url", path);
  if (String(block.image_url ?? "").length > max.url) report(`must be less than ${max.url + 1} characters`, `${path}/image_url`);
  if (typeof block.alt_text !== "string") report("missing required field: alt_text", path);
  else if (block.alt_text.length > max.alt) report(`must be less than ${max.alt + 1} characters`, `${path}/alt_text`);
}

function listOf(value: unknown, limit: number, report: Report, path: string, needed = false): readonly Json[] {
  const items = Array.isArray(value) ? (value as Json[]) : [];
  if (needed && items.length === 0) report("must have at least 1 item", path);
  if (items.length > limit) report(`no more than ${limit} items allowed`, path);
  return items;
}

function uniqueActions(elements: readonly Json[], report: Report): void {
  const ids = elements.map((element) => element.action_id).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) report("`action_id` must be unique in a block", "/elements");
}
