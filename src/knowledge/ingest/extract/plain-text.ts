import { AppError } from "../../../core/errors.ts";
import { visibleText } from "../../../core/visible-text.ts";
import type { Block, ExtractedDocument, ExtractInput } from "./document.ts";
import { decodeText } from "./encoding.ts";
import { titleFromName } from "./title.ts";

/** Plain text in any common encoding: one block per paragraph (blank lines between). */
export async function extractPlainText({ bytes, name }: ExtractInput): Promise<ExtractedDocument> {
  const text = visibleText(decodeText(bytes).replace(/\r\n?/g, "\n"));
  const blocks = text
    .split(/\n[ \t]*\n+/)
    .map((paragraph): Block => ({ text: paragraph.replace(/^\n+|\s+$/g, ""), headingPath: [], kind: "prose" }))
    .filter((block) => block.text.trim() !== "");
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "It holds nothing but blanks.");
  return { title: titleFromName(name), format: "text", blocks, notes: [] };
}
