import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { catalogues, english, wordsFor } from "../../../src/bot/words/catalogue.ts";
import { ReaderWords } from "../../../src/bot/words/reader-words.ts";
import { personId, tenantId } from "../../../src/core/ids.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { person } from "../../fakes/people.ts";

/** Every text of a language under its path, what is put into it marked; numbers are one and several. */
function texts(value: unknown, path = ""): readonly (readonly [path: string, text: string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return variants(path, value as (...given: unknown[]) => string);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, path ? `${path}.${key}` : key));
}

/** What is given to a text that is made: words that can be found again, by the path where they are no plain words. */
const given: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "tools.reason": [
    ...["not-taking-part", "unreleased", "not-allowed", "template-lock", "template", "admin", "channel", "thread", "person"].map((kind) => [
      { kind, label: "«a»" },
    ]),
    [{ kind: "not-configured", label: "«a»", missing: "«m»" }],
    [{ kind: "role", label: "«a»", least: "admin" }],
  ],
  "roles.forDays": [[1], [30]],
  "approvals.asks": ["read-inside", "read-outside", "side-effect", "destructive", "unknown"].map((effect) => ["«a»", "«b»", effect]),
  "approvals.decided": ["allowed", "running", "done", "denied", "expired"].map((state) => [state, "«a»", "«b»"]),
  "commands.refusal": [
    ["admin", person("x")],
    ["channel", person("x")],
    ["template", person("x")],
    ["audience", person("x")],
    ["knowledge", person("x")],
    ["budget", person("x")],
    ["servers", person("x")],
    ["person", person("x", { role: "outsider" })],
  ],
  "commands.toolsHere": [["channel"], ["thread"], ["direct"]],
  "commands.switched": ["on", "off", "lock", "unlock"].flatMap((verb) =>
    ["admin", "channel", "thread", "person"].map((scope) => [verb, ["«a»", "«b»"], scope]),
  ),
  "commands.already": ["on", "off", "lock", "unlock"].map((verb) => [verb, ["«a»"], "channel"]),
  "commands.usage": [
    ["«a»", true],
    ["«a»", false],
  ],
  "documents.readers": [[["«a»", "«b»"]], [["«a»"]]],
  "following.counts": [
    [{ added: 7, changed: 2, moved: 3, removed: 4, unchanged: 5, failed: 6 }],
    [{ added: 0, changed: 0, moved: 0, removed: 0, unchanged: 0, failed: 0 }],
  ],
  "following.every": [[30], [360], [2_880]],
  "following.lastRun": ["ok", "partial", "failed"].map((status) => ["«a»", status]),
  "reasons.of": [["«a»"], ["The document holds no text."]],
  "answer.relevance": [[0.5]],
  "answer.said": [["The question is empty."]],
  "answer.seconds": [[1_500]],
};

function variants(path: string, make: (...given: unknown[]) => string): readonly (readonly [string, string])[] {
  const all = given[path] ?? [
    ["«a»", "«b»", "«c»", "«d»"],
    [1, 1, 1, 1],
    [7, 8, 9, 6],
  ];
  return all.map((args, index) => [`${path}#${index}`, make(...args.slice(0, Math.max(make.length, 1)))] as const);
}

/** What must be the same in every language: what was put in, code, and the places of mentions. */
const placeholders = (text: string): readonly string[] => [...text.matchAll(/«\w»|\b[1-9]\b|<[@#!][^>]*>/g)].map(([found]) => found).sort();

/** How much of a text is language. */
const wordsIn = (text: string): number => text.replace(/«\w»|:\w+:/g, "").match(/\p{L}{3,}/gu)?.length ?? 0;

const inEnglish = new Map(texts(english));

describe.each(catalogues.slice(1).map((words) => [words.language, new Map(texts(words))] as const))("the language %s", (_, inLanguage) => {
  test("has every text of English, and no other", () => expect([...inLanguage.keys()]).toEqual([...inEnglish.keys()]));

  test.each([...inEnglish])("puts the same into %s", (path, text) => {
    const translated = inLanguage.get(path) ?? "";
    expect(placeholders(translated)).toEqual(placeholders(text));
    expect(translated.trim() === "").toBe(text.trim() === "");
  });

  test("is another language than English", () => {
    const same = [...inLanguage].filter(([path, text]) => wordsIn(text) > 1 && inEnglish.get(path) === text);
    expect(same.map(([path]) => path)).toEqual([]);
  });
});

test.each([
  ["de-DE", "de"],
  ["de", "de"],
  ["DE_at", "de"],
  ["en-GB", "en"],
  ["fr-FR", "en"],
  ["", "en"],
  [undefined, "en"],
])("somebody whose Slack is in %s reads %s", (locale, language) => expect(wordsFor(locale).language).toBe(language));

test("a reader's language is known as soon as Slack has told it", async () => {
  const readers = new ReaderWords();
  const directory = new MemoryDirectory([person("anna", { locale: "de-DE" })], []);
  const [tenant, other, anna] = [tenantId("t"), tenantId("o"), person("anna").id];
  expect(readers.loaded(tenant, anna).language).toBe("en");
  expect((await readers.load(tenant, anna, directory)).language).toBe("de");
  expect(readers.loaded(tenant, anna).language).toBe("de");
  expect(readers.loaded(other, anna).language).toBe("en");
  expect((await readers.load(tenant, personId("U0"), directory)).language).toBe("en");
});

const root = join(import.meta.dirname, "../../../src/bot");
const botFiles = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

test("every file of words is in the catalogue, in every language", async () => {
  const catalogue = new Set(catalogues.flatMap((language) => Object.values(language)));
  const files = botFiles.filter((path) => basename(path) === "words.ts");
  const missing: string[] = [];
  for (const path of files) {
    const spoken = (await import(join(root, path))) as Readonly<Record<string, unknown>>;
    for (const language of ["english", "german"]) if (!catalogue.has(spoken[language] as never)) missing.push(`${path}: ${language}`);
  }
  expect(files.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** The catalogue's own files (the test above holds that they are), and those that speak to operators or to developers. */
const elsewhere = /(?:^|[/-])words\.ts$|(?:said-in-german|added-label)\.ts$|^(?:workspace|install)\/|^in\/listeners\/app-removed\.ts$/;
/** A quoted sentence: a capital, at least two blanks, and an end. Errors and the log are for others. */
const sentence = /["`][A-ZÄÖÜ][^"`\n]* [^"`\n]* [^"`\n]*[.?!…]["`]/;
const forOthers = /\blog\.|#log\.|Error\(|StreamLeft\(|throw new|^\s*(?:\*|\/\/|\/\*)/;

test("no other file of the bot holds sentences for people", () => {
  const files = botFiles.filter((path) => !elsewhere.test(path));
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .filter((line) => sentence.test(line) && !forOthers.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
