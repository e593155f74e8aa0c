import type { IncomingMessage } from "node:http";

/** The largest body the server reads unless told otherwise. Bytes. */
const maxBytes = 4_000_000;

export class BodyTooLarge extends Error {}

/** The whole body as text. Rejects with BodyTooLarge; what is left is not read, and an answer can still go out. */
export async function readBody(request: IncomingMessage, most = maxBytes): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) throw new BodyTooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** A body's fields: JSON or a form, by its content type; JSON that is none gives undefined. */
export function fieldsOf(body: string, contentType: string): Map<string, unknown> | undefined {
  if (!contentType.includes("json")) return new Map<string, unknown>(new URLSearchParams(body));
  try {
    const value: unknown = body ? JSON.parse(body) : {};
    return typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
