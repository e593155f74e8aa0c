import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defaultSeed } from "../../playground/server/seed.ts";
import { parseSeedSource, renderSeedPdf } from "../../scripts/seed-pdf.ts";
import { chunk } from "../../src/knowledge/ingest/chunk.ts";
import type { ExtractedDocument } from "../../src/knowledge/ingest/extract/document.ts";
import { extract } from "../../src/knowledge/ingest/extract/extract.ts";
import type { SeedQuestion } from "./seed-question.ts";

const root = "playground/seed";
const json = <T>(name: string): T => JSON.parse(readFileSync(join(root, name), "utf8")) as T;

const questions = json<readonly SeedQuestion[]>("questions.json");
const grants = json<Readonly<Record<string, Readonly<Record<string, string>>>>>("grants.json");
const workspaces = Object.keys(grants);

interface SeedFile {
  readonly name: string;
  readonly grant: string;
  readonly document: ExtractedDocument;
}

const read = (bytes: Uint8Array, name: string): Promise<ExtractedDocument> => extract({ bytes, name, onProgress: () => {} });

async function filesOf(workspace: string): Promise<SeedFile[]> {
  const folder = join(root, "documents", workspace);
  const found: SeedFile[] = [];
  // One after another, as the program reads them.
  for (const name of readdirSync(folder)) {
    const document = await read(new Uint8Array(readFileSync(join(folder, name))), name);
    found.push({ name, grant: grants[workspace]?.[name] as string, document });
  }
  return found;
}

/** A document's text, or one page's, as the program reads it. */
const textOf = ({ blocks }: ExtractedDocument, page?: number): string =>
  blocks
    .filter((block) => page === undefined || block.page === page)
    .map(({ text }) => text.replace(/\s+/g, " "))
    .join(" ");
const files = new Map<string, readonly SeedFile[]>();
for (const workspace of workspaces) files.set(workspace, await filesOf(workspace));
const seedOf = (workspace: string) => defaultSeed.workspaces.find(({ name }) => name === workspace);

/** What an answer in this place may draw on: the rule of the product, written again from its description. */
function mayRead(question: SeedQuestion, grant: string): boolean {
  const seed = seedOf(question.workspace);
  const isGuest = (name: string) => seed?.people.find((person) => person.name === name)?.role?.includes("guest") ?? false;
  const membersOf = (channel: string) => seed?.channels.find(({ name }) => name === channel)?.members ?? [];
  const [kind, name = ""] = grant.split(":");
  if (question.channel !== "direct") {
    if (kind === "everyone") return !membersOf(question.channel).some(isGuest);
    return kind === "channel" && name === question.channel;
  }
  if (kind === "everyone") return !isGuest(question.as);
  return kind === "channel" ? membersOf(name).includes(question.as) : name === question.as;
}

test("every file is granted exactly once, and every grant names somebody who exists", () => {
  expect(workspaces).toEqual(defaultSeed.workspaces.map(({ name }) => name));
  for (const workspace of workspaces) {
    expect(readdirSync(join(root, "documents", workspace)).toSorted()).toEqual(Object.keys(grants[workspace] ?? {}).toSorted());
    const seed = seedOf(workspace);
    const principals = [
      "everyone",
      ...(seed?.channels ?? []).map(({ name }) => `channel:${name}`),
      ...(seed?.people ?? []).map(({ name }) => `person:${name}`),
    ];
    for (const grant of Object.values(grants[workspace] ?? {})) expect(principals).toContain(grant);
  }
});

test("the two workspaces use the same file names for different contents", () => {
  const [acme = [], globex = []] = workspaces.map((workspace) => files.get(workspace));
  expect(acme.map(({ name }) => name)).toEqual(globex.map(({ name }) => name));
  for (const [index, file] of acme.entries()) expect(textOf(file.document)).not.toBe(textOf((globex[index] as SeedFile).document));
});

test("the PDF files are what their sources give", async () => {
  for (const workspace of workspaces) {
    for (const name of readdirSync(join(root, "sources", workspace))) {
      const made = await renderSeedPdf(parseSeedSource(readFileSync(join(root, "sources", workspace, name), "utf8")), [0, 0, 0]);
      const pdf = `${basename(name, ".txt")}.pdf`;
      const committed = files.get(workspace)?.find((file) => file.name === pdf);
      expect(await read(made, pdf)).toEqual(committed?.document);
    }
  }
});

test("the whole seed is small enough for a first start: at most 70 passages", () => {
  const passages = [...files.values()].flat().flatMap(({ document }) => chunk(document.blocks));
  expect(passages.length).toBeLessThanOrEqual(70);
  expect(passages.length).toBeGreaterThan(40);
});

test("there are questions enough, each asked by somebody who is there", () => {
  expect(questions.length).toBeGreaterThanOrEqual(25);
  expect(questions.filter(({ refuse }) => refuse).length).toBeGreaterThanOrEqual(8);
  for (const { workspace, as, channel } of questions.filter((question) => question.channel !== "direct")) {
    expect(seedOf(workspace)?.channels.find(({ name }) => name === channel)?.members).toContain(as);
  }
});

const title = ({ workspace, as, channel, question }: SeedQuestion) => `${workspace}, ${as} in ${channel}: ${question}`;

describe("what is expected stands in the named source, on the named page, and the audience may read it", () => {
  test.each(questions.filter(({ refuse }) => !refuse).map((question) => [title(question), question] as const))("%s", (_title, question) => {
    const file = files.get(question.workspace)?.find((found) => found.document.title === question.source?.title);
    if (!file) throw new Error("no such document");
    const text = textOf(file.document, question.source?.page);
    for (const expected of question.expect) expect(text).toContain(expected);
    expect(mayRead(question, file.grant)).toBe(true);
  });
});

describe("what must stay hidden stands in no document that the audience may read", () => {
  test.each(questions.filter(({ refuse }) => refuse).map((question) => [title(question), question] as const))("%s", (_title, question) => {
    expect(question.hidden?.length).toBeGreaterThan(0);
    const visible = files.get(question.workspace)?.filter(({ grant }) => mayRead(question, grant)) ?? [];
    for (const hidden of question.hidden ?? []) for (const { document } of visible) expect(textOf(document)).not.toContain(hidden);
  });
});
