import { z } from "zod";
import { type ErrorCode, errorCodes } from "../../../core/errors.ts";
import { documentFormats } from "../../library.ts";
import type { ExtractedDocument } from "../extract/document.ts";

/** Goes before a file's bytes, as one line of JSON. */
export interface RequestHeader {
  readonly name: string;
  /** Number of bytes that follow. */
  readonly length: number;
  /** Whether pictures of pages without text are wanted. */
  readonly pictures: boolean;
}

/** What the process answers, one line of JSON each; the last one for a file is neither "progress" nor "picture". */
export type Reply =
  /** Of a file's pages or other parts, as far as the format tells. */
  | { readonly type: "progress"; readonly done?: number; readonly total?: number }
  /** A gray PNG in Base64, of the page with this number. */
  | { readonly type: "picture"; readonly page: number; readonly png: string }
  | { readonly type: "done"; readonly document: ExtractedDocument }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly detail: string };

const text = z.string();
const count = z.number().int().nonnegative();
const block = z
  .object({
    text,
    page: z.number().int().positive().optional(),
    pageName: text.max(200).optional(),
    headingPath: z.array(text),
    kind: z.enum(["heading", "prose", "list", "table", "code"]),
  })
  .strict();
const reply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), done: count.optional(), total: count.optional() }).strict(),
  z.object({ type: z.literal("picture"), page: z.number().int().positive(), png: text }).strict(),
  z
    .object({
      type: z.literal("done"),
      document: z
        .object({
          title: text.max(1_000),
          format: z.enum(documentFormats),
          author: text.max(1_000).optional(),
          blocks: z.array(block),
          pages: z.number().int().positive().optional(),
          notes: z.array(text.max(1_000)).max(20),
        })
        .strict(),
    })
    .strict(),
  z.object({ type: z.literal("failed"), code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]), detail: text.max(1_000) }).strict(),
]);

/** Undefined for anything but a reply: a hostile file may have taken over who wrote it. */
export function parseReply(line: string): Reply | undefined {
  try {
    return reply.parse(JSON.parse(line)) as Reply;
  } catch {
    return undefined;
  }
}
