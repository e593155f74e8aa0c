import { AppError } from "../../../core/errors.ts";
import type { ZipArchive } from "./containers/zip.ts";
import type { ExtractedDocument, ExtractInput } from "./document.ts";
import { type InnerFile, type Inside, innerText, safeName } from "./inside.ts";
import { titleFromName } from "./title.ts";

/** An archive (ZIP) of documents: each of its files below the file's name. What programs leave in archives for themselves is passed over. */
export async function extractArchive({ name, onProgress }: ExtractInput, archive: ZipArchive, inside: Inside): Promise<ExtractedDocument> {
  const names = [...archive.names].filter((each) => !isLeftover(each)).sort((a, b) => (a < b ? -1 : 1));
  const files = names.map(
    (each, index): InnerFile => ({
      name: each,
      async bytes() {
        onProgress(index, names.length);
        return (await archive.read(each)) ?? new Uint8Array();
      },
    }),
  );
  const { blocks, notes } = await innerText(files, inside);
  if (blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", notes.at(-1) ?? "It is an archive without files.");
  return { title: titleFromName(name), format: "zip", blocks, notes };
}

const isLeftover = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(safeName(name));
