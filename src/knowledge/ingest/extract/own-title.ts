import type { Block, ExtractedDocument } from "./document.ts";

/**
 * Takes the document's own title out of its heading paths: whoever cites a passage names the document first, and "Handbook, page 3 ·
 * Handbook > Leave" says the same twice. The title's own line goes too, unless the document holds nothing else.
 */
export function withoutOwnTitle(document: ExtractedDocument): ExtractedDocument {
  const title = folded(document.title);
  const isTitle = (text = "") => {
    const rest = title.startsWith(folded(text)) ? title.slice(folded(text).length) : undefined;
    // Web pages add the site's name to theirs: "Parental leave - Handbook".
    return text !== "" && rest !== undefined && (rest === "" || /^ [-–—|·:] /.test(rest));
  };
  const blocks = document.blocks
    .filter((block) => !(block.headingPath.length <= 1 && isTitle(block.text)))
    .map((block): Block => (isTitle(block.headingPath[0]) ? { ...block, headingPath: block.headingPath.slice(1) } : block));
  return blocks.length > 0 ? { ...document, blocks } : document;
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
