import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { AppError } from "../../../../core/errors.ts";

/** A ZIP archive whose parts are unpacked one by one, within limits that hold for all of them together. */
export interface ZipArchive {
  readonly names: ReadonlySet<string>;
  /** Undefined when there is no such part. Throws AppError DOCUMENT_UNREADABLE beyond a limit or for damaged data. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const MOST_PARTS = 1_000;
/** Of everything unpacked from one file. */
const MOST_BYTES = 200 * 1024 * 1024;
/** A part may unpack to this many times its size; honest XML reaches 10 to 40. */
const MOST_RATIO = 100;
/** Small parts may exceed the ratio: a page of blanks harms nobody. */
const HARMLESS_BYTES = 1024 * 1024;

const TOO_LARGE = "It unpacks to far more than its size, like a file made to do harm.";
const DAMAGED = "Its archive is damaged or incomplete. Save or export it anew.";

/** What may still be unpacked of a file, archives inside it counted. */
export interface UnpackingBudget {
  bytes: number;
}

export const unpackingBudget = (): UnpackingBudget => ({ bytes: MOST_BYTES });

/**
 * Reads the archive's directory. Sizes are never believed: bytes are counted as they are unpacked, and unpacking stops at the limit.
 * Throws AppError DOCUMENT_UNREADABLE.
 */
export function openZip(bytes: Uint8Array, left: UnpackingBudget = unpackingBudget()): ZipArchive {
  const parts = directory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const unpacked = new Map<string, Uint8Array>();
  return {
    names: new Set(parts.keys()),
    async read(name) {
      const part = parts.get(name);
      if (!part) return undefined;
      const known = unpacked.get(name);
      if (known) return known;
      const content = await unpack(part, Math.min(left.bytes, Math.max(HARMLESS_BYTES, part.packed.length * MOST_RATIO)));
      left.bytes -= content.length;
      unpacked.set(name, content);
      return content;
    },
  };
}

interface Part {
  readonly packed: Buffer;
  readonly method: number;
}

const STORED = 0;
const DEFLATED = 8;

async function unpack({ packed, method }: Part, most: number): Promise<Uint8Array> {
  if (method === STORED) {
    if (packed.length > most) throw new AppError("DOCUMENT_UNREADABLE", TOO_LARGE);
    return packed;
  }
  if (method !== DEFLATED || most <= 0) throw new AppError("DOCUMENT_UNREADABLE", method === DEFLATED ? TOO_LARGE : DAMAGED);
  try {
    return await inflate(packed, { maxOutputLength: most });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new AppError("DOCUMENT_UNREADABLE", code === "ERR_BUFFER_TOO_LARGE" ? TOO_LARGE : DAMAGED, { cause: error });
  }
}

const inflate = promisify(inflateRaw);

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end record's size, and that of the longest comment behind it. */
const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;

/** The parts by name; of two with one name the last counts, as with the programs that write such files. */
function directory(file: Buffer): Map<string, Part> {
  const end = endRecord(file);
  const stated = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (stated > MOST_PARTS) throw new AppError("DOCUMENT_UNREADABLE", `Its archive has more than ${MOST_PARTS} parts.`);
  const parts = new Map<string, Part>();
  for (let count = 0; at + ENTRY_SIZE <= end && file.readUInt32LE(at) === ENTRY; count++) {
    if (count >= MOST_PARTS) throw new AppError("DOCUMENT_UNREADABLE", `Its archive has more than ${MOST_PARTS} parts.`);
    const flags = file.readUInt16LE(at + 8);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = file.toString("utf8", at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength);
    if (flags & 1) throw new AppError("DOCUMENT_UNREADABLE", "It is protected by a password. Save it without one and add it again.");
    const packed = packedBytes(file, file.readUInt32LE(at + 42), file.readUInt32LE(at + 20));
    if (!name.endsWith("/")) parts.set(name, { packed, method: file.readUInt16LE(at + 10) });
    at += ENTRY_SIZE + nameLength + extraLength + commentLength;
  }
  if (parts.size === 0) throw new AppError("DOCUMENT_UNREADABLE", DAMAGED);
  return parts;
}

function endRecord(file: Buffer): number {
  const earliest = Math.max(0, file.length - END_SIZE - LONGEST_COMMENT);
  for (let at = file.length - END_SIZE; at >= earliest; at--) if (file.readUInt32LE(at) === END) return at;
  throw new AppError("DOCUMENT_UNREADABLE", DAMAGED);
}

function packedBytes(file: Buffer, at: number, size: number): Buffer {
  if (at + LOCAL_SIZE > file.length || file.readUInt32LE(at) !== LOCAL) throw new AppError("DOCUMENT_UNREADABLE", DAMAGED);
  const from = at + LOCAL_SIZE + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  if (from + size > file.length) throw new AppError("DOCUMENT_UNREADABLE", DAMAGED);
  return file.subarray(from, from + size);
}
