import type { List, Nodes, PhrasingContent, Root, RootContent, Table } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { AppError } from "../../../core/errors.ts";
import { visibleText } from "../../../core/visible-text.ts";
import { authorOf } from "./author.ts";
import type { Block, ExtractedDocument, ExtractInput } from "./document.ts";
import { decodeText } from "./encoding.ts";
import { Outline } from "./outline.ts";
import { titleFromName } from "./title.ts";

/** Markdown with its heading paths. Tables, code and list items stay whole; comments, scripts and styles are left out. */
export async function extractMarkdown({ bytes, name }: ExtractInput): Promise<ExtractedDocument> {
  const source = visibleText(decodeText(bytes).replace(/\r\n?/g, "\n"));
  const { body, frontTitle, author } = splitFrontMatter(source);
  const tree = unified().use(remarkParse).use(remarkGfm).parse(body);
  // Few pages hold HTML, and its parser takes a while to load.
  const html = tree.children.some((node) => node.type === "html") ? (await import("./html/html-fragment.ts")).fragmentBlocks : undefined;
  const { blocks, firstHeading } = walk(tree, html);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It holds nothing but blanks and headings.");
  return { title: frontTitle ?? firstHeading ?? titleFromName(name), format: "markdown", ...author, blocks, notes: [] };
}

/** YAML front matter is about the page, not part of it; only its title and its author are used. */
function splitFrontMatter(source: string): { body: string; frontTitle: string | undefined; author: { readonly author?: string } } {
  const matter = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(source);
  if (!matter) return { body: source, frontTitle: undefined, author: {} };
  const title = /^title:\s*["']?(.+?)["']?\s*$/m.exec(matter[1] ?? "")?.[1];
  const author = /^author:[ \t]*["']?([^\n"']+)/m.exec(matter[1] ?? "")?.[1];
  return { body: source.slice(matter[0].length), frontTitle: title, author: authorOf(author) };
}

type ReadHtml = (html: string) => readonly LooseBlock[];

function walk(tree: Root, html: ReadHtml = () => []): { blocks: readonly Block[]; firstHeading: string | undefined } {
  const outline = new Outline();
  let firstHeading: string | undefined;
  for (const node of tree.children) {
    if (node.type === "heading") {
      const text = inline(node.children).replace(/\s+/g, " ").trim();
      outline.heading(node.depth, text);
      if (node.depth === 1) firstHeading ??= text;
      continue;
    }
    for (const { kind, text } of node.type === "html" ? html(node.value) : blocksOf(node)) outline.add(kind, text);
  }
  return { blocks: outline.end(), firstHeading };
}

type LooseBlock = Pick<Block, "text" | "kind">;

function blocksOf(node: RootContent): LooseBlock[] {
  switch (node.type) {
    case "paragraph":
      return [{ text: inline(node.children), kind: "prose" }];
    case "code":
      return [{ text: `\`\`\`${node.lang ?? ""}\n${node.value}\n\`\`\``, kind: "code" }];
    case "table":
      return [{ text: table(node), kind: "table" }];
    case "list":
      return node.children.map((item, index) => ({ text: listItem(item, marker(node, index), 0), kind: "list" }));
    case "blockquote":
      return node.children.flatMap(blocksOf);
    case "footnoteDefinition":
      return node.children.flatMap(blocksOf);
    default:
      return [];
  }
}

const marker = (list: List, index: number): string => (list.ordered ? `${(list.start ?? 1) + index}.` : "-");

function listItem(item: Extract<Nodes, { type: "listItem" }>, mark: string, depth: number): string {
  const box = item.checked === true ? "[x] " : item.checked === false ? "[ ] " : "";
  const parts = item.children.map((child) =>
    child.type === "list"
      ? child.children.map((nested, index) => listItem(nested, marker(child, index), depth + 1)).join("\n")
      : blocksOf(child)
          .map((block) => block.text)
          .join("\n"),
  );
  return `${"  ".repeat(depth)}${mark} ${box}${parts.join("\n")}`;
}

function table(node: Table): string {
  const [head, ...rows] = node.children.map(
    (row) => `| ${row.children.map((cell) => inline(cell.children).replace(/\n/g, " ")).join(" | ")} |`,
  );
  const rule = `| ${(node.children[0]?.children ?? []).map(() => "---").join(" | ")} |`;
  return [head, rule, ...rows].join("\n");
}

function inline(nodes: readonly PhrasingContent[]): string {
  return nodes.map(inlineNode).join("");
}

function inlineNode(node: PhrasingContent): string {
  switch (node.type) {
    case "text":
      return node.value;
    case "inlineCode":
      return `\`${node.value}\``;
    case "break":
      return "\n";
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "html":
      return /^<br\s*\/?>$/i.test(node.value) ? "\n" : "";
    case "link": {
      const label = inline(node.children);
      return /^https?:/i.test(node.url) && label !== node.url ? `${label} (${node.url})` : label;
    }
    default:
      return "children" in node ? inline(node.children) : "";
  }
}
