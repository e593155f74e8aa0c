import { posix } from "node:path";
import { visibleText } from "../../../../core/visible-text.ts";
import { authorOf } from "../author.ts";
import { attribute, child, elements, parseXml, textOf, type XmlElement } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";

/** Where a part of an Office file leads to, by the reference's id. Only to parts of the same file. */
export type Relations = ReadonlyMap<string, Relation>;

export interface Relation {
  /** The last word of the type's address: "slide", "notesSlide", "chart". */
  readonly type: string;
  /** Name of a part of the archive. */
  readonly part: string;
}

/** The references of a part; of those that leave the file none. */
export async function relationsOf(archive: ZipArchive, part: string): Promise<Relations> {
  const bytes = await archive.read(posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`));
  const found = new Map<string, Relation>();
  if (!bytes) return found;
  for (const each of elements(parseXml(bytes), "Relationship")) {
    const [id, target, mode] = ["Id", "Target", "TargetMode"].map((name) => attribute(each, name));
    if (id === undefined || target === undefined || mode === "External") continue;
    const name = target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(part), target);
    found.set(id, { type: attribute(each, "Type")?.split("/").at(-1) ?? "", part: name });
  }
  return found;
}

/** The part with the document itself, whatever it is called. */
export async function mainPart(archive: ZipArchive, usual: string): Promise<string> {
  const relations = await relationsOf(archive, "");
  const main = [...relations.values()].find(({ type, part }) => type === "officeDocument" && archive.names.has(part));
  return main?.part ?? usual;
}

export async function readTree(archive: ZipArchive, part: string): Promise<XmlElement | undefined> {
  const bytes = await archive.read(part);
  return bytes && parseXml(bytes);
}

/** The title of the file's properties, unless it is what programs write there by themselves. */
export async function propertyTitle(archive: ZipArchive): Promise<string | undefined> {
  const title = visibleText(textOf(child(await readTree(archive, "docProps/core.xml"), "title"))).trim();
  const automatic = /^(?:untitled|powerpoint|microsoft|presentation\d*$|workbook|book\d*$|document\d*$)|\.\w{3,4}$/i;
  return title.length >= 4 && title.length <= 200 && !automatic.test(title) ? title : undefined;
}

/** Who the file's properties say has written it; who saved it last only where that is not said. */
export async function propertyAuthor(archive: ZipArchive): Promise<{ readonly author?: string }> {
  const core = await readTree(archive, "docProps/core.xml");
  const written = authorOf(textOf(child(core, "creator")));
  return written.author === undefined ? authorOf(textOf(child(core, "lastModifiedBy"))) : written;
}
