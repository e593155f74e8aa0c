import PostalMime, { type Address, type Email } from "postal-mime";
import { AppError } from "../../../../core/errors.ts";
import type { ExtractedDocument, ExtractInput } from "../document.ts";
import { decodeText } from "../encoding.ts";
import type { Inside } from "../inside.ts";
import { messageDocument } from "./message.ts";

/** Nested parts of a message; more is not an e-mail that a program for e-mail wrote. */
const DEEPEST_PART = 40;

/** An e-mail (EML): who wrote what to whom and when, its text, and its attachments. */
export async function extractEmail(input: ExtractInput, inside: Inside): Promise<ExtractedDocument> {
  const email = await parse(input.bytes);
  const text = email.text ?? "";
  const encrypted = email.attachments.some(({ mimeType }) => /^application\/(?:pgp-encrypted|(?:x-)?pkcs7-mime)$/i.test(mimeType));
  if (encrypted && text.trim() === "" && !email.html) {
    throw new AppError("DOCUMENT_UNREADABLE", "Its text is encrypted for its reader. Save it without encryption and add it again.");
  }
  return await messageDocument(
    {
      format: "eml",
      name: input.name,
      subject: email.subject,
      from: email.from && addressText(email.from),
      to: [...(email.to ?? []), ...(email.cc ?? [])].map(addressText).join(", "),
      date: email.date,
      text,
      html: email.html,
      attachments: email.attachments
        .filter(({ mimeType }) => !/^application\/(?:pgp-|(?:x-)?pkcs7-signature)/i.test(mimeType))
        .map(({ filename, mimeType, content }, index) => ({
          name: filename ?? `attachment ${index + 1}${mimeType === "message/rfc822" ? ".eml" : ""}`,
          bytes: async () => (typeof content === "string" ? Buffer.from(content) : new Uint8Array(content)),
        })),
    },
    inside,
  );
}

async function parse(bytes: Uint8Array): Promise<Email> {
  // Some programs save the whole message as UTF-16.
  const isWide = bytes.subarray(0, 64).includes(0);
  try {
    return await new PostalMime({ maxNestingDepth: DEEPEST_PART }).parse(isWide ? Buffer.from(decodeText(bytes)) : bytes);
  } catch (error) {
    throw new AppError("DOCUMENT_UNREADABLE", "It is not a complete e-mail. Save or export it anew.", { cause: error });
  }
}

const addressText = (address: Address): string =>
  address.group
    ? `${address.name}: ${address.group.map(addressText).join(", ")}`
    : [address.name, address.address && `<${address.address}>`].filter(Boolean).join(" ");
