import type { ZipArchive } from "./zip.ts";

/** What an archive is if it is no Word document: a noun for people. Undefined for a Word document. */
export async function formatOfZip(archive: ZipArchive): Promise<string | undefined> {
  const has = (start: string): boolean => [...archive.names].some((name) => name.startsWith(start));
  const types = new TextDecoder().decode(await archive.read("[Content_Types].xml"));
  if (/wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.(?:document|template)\.macroEnabled/.test(types)) return undefined;
  if (has("ppt/")) return "a presentation (PowerPoint)";
  if (has("xl/")) return "a spreadsheet (Excel)";
  if (has("word/")) return undefined;
  const kind = new TextDecoder().decode(await archive.read("mimetype"));
  if (kind.includes("opendocument")) return "an OpenDocument file (LibreOffice): save it as DOCX or PDF";
  if (kind.includes("epub")) return "an electronic book (EPUB)";
  if (archive.names.has("buildVersionHistory.plist") || has("Index/")) return "a Pages, Numbers or Keynote file: export it as PDF or Word";
  return "an archive (ZIP): unpack it and add its files";
}
