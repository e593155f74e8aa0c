import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import { authorOf } from "../author.ts";
import type { ExtractedDocument, ExtractInput } from "../document.ts";
import { decodeText } from "../encoding.ts";
import { titleFromName } from "../title.ts";
import { blocksOf } from "./html-blocks.ts";
import { removeHidden } from "./html-hidden.ts";
import { mainContent } from "./html-main.ts";
import { parsePage } from "./html-page.ts";

/** A web page's main content with its headings, lists, tables and code; what a browser would not show is left out. */
export async function extractHtml({ bytes, name, onProgress }: ExtractInput): Promise<ExtractedDocument> {
  const page = parsePage(decodeText(bytes, declaredEncoding(bytes)));
  onProgress(1, 3);
  const title = oneLine(page.querySelector("title")?.textContent);
  const firstHeading = oneLine(page.querySelector("h1")?.textContent);
  const author = authorOf(page.querySelector('meta[name="author" i]')?.getAttribute("content"));
  removeHidden(page);
  const content = mainContent(page);
  onProgress(2, 3);
  const blocks = blocksOf(content);
  if (blocks.length === 0)
    throw new AppError("DOCUMENT_EMPTY", "The page shows no text: it may be filled in by scripts. Save it as it is shown.");
  return { title: title || firstHeading || titleFromName(name), format: "html", ...author, blocks, notes: [] };
}

const oneLine = (text: string | null | undefined): string =>
  visibleText(text ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** What the page itself says, within its first bytes: `<meta charset>`, `http-equiv`, or the XML declaration. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_096)).toString("latin1");
  return (
    /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ?? /^\s*<\?xml[^>]{0,100}?encoding=["']([\w:.-]+)/i.exec(head)?.[1]
  );
}
