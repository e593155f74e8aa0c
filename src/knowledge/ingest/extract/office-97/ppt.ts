import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { CompoundFile } from "../containers/cfb.ts";
import { locked } from "../containers/compound-errors.ts";
import type { Block, ExtractedDocument, ExtractInput } from "../document.ts";
import { titleFromName } from "../title.ts";
import { type PptRecord, recordsIn, textsIn } from "./ppt-records.ts";

const [DOCUMENT, NOTES, LIST, PERSISTED, EDIT, DIRECTORY, NOTES_ATOM] = [0x03e8, 0x03f0, 0x0ff0, 0x03f3, 0x0ff5, 0x1772, 0x03f1];
/** Savings of a file, one upon the other. */
const MOST_EDITS = 1_000;

/** A presentation of PowerPoint 97 to 2003 (PPT), slide by slide: title, text, then the speaker's notes. */
export async function extractPpt({ name, onProgress }: ExtractInput, file: CompoundFile): Promise<ExtractedDocument> {
  if (file.names.includes("EncryptedSummary")) throw locked();
  const stream = Buffer.from(file.read("PowerPoint Document") ?? []);
  const current = Buffer.from(file.read("Current User") ?? []);
  const places = persisted(stream, current.length >= 20 ? current.readUInt32LE(16) : 0);
  const all = [...recordsIn(stream)];
  const document = all.filter(({ type }) => type === DOCUMENT).at(-1);
  if (!document) throw new AppError("DOCUMENT_UNREADABLE", "It is damaged or incomplete. Save or export it anew.");
  const notes = notesBySlide(all);
  const slides = slidesOf(document);
  const blocks = slides.flatMap(({ reference, id, outline }, index): Block[] => {
    const record = recordAt(stream, places.get(reference));
    const drawn = record ? textsIn(record) : [];
    // Texts of placeholders are kept in the outline, all others with the slide.
    const texts = [...outline, ...drawn.filter((text) => !outline.includes(text))].map((text) => visibleText(text).trim()).filter(Boolean);
    const [title = "", ...rest] = texts;
    const place = { page: index + 1, pageName: `slide ${index + 1}`, headingPath: title.length > 200 ? [] : [title.replace(/\s+/g, " ")] };
    const spoken = notes.get(id);
    onProgress(index + 1, slides.length);
    return [
      ...(title === "" ? [] : [{ kind: "heading" as const, text: title, ...place }]),
      ...rest.map((text) => ({ kind: "prose" as const, text, ...place })),
      ...(spoken ? [{ kind: "prose" as const, text: `Notes: ${spoken}`, ...place }] : []),
    ];
  });
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "Its slides hold no text: they may be pictures.");
  return { title: blocks[0]?.headingPath[0] ?? titleFromName(name), format: "ppt", blocks, pages: slides.length, notes: [] };
}

/** Where the last saving put each part: every saving adds a directory of what it changed. */
function persisted(stream: Buffer, lastEdit: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let at = lastEdit;
  for (let count = 0; at > 0 && count < MOST_EDITS; count++) {
    const edit = recordAt(stream, at);
    if (edit?.type !== EDIT || edit.data.length < 16) break;
    const directory = recordAt(stream, edit.data.readUInt32LE(12));
    if (directory?.type !== DIRECTORY) break;
    for (let from = 0; from + 4 <= directory.data.length; ) {
      const head = directory.data.readUInt32LE(from);
      from += 4;
      for (let index = 0; index < head >>> 20 && from + 4 <= directory.data.length; index++, from += 4) {
        const reference = (head & 0xfffff) + index;
        if (!places.has(reference)) places.set(reference, directory.data.readUInt32LE(from));
      }
    }
    at = edit.data.readUInt32LE(8);
  }
  return places;
}

const recordAt = (stream: Buffer, at: number | undefined): PptRecord | undefined =>
  at === undefined || at + 8 > stream.length ? undefined : recordsIn(stream.subarray(at)).next().value;

interface SlideReference {
  readonly reference: number;
  readonly id: number;
  readonly outline: string[];
}

/** The slides in order, each with the texts of its placeholders. */
function slidesOf(document: PptRecord): readonly SlideReference[] {
  const slides: SlideReference[] = [];
  for (const list of recordsIn(document.data)) {
    if (list.type !== LIST || list.instance !== 0) continue;
    for (const record of recordsIn(list.data)) {
      if (record.type === PERSISTED && record.data.length >= 16)
        slides.push({ reference: record.data.readUInt32LE(0), id: record.data.readUInt32LE(12), outline: [] });
      else slides.at(-1)?.outline.push(...textsIn(record));
    }
  }
  return slides;
}

/** What the speaker wrote, by the slide's number; a later saving counts. */
function notesBySlide(records: readonly PptRecord[]): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  for (const record of records) {
    if (record.type !== NOTES) continue;
    const atom = [...recordsIn(record.data)].find(({ type }) => type === NOTES_ATOM);
    const texts = textsIn(record)
      .map((text) => visibleText(text).trim())
      .filter((text) => text !== "" && text !== "*");
    if (atom && atom.data.length >= 4 && texts.length > 0) notes.set(atom.data.readUInt32LE(0), texts.join("\n"));
  }
  return notes;
}
