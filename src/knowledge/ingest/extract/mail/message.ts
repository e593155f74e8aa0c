import { AppError } from "../../../../core/errors.ts";
import { visibleText } from "../../../../core/visible-text.ts";
import type { DocumentFormat } from "../../../library.ts";
import { authorOf } from "../author.ts";
import type { Block, ExtractedDocument } from "../document.ts";
import { fragmentBlocks } from "../html/html-fragment.ts";
import { type InnerFile, type Inside, innerText } from "../inside.ts";
import { titleFromName } from "../title.ts";

/** An e-mail, whoever's format it came in. */
export interface Message {
  readonly format: DocumentFormat;
  readonly name: string;
  readonly subject: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly date: string | undefined;
  readonly text: string;
  readonly html: string | undefined;
  readonly attachments: readonly InnerFile[];
}

/** A page of HTML that shows this many times the letters of the plain text says more than that: "Your program cannot show this message". */
const SAYS_MORE = 2;

/** The message's head, its text, then its attachments below their names. Pictures of its signature are no attachments worth a word. */
export async function messageDocument(message: Message, inside: Inside): Promise<ExtractedDocument> {
  const subject = visibleText(message.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const head = [
    ["From", message.from],
    ["To", message.to],
    ["Date", message.date],
    ["Subject", subject],
  ].flatMap(([field, value]) => (value ? [`${field}: ${visibleText(value).replace(/\s+/g, " ").trim()}`] : []));
  const body = bodyBlocks(message);
  const { blocks, notes } = await innerText(
    message.attachments.filter(({ name }) => !/\.(?:png|jpe?g|gif|bmp|ics|vcf|p7s|asc)$/i.test(name)),
    inside,
  );
  if (head.length === 0 && body.length === 0 && blocks.length === 0) throw new AppError("DOCUMENT_EMPTY", "The message holds no text.");
  return {
    title: subject.slice(0, 200) || titleFromName(message.name),
    format: message.format,
    ...authorOf(message.from),
    blocks: [...(head.length === 0 ? [] : [{ kind: "prose" as const, text: head.join("\n"), headingPath: [] }]), ...body, ...blocks],
    notes,
  };
}

function bodyBlocks({ text, html }: Message): readonly Block[] {
  const plain = plainBlocks(text);
  const page = html ? fragmentBlocks(html) : [];
  return lettersOf(page) > lettersOf(plain) * SAYS_MORE ? page : plain.length > 0 ? plain : page;
}

const lettersOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.replace(/https?:\S+|[\s|-]+/g, "").length, 0);

const plainBlocks = (text: string): Block[] =>
  visibleText(text.replace(/\r\n?/g, "\n"))
    .split(/\n[ \t]*\n+/)
    .map((paragraph): Block => ({ text: paragraph.replace(/^\n+|\s+$/g, ""), headingPath: [], kind: "prose" }))
    .filter((block) => block.text.trim() !== "");
