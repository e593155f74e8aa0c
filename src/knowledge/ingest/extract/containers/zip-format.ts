import type { ZipArchive } from "./zip.ts";

/** What an archive is: a format that is read, or the name of another one as a noun for people. */
export type ZipKind = "docx" | "pptx" | "xlsx" | "odf" | "epub" | "archive" | { readonly name: string };

/** Told by what the archive says of itself, then by its parts. */
export async function kindOfZip(archive: ZipArchive): Promise<ZipKind> {
  const has = (start: string): boolean => [...archive.names].some((name) => name.startsWith(start));
  const types = new TextDecoder().decode(await archive.read("[Content_Types].xml"));
  if (/wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.(?:document|template)\.macroEnabled/.test(types)) return "docx";
  if (/presentationml\.(?:presentation|slideshow|template)\.main\+xml|ms-powerpoint\.\w+\.macroEnabled/.test(types)) return "pptx";
  if (/spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template)\.macroEnabled/.test(types)) return "xlsx";
  if (/ms-excel\.sheet\.binary/.test(types)) return { name: "a binary workbook (XLSB): save it anew as XLSX" };
  if (types !== "" && has("ppt/")) return "pptx";
  if (types !== "" && has("xl/")) return "xlsx";
  if (types !== "" && has("word/")) return "docx";
  const kind = new TextDecoder().decode(await archive.read("mimetype")).trim();
  if (kind.includes("opendocument"))
    return /\.(?:text|spreadsheet|presentation)/.test(kind) ? "odf" : { name: "a drawing or formula (OpenDocument)" };
  if (kind.includes("epub") || archive.names.has("META-INF/container.xml")) return "epub";
  if (archive.names.has("buildVersionHistory.plist") || has("Index/"))
    return { name: "a Pages, Numbers or Keynote file: export it as PDF or Word" };
  return "archive";
}
