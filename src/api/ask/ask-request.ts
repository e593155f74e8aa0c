import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { AppError } from "../../core/errors.ts";

/** Largest body in bytes: a long question, with room to spare. */
const bodyLimit = 64 * 1024;
/** Longest question in characters, as in Slack. */
const questionLimit = 12_000;

const body = z.strictObject({
  question: z.string().max(questionLimit),
  /** Name or Slack's id; the person's direct message when absent. */
  channel: z.string().min(1).max(100).optional(),
  /** Slack's timestamp of a thread in that place whose messages the question belongs to. */
  thread: z
    .string()
    .regex(/^\d{1,12}\.\d{6}$/)
    .optional(),
});

/** What somebody asks over HTTP. */
export type AskBody = z.infer<typeof body>;

/**
 * Refuses pages of other sites: there is no CORS, and a browser that was lured here says where from.
 * @throws AppError ORIGIN_REFUSED
 */
export function checkOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  if (headers.origin !== undefined && headers.origin !== new URL(publicUrl).origin) throw new AppError("ORIGIN_REFUSED");
}

/** The bearer token; "" when there is none. Never taken from the address, which ends up in logs. */
export const bearerOf = ({ headers }: IncomingMessage): string => /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/**
 * Reads and checks the body.
 * @throws AppError BODY_TYPE_REFUSED, BODY_TOO_LARGE, REQUEST_INVALID (naming the fields, never repeating them), QUESTION_EMPTY
 */
export async function readAsk(request: IncomingMessage): Promise<AskBody> {
  const { headers } = request;
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" || (headers["content-encoding"] ?? "identity") !== "identity") throw new AppError("BODY_TYPE_REFUSED");
  const { data, error } = body.safeParse(parsed(await bytesOf(request)));
  if (!data) {
    const where = [
      ...new Set(error.issues.map(({ path, code }) => path.join(".") || (code === "unrecognized_keys" ? "unknown fields" : "body"))),
    ];
    throw new AppError("REQUEST_INVALID", `Look at: ${where.join(", ")}.`);
  }
  if (data.question.trim() === "") throw new AppError("QUESTION_EMPTY");
  return data;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) throw new AppError("BODY_TOO_LARGE");
  const pieces: Buffer[] = [];
  let size = 0;
  // Not destroyed when the reading stops early: the refusal still has to go out.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    size += (piece as Buffer).length;
    if (size > bodyLimit) throw new AppError("BODY_TOO_LARGE");
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("REQUEST_INVALID", "It is not JSON in UTF-8.");
  }
}
