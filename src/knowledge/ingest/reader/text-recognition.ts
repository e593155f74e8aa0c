import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Clock } from "../../../core/clock.ts";
import { visibleText } from "../../../core/visible-text.ts";

/** Reads text in pictures. */
export interface TextRecogniser {
  /** The paragraphs in a gray PNG; none where nothing certain is seen or it takes too long. Throws the signal's reason. */
  recognise(png: Uint8Array, signal: AbortSignal): Promise<readonly string[]>;
}

/** Where packages put it; the search path of whoever started us is not asked. */
const PLACES = ["/usr/bin/tesseract", "/usr/local/bin/tesseract", "/opt/homebrew/bin/tesseract"];

/** One picture may take this long, in milliseconds; a page of a book takes 2 to 5 seconds. */
const PICTURE_MS = 60_000;
const CPU_SECONDS = 120;
/** Languages are tried together, which takes longer with each. */
const MOST_LANGUAGES = 4;
/** Most that may be answered for one picture, in bytes. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/** Tesseract, if it is installed on this machine; asked once. */
export async function installedRecogniser(clock: Clock): Promise<TextRecogniser | undefined> {
  const program = PLACES.find((place) => existsSync(place));
  if (program === undefined) return undefined;
  const signal = AbortSignal.timeout(PICTURE_MS);
  const listed = await run(program, ["--list-langs"], new Uint8Array(), clock, signal).catch(() => "");
  const models = listed.split(/\s+/).filter((word) => /^(?:osd|[a-z]{3}(?:_\w+)?)$/.test(word));
  const languages = models.filter((model) => model !== "osd").sort((a, b) => Number(b === "eng") - Number(a === "eng"));
  if (languages.length === 0) return undefined;
  // With the model for it, pages that lie on their side are turned first.
  const layout = models.includes("osd") ? "1" : "3";
  const args = ["stdin", "stdout", "-l", languages.slice(0, MOST_LANGUAGES).join("+"), "--psm", layout, "tsv"];
  return {
    recognise: async (png, stop) => {
      const table = await run(program, args, png, clock, stop).catch(() => "");
      stop.throwIfAborted();
      return paragraphs(table);
    },
  };
}

/** Runs it with as few rights as the shell can give: no environment, no new files, no core dump, an end to its time. */
async function run(program: string, args: readonly string[], input: Uint8Array, clock: Clock, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const limits = `ulimit -c 0; ulimit -f 0; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", limits, program, ...args], {
    env: { OMP_THREAD_LIMIT: "1" },
    cwd: tmpdir(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const over = new AbortController();
  const answer = answerOf(child);
  const late = clock.sleep(PICTURE_MS, AbortSignal.any([signal, over.signal])).then(() => {
    throw new Error("It took too long.");
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
    late.catch(() => {});
    child.kill("SIGKILL");
  }
}

function answerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout?.on("data", (data: Buffer) => {
      length += data.length;
      if (length > LONGEST_ANSWER) reject(new Error("It answered too much."));
      else parts.push(data);
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(Buffer.concat(parts).toString("utf8")) : reject(new Error("It failed."))));
  });
}

/** Words less certain than this, in per cent, are left out; a paragraph that is less certain on the whole is a pattern and no text. */
const WORD_CERTAINTY = 30;
const PARAGRAPH_CERTAINTY = 55;

interface Paragraph {
  readonly lines: Map<string, string[]>;
  readonly certainties: number[];
}

/** Reads the table of words that the program writes: a line for each, with its place in the page's structure and its certainty. */
export function paragraphs(table: string): readonly string[] {
  const found = new Map<string, Paragraph>();
  for (const row of table.split("\n")) {
    const [level, , block, paragraph, line, , , , , , certainty, word = ""] = row.split("\t");
    if (level !== "5" || word.trim() === "") continue;
    const key = `${block}.${paragraph}`;
    const known = found.get(key) ?? { lines: new Map<string, string[]>(), certainties: [] };
    found.set(key, known);
    known.certainties.push(Number(certainty));
    if (Number(certainty) < WORD_CERTAINTY) continue;
    const words = known.lines.get(line ?? "") ?? [];
    words.push(word.trim());
    known.lines.set(line ?? "", words);
  }
  return [...found.values()].flatMap(({ lines, certainties }) => {
    const mean = certainties.reduce((sum, each) => sum + each, 0) / certainties.length;
    const text = visibleText(joined([...lines.values()].map((words) => words.join(" ")))).trim();
    return mean >= PARAGRAPH_CERTAINTY && /[\p{L}\p{N}]{2}/u.test(text) ? [text] : [];
  });
}

/** Lines as one text; a word that was cut at a line's end is whole again. */
const joined = (lines: readonly string[]): string =>
  lines.reduce(
    (text, line) => (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : text === "" ? line : `${text} ${line}`),
    "",
  );
