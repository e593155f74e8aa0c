import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { AppError } from "../../core/errors.ts";

/** Documents, questions, and which documents answer which question. */
export interface JudgedSet {
  /** The folder's name, with the language where the folder has several ("xquad-de"). */
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly questions: readonly { readonly id: string; readonly text: string }[];
  /** By question: the grade of each document that was judged; 0 means that it does not answer. */
  readonly judgments: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Reads corpus.jsonl ({id, title?, text}), queries.jsonl ({id, text}) and qrels.tsv ("query-id<TAB>corpus-id<TAB>score", a header first) of a folder;
 * where it has corpus.<language>.jsonl, one set for each language.
 * @throws AppError PATH_UNREADABLE when a file is missing or is not of that form
 */
export async function readJudgedSets(folder: string): Promise<JudgedSet[]> {
  const names = await readdir(folder).catch(() => []);
  const suffixes = names.flatMap((name) => /^corpus(\.\w+)?\.jsonl$/.exec(name)?.[0].slice("corpus".length, -".jsonl".length) ?? []).sort();
  if (suffixes.length === 0) throw unreadable(folder, "it holds no corpus.jsonl");
  const judgments = await readJudgments(join(folder, "qrels.tsv"));
  return await Promise.all(
    suffixes.map(async (suffix) => ({
      name: basename(resolve(folder)) + suffix.replace(".", "-"),
      documents: (await readLines(join(folder, `corpus${suffix}.jsonl`))).map(({ id, title, text }) => ({ id, title: title ?? "", text })),
      questions: (await readLines(join(folder, `queries${suffix}.jsonl`))).filter(({ id }) => judgments.has(id)),
      judgments,
    })),
  );
}

interface Line {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

async function readLines(path: string): Promise<Line[]> {
  const content = await read(path);
  return content
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const parsed = parse(line);
      if (typeof parsed?.id !== "string" || typeof parsed.text !== "string") throw unreadable(path, `line ${index + 1} has no id or text`);
      return { id: parsed.id, text: parsed.text, ...(typeof parsed.title === "string" && { title: parsed.title }) };
    });
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function readJudgments(path: string): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>();
  for (const line of (await read(path)).split("\n").slice(1)) {
    const [question, document, grade] = line.trim().split("\t");
    if (!question || !document) continue;
    const of = found.get(question) ?? new Map<string, number>();
    found.set(question, of.set(document, Number(grade)));
  }
  return found;
}

const read = (path: string): Promise<string> =>
  readFile(path, "utf8").catch(() => {
    throw unreadable(path, "it cannot be read");
  });

const unreadable = (path: string, why: string): AppError => new AppError("SET_UNREADABLE", `${path}: ${why}.`);
