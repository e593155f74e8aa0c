import type { CompoundFile } from "../containers/cfb.ts";
import type { ExtractedDocument, ExtractInput } from "../document.ts";
import { decodeText } from "../encoding.ts";
import type { InnerFile, Inside } from "../inside.ts";
import { decompressRtf } from "../rtf/compressed-rtf.ts";
import { rtfBlocks } from "../rtf/rtf.ts";
import { messageDocument } from "./message.ts";

/** Properties of messages by the numbers that Outlook gives them. */
const SUBJECT = "0037";
const SENDER_NAME = "0C1A";
const SENDER_ADDRESS = ["5D01", "0C1F"];
const TO = "0E04";
const CC = "0E03";
const BODY = "1000";
const RTF = "1009";
const HTML = "1013";
const HEADERS = "007D";
const ATTACHED_NAME = ["3707", "3704", "3001"];
const ATTACHED_BYTES = "3701";
const RECIPIENT_ADDRESS = ["39FE", "3003"];

/** An Outlook message (MSG) with its attachments. Messages attached to it are named, but their text is not read. */
export async function extractMsg({ name }: ExtractInput, file: CompoundFile, inside: Inside): Promise<ExtractedDocument> {
  const property = (...numbers: readonly string[]): string =>
    numbers.map((number) => stringOf(file, "", number)).find((text) => text !== "") ?? "";
  const sender = [property(SENDER_NAME), property(...SENDER_ADDRESS)];
  const text = property(BODY);
  const html = htmlOf(file);
  return await messageDocument(
    {
      format: "msg",
      name,
      subject: property(SUBJECT),
      from: sender[0] === sender[1] ? sender[0] : `${sender[0]}${sender[1] ? ` <${sender[1]}>` : ""}`.trim(),
      to: recipients(file) || [property(TO), property(CC)].filter(Boolean).join(", "),
      date: /^Date:\s*(.+)$/im.exec(property(HEADERS))?.[1],
      text: text || (html ? "" : richText(file)),
      html,
      attachments: attachments(file),
    },
    inside,
  );
}

/** Texts are kept in UTF-16, by older programs in the encoding of their machine. */
function stringOf(file: CompoundFile, folder: string, number: string): string {
  const wide = file.read(`${folder}__substg1.0_${number}001F`);
  if (wide) return Buffer.from(wide).toString("utf16le").replace(/\0+$/, "").trim();
  const narrow = file.read(`${folder}__substg1.0_${number}001E`);
  return narrow ? decodeText(narrow).replace(/\0+$/, "").trim() : "";
}

function htmlOf(file: CompoundFile): string | undefined {
  const bytes = file.read(`__substg1.0_${HTML}0102`);
  const declared = bytes && /charset\s*=\s*["']?([\w-]+)/i.exec(Buffer.from(bytes.subarray(0, 4_096)).toString("latin1"))?.[1];
  return bytes ? decodeText(bytes, declared) : stringOf(file, "", HTML) || undefined;
}

function richText(file: CompoundFile): string {
  const bytes = file.read(`__substg1.0_${RTF}0102`);
  const rtf = bytes && decompressRtf(bytes);
  return rtf
    ? rtfBlocks(rtf)
        .blocks.map(({ text }) => text)
        .join("\n\n")
    : "";
}

const foldersOf = (file: CompoundFile, kind: string): string[] =>
  [...new Set(file.names.flatMap((name) => (name.startsWith(kind) ? [name.slice(0, name.indexOf("/") + 1)] : [])))].filter(Boolean).sort();

function recipients(file: CompoundFile): string {
  const found = foldersOf(file, "__recip_version1.0_").map((folder) => {
    const name = stringOf(file, folder, "3001");
    const address = RECIPIENT_ADDRESS.map((number) => stringOf(file, folder, number)).find((each) => each.includes("@")) ?? "";
    return name === address || address === "" ? name : `${name} <${address}>`.trim();
  });
  return found.filter(Boolean).join(", ");
}

const attachments = (file: CompoundFile): InnerFile[] =>
  foldersOf(file, "__attach_version1.0_").map((folder, index) => ({
    name: ATTACHED_NAME.map((number) => stringOf(file, folder, number)).find((each) => each !== "") ?? `attachment ${index + 1}`,
    bytes: async () => file.read(`${folder}__substg1.0_${ATTACHED_BYTES}0102`) ?? new Uint8Array(),
  }));
