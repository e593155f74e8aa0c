import { AppError, codeOf } from "../../core/errors.ts";
import type { DocumentId, PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { everyone, type Principal } from "../../core/principal.ts";
import { MAX_FILE_BYTES } from "../../knowledge/ingest/files.ts";
import type { FileReport, Ingestion } from "../../knowledge/ingest/pipeline.ts";
import type { Directory } from "../../permissions/directory.ts";
import { atLeast, type Standing, takesPart } from "../../permissions/roles.ts";
import { mayNotChange } from "../../permissions/toggles.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { SlackWriter } from "../out/slack-writer.ts";
import { context, section } from "../surfaces/blocks.ts";
import { type Readership, readsPlace } from "../surfaces/place-access.ts";
import { type Catalogue, wordsFor } from "../words/catalogue.ts";
import { type AddedFile, holderOf, sourceOf, type TenantFiles } from "./file-store.ts";
import type { SlackFiles } from "./slack-file.ts";

export interface DocumentDeskParts {
  filesOf(tenant: TenantId): TenantFiles;
  slackOf(tenant: TenantId): Promise<{
    readonly files: Pick<SlackFiles, "find" | "download">;
    readonly writer: Pick<SlackWriter, "post" | "update">;
    readonly directory: Readership & Pick<Directory, "person">;
  }>;
  /** Somebody as they are at this moment, with the app roles that count then. */
  personNow(tenant: TenantId, id: PersonId): Promise<Standing | undefined>;
  /** The document that was made of a file, whoever holds it. */
  documentOf(tenant: TenantId, file: string): Promise<DocumentId | undefined>;
  /** What answers quote of a file that came with their question is forgotten. */
  forgetQuotes(tenant: TenantId, file: string): Promise<void>;
  /** Sources that read a channel's files are to look: some have gone. */
  sourcesLook(tenant: TenantId): Promise<void>;
  readonly ingestion: Pick<Ingestion, "ingest" | "remove" | "release">;
  readonly log: Logger;
}

/** A file that somebody wants to be read for the knowledge base. */
export interface FileToAdd extends Pick<AddedFile, "id" | "name" | "person" | "channel" | "grants"> {
  /** Who has asked for it to be read, when that is not who added it. */
  readonly by?: PersonId;
}

/**
 * Why somebody may not have a document read for those readers, as a sentence in their language; nothing when they may. The same for a
 * file that is added and for one that is read again: its text may be another by now.
 */
export function mayNotAdd(person: Standing, grants: readonly Principal[], words: Catalogue["documents"]): string | undefined {
  if (!takesPart(person) || !atLeast(person.role, "member")) return words.membersOnly;
  return grants.includes(everyone) && mayNotChange("knowledge", person) !== undefined ? words.adminsOnly : undefined;
}

/**
 * Reads files of Slack into the knowledge base and takes them out again. What comes of it is said in the direct message of whoever added
 * the file: its name is as private as the file.
 */
export class DocumentDesk {
  readonly #parts: DocumentDeskParts;
  readonly #open = new Set<Promise<unknown>>();
  /** What is being read or waits for it; the same file may be there several times. */
  readonly #reading = new Set<readonly [TenantId, string, PersonId]>();
  readonly #stop = new AbortController();

  constructor(parts: DocumentDeskParts) {
    this.#parts = parts;
  }

  /** Begins to read files that are noted already, one after another, and returns at once. */
  read(tenant: TenantId, files: readonly FileToAdd[]): void {
    const reading = files.map(({ id, person }) => [tenant, id, person] as const);
    for (const each of reading) this.#reading.add(each);
    const work = (async () => {
      for (const file of files) await this.#read(tenant, file);
    })().catch((thrown: unknown) => this.#parts.log.error("A file could not be added.", { tenant, code: codeOf(thrown) }));
    this.#open.add(work);
    void work.finally(() => {
      this.#open.delete(work);
      for (const each of reading) this.#reading.delete(each);
    });
  }

  /** Whether a file is being read for that adder, or waits for it. What neither is nor has come to an end was cut off. */
  isReading(tenant: TenantId, id: string, person: PersonId): boolean {
    return [...this.#reading].some(([whose, file, adder]) => whose === tenant && file === id && adder === person);
  }

  /**
   * Takes a file out of what somebody has added, and whomever they let see its document away from it. Undefined when it was not there;
   * "held" when others hold the document still, which is nobody's business but an admin's.
   */
  async remove(tenant: TenantId, id: string, adder: PersonId, by: PersonId | "slack"): Promise<"gone" | "held" | undefined> {
    const files = this.#parts.filesOf(tenant);
    const found = await files.find(id, adder);
    if (!found) return undefined;
    const release = async (document: AddedFile["document"]) =>
      document ? this.#parts.ingestion.release(tenant, document.id, holderOf(adder)) : "gone";
    // The document first: what is gone from the list must not be found any more.
    const left = await release(found.document);
    const removed = await files.remove(id, adder, { actor: by, action: "document-remove", subject: id });
    // Again: it may have been read to its end between the two.
    return removed && (removed.document ? release(removed.document) : left);
  }

  /** A file was deleted in Slack: whoever holds its document, it goes. */
  async deleted(tenant: TenantId, id: string): Promise<void> {
    for (const { person } of await this.#parts.filesOf(tenant).all(id)) await this.remove(tenant, id, person, "slack");
    const document = await this.#parts.documentOf(tenant, id);
    if (document !== undefined && (await this.#parts.ingestion.remove(tenant, document)))
      this.#parts.log.info("A document went with its file in Slack.", { tenant });
    await this.#parts.forgetQuotes(tenant, id);
    await this.#parts.sourcesLook(tenant);
  }

  /** Resolves when everything that was begun is done; what is not done yet is given up. */
  async drained(): Promise<void> {
    this.#stop.abort(new AppError("CANCELLED"));
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  async #read(tenant: TenantId, file: FileToAdd): Promise<void> {
    const { writer, directory } = await this.#parts.slackOf(tenant);
    const spoken = wordsFor((await directory.person(file.person))?.locale);
    const words = spoken.documents;
    const channel = await directory.directMessage(file.person);
    const reading = words.reading(plainMrkdwn(file.name));
    const ts = await writer.post(channel, undefined, () => ({ text: reading, blocks: [section(reading)] }));
    const { text, notes, outcome } = await this.#ingested(tenant, file, spoken);
    const files = this.#parts.filesOf(tenant);
    await files.finish(file.id, file.person, outcome);
    // Removed while it was read: what was read must not stay.
    const gone = outcome.document !== undefined && !(await files.find(file.id, file.person));
    if (gone) await this.#parts.ingestion.release(tenant, outcome.document.id, holderOf(file.person));
    const readers = outcome.document && !gone ? [words.readers(readersOf(file.grants, words))] : [];
    const more = gone ? [] : [...notes, ...readers];
    const said = gone ? words.removed(plainMrkdwn(file.name)) : text;
    const body = { text: said, blocks: [section(said), ...(more.length > 0 ? [context(more.join("\n").slice(0, 2_900))] : [])] };
    if (ts !== undefined) await writer.update(channel, ts, () => body);
  }

  async #ingested(
    tenant: TenantId,
    { id, name, person, by = person, channel, grants }: FileToAdd,
    { documents: words, reasons }: Catalogue,
  ): Promise<{ readonly text: string; readonly notes: readonly string[]; readonly outcome: Pick<AddedFile, "document" | "failure"> }> {
    const shown = plainMrkdwn(name);
    const failed = (why: string) => ({ text: words.problem(shown, plainMrkdwn(reasons.of(why))), notes: [], outcome: { failure: why } });
    try {
      const { files, directory } = await this.#parts.slackOf(tenant);
      const [adder, actor] = [await directory.person(person), await this.#parts.personNow(tenant, by)];
      // A role may have ended while the file waited.
      const refusal = actor && mayNotAdd(actor, grants, words);
      if (refusal !== undefined) return failed(refusal);
      // The place came with a form, and they may have left it since.
      const reads = adder !== undefined && actor !== undefined && (await readsPlace(channel, { person: adder, desk: { directory } }));
      const found = reads ? await files.find(id, person, channel) : undefined;
      if (!found) return failed(words.gone(name));
      const bytes = await files.download(found, MAX_FILE_BYTES, this.#stop.signal);
      const file = { name: found.name, bytes, sourceUri: sourceOf(id) };
      const options = { tenant, grants, holder: holderOf(person), signal: this.#stop.signal };
      const [report] = await this.#parts.ingestion.ingest({ files: [file] }, options);
      return report?.documentId === undefined ? failed(report?.reason ?? "") : understood(report, shown, words, reasons);
    } catch (error) {
      return failed(error instanceof AppError ? (error.detail ?? error.sentence) : new AppError("INTERNAL").sentence);
    }
  }
}

function understood(
  { documentId, passages, pages, notes = [] }: FileReport,
  shown: string,
  words: Catalogue["documents"],
  reasons: Catalogue["reasons"],
) {
  return {
    text: words.understood(shown, passages, pages),
    notes: notes.map((note) => plainMrkdwn(reasons.of(note))),
    outcome: documentId === undefined ? {} : { document: { id: documentId, passages } },
  };
}

/** Grants as people read them. */
export const readersOf = (grants: readonly Principal[], words: Catalogue["documents"]): string[] =>
  grants.map((grant) => {
    const [kind, id = ""] = grant.split(":");
    if (grant === everyone) return words.everyone;
    return kind === "channel" ? words.of(`<#${id}>`) : kind === "group" ? `<!subteam^${id}>` : `<@${id}>`;
  });
