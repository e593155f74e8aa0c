import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import { AppError } from "../../core/errors.ts";
import { checkTemplate, type TemplateVocabulary } from "./check-template.ts";
import type { ChannelTemplate } from "./template.ts";

/** A template is a page of text, not a document. Characters. */
const longestFile = 50_000;

/**
 * Reads a template from YAML.
 * @throws AppError TEMPLATE_INVALID that lists every mistake with its line
 */
export function readTemplate(text: string, vocabulary: TemplateVocabulary): ChannelTemplate {
  if (text.length > longestFile) throw invalid([{ line: 1, text: `The file has more than ${longestFile} characters.` }]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: "1.2", prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ line: lineAt(pos[0]), text: `${message}.` }));
  // A few lines of aliases can stand for gigabytes.
  visit(document, {
    Alias: (_, alias) => void broken.push({ line: lineAt(alias.range?.[0] ?? 0), text: "Aliases are not used in templates." }),
  });
  if (broken.length > 0) throw invalid(broken);

  const lineOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document.contents, path));
  const checked = checkTemplate(document.toJS(), vocabulary);
  if ("template" in checked) return checked.template;
  throw invalid(checked.mistakes.map(({ path, text }) => ({ line: lineOf(path), text })));
}

interface Mistake {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const invalid = (mistakes: readonly Mistake[]) =>
  new AppError("TEMPLATE_INVALID", `\n${mistakes.map(({ line, text }) => `- line ${line}: ${text}`).join("\n")}`);

/** Where in the file something stands: the key of a path, or of as much of it as there is. */
function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node: unknown = root;
  let offset = startOf(root);
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair) break;
      offset = startOf(pair.key);
      node = pair.value;
    } else break;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) ? ((node as Node).range?.[0] ?? 0) : 0);
