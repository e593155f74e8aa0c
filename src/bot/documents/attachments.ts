import type { Attachment, Attachments } from "../../agent/ports.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import type { ChannelId, PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { chunk } from "../../knowledge/ingest/chunk.ts";
import { MAX_FILE_BYTES } from "../../knowledge/ingest/files.ts";
import type { Extractor } from "../../knowledge/ingest/reader/extractor.ts";
import type { Catalogue } from "../words/catalogue.ts";
import { readNamedFile } from "./named-file.ts";
import type { SlackFiles } from "./slack-file.ts";

/** How many files of one question are read, and how many characters of all of them are put before the model. */
const mostFiles = 5;
const mostCharacters = 24_000;
/** A question does not wait longer than this for its files, in milliseconds. */
const patienceMs = 45_000;

const pictures = new Set(["png", "jpg", "jpeg", "gif", "webp", "heic", "bmp", "tiff", "svg"]);

export interface AttachmentParts {
  readonly files: Pick<SlackFiles, "find" | "download">;
  readonly extractor: Pick<Extractor, "extract">;
  readonly words: Pick<Catalogue, "documents" | "reasons">;
  readonly log: Logger;
}

/** Reads the files that somebody has attached to a question. Never rejects: what cannot be read is said. */
export async function readAttachments(
  kept: readonly string[],
  { tenant, person, channel }: { readonly tenant: TenantId; readonly person: PersonId; readonly channel: ChannelId },
  parts: AttachmentParts,
): Promise<Attachments> {
  const { documents: words, reasons } = parts.words;
  const signal = AbortSignal.timeout(patienceMs);
  const notes: string[] = kept.length > mostFiles ? [words.tooMany(mostFiles, kept.length)] : [];
  const read: Attachment[] = [];
  let left = mostCharacters;
  for (const { id, name } of kept.slice(0, mostFiles).map(readNamedFile)) {
    try {
      const file = id === undefined ? undefined : await parts.files.find(id, person, channel);
      if (!file) throw new AppError("DOCUMENT_UNREADABLE", "Slack does not show it to me.");
      if (pictures.has(file.kind.toLowerCase())) {
        notes.push(words.picture(name));
        continue;
      }
      const bytes = await parts.files.download(file, MAX_FILE_BYTES, signal);
      const { blocks } = await parts.extractor.extract({ tenant, name: file.name, bytes }, signal);
      const passages = chunk(blocks);
      const shown = passages.filter((passage) => {
        left -= passage.text.length;
        return left >= 0;
      });
      if (shown.length < passages.length) notes.push(words.cut(name, shown.length, passages.length));
      read.push({ id: file.id, name: file.name, passages: shown.map(({ tokens: _, text, ...place }) => ({ passage: text, ...place })) });
    } catch (error) {
      parts.log.info("A file of a question could not be read.", { tenant, code: codeOf(error) });
      notes.push(words.unreadable(name, error instanceof AppError ? reasons.of(error.detail ?? error.sentence) : ""));
    }
  }
  return { read, notes };
}
