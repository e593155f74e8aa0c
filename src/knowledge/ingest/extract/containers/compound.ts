import { AppError } from "../../../../core/errors.ts";
import type { ExtractedDocument, ExtractInput } from "../document.ts";
import { SUPPORTED } from "../format.ts";
import type { Inside } from "../inside.ts";
import { type CompoundFile, openCompoundFile } from "./cfb.ts";
import { locked } from "./compound-errors.ts";

/** A compound file by what is in it: an Outlook message, or a document of Office's formats before 2007. */
export async function extractCompound(input: ExtractInput, inside: Inside): Promise<ExtractedDocument> {
  const file = openCompoundFile(input.bytes);
  const has = (name: string): boolean => file.names.includes(name);
  // The new formats go into a container of the old ones when they are encrypted.
  if (has("EncryptedPackage")) throw locked();
  if (has("__properties_version1.0")) return await (await import("../mail/msg.ts")).extractMsg(input, file, inside);
  if (has("WordDocument")) return await (await import("../office-97/doc.ts")).extractDoc(input, file);
  if (has("Workbook")) return await (await import("../office-97/xls.ts")).extractXls(input, file);
  if (has("PowerPoint Document")) return await (await import("../office-97/ppt.ts")).extractPpt(input, file);
  throw new AppError("FORMAT_UNSUPPORTED", `It is ${nameOf(file)}. ${SUPPORTED}`);
}

const nameOf = (file: CompoundFile): string =>
  file.names.includes("Book") ? "a workbook of Excel 95 or older: save it anew as XLSX" : "an Office file of an unknown kind";
