import { AppError } from "../../../../core/errors.ts";

/** The streams inside a compound file, the container of Office files before 2007 and of Outlook messages, by path: "Root/Sub/Name". */
export interface CompoundFile {
  readonly names: readonly string[];
  /** Undefined when there is no such stream. Throws AppError DOCUMENT_UNREADABLE for a damaged one. */
  read(path: string): Uint8Array | undefined;
}

const SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex");
/** Sector numbers from here on mean something else than a sector: the end of a chain, a free sector. */
const FIRST_SPECIAL = 0xfffffffa;
const ENTRY_SIZE = 128;
/** More streams than any message has. */
const MOST_ENTRIES = 20_000;

export const isCompoundFile = (bytes: Uint8Array): boolean => SIGNATURE.equals(bytes.subarray(0, 8));

const damaged = (): AppError => new AppError("DOCUMENT_UNREADABLE", "It is damaged or incomplete. Save or export it anew.");

/** Reads the container's directory. Every chain of sectors is followed no further than the file has sectors, so that a loop ends. */
export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isCompoundFile(bytes) || file.length < 512) throw damaged();
  const shift = file.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw damaged();
  const size = 1 << shift;
  const sectors = Math.ceil(file.length / size);
  const sector = (number: number): Buffer => file.subarray((number + 1) * size, (number + 2) * size);
  const table = allocation(file, sector, size, sectors);

  const chain = (start: number, next: readonly number[], most: number): number[] => {
    const found: number[] = [];
    for (let at = start; at < FIRST_SPECIAL; at = next[at] ?? FIRST_SPECIAL) {
      if (found.length >= most || at >= next.length) throw damaged();
      found.push(at);
    }
    return found;
  };
  const large = (start: number, length?: number): Buffer => {
    const all = Buffer.concat(chain(start, table, sectors).map(sector));
    return length === undefined ? all : all.subarray(0, length);
  };

  const entries = directoryEntries(large(file.readUInt32LE(48)));
  const root = entries[0];
  if (!root) throw damaged();
  const smallest = file.readUInt32LE(56);
  const miniTable = numbers(large(file.readUInt32LE(60)));
  const mini = root.start < FIRST_SPECIAL ? large(root.start, root.size) : Buffer.alloc(0);
  const paths = pathsOf(entries);
  return {
    names: [...paths.keys()],
    read(path) {
      const entry = paths.get(path);
      if (!entry) return undefined;
      if (entry.size === 0) return new Uint8Array();
      if (entry.size > file.length) throw damaged();
      if (entry.size >= smallest) return large(entry.start, entry.size);
      const parts = chain(entry.start, miniTable, miniTable.length).map((number) => mini.subarray(number * 64, number * 64 + 64));
      return Buffer.concat(parts).subarray(0, entry.size);
    },
  };
}

const numbers = (bytes: Buffer): number[] => Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4));

/** Which sector follows which. Where the table lies is stated in the header, and for large files in sectors of their own. */
function allocation(file: Buffer, sector: (number: number) => Buffer, size: number, sectors: number): number[] {
  const places = numbers(file.subarray(76, 512));
  let more = file.readUInt32LE(68);
  for (let count = 0; more < FIRST_SPECIAL && count < sectors; count++) {
    const part = numbers(sector(more));
    places.push(...part.slice(0, size / 4 - 1));
    more = part[size / 4 - 1] ?? FIRST_SPECIAL;
  }
  return places.filter((place) => place < sectors).flatMap((place) => numbers(sector(place)));
}

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

function directoryEntries(bytes: Buffer): Entry[] {
  const count = Math.min(MOST_ENTRIES, Math.floor(bytes.length / ENTRY_SIZE));
  return Array.from({ length: count }, (_, index) => {
    const entry = bytes.subarray(index * ENTRY_SIZE, (index + 1) * ENTRY_SIZE);
    const length = Math.min(64, entry.readUInt16LE(64));
    return {
      name: entry.toString("utf16le", 0, Math.max(0, length - 2)),
      type: entry.readUInt8(66),
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** Folders keep what they hold as a tree of siblings; an entry that is reached twice is not followed again. */
function pathsOf(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const paths = new Map<string, Entry>();
  const seen = new Set<number>([0]);
  const waiting: { readonly index: number; readonly folder: string }[] = [{ index: entries[0]?.child ?? FIRST_SPECIAL, folder: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const entry = entries[next.index];
    if (!entry || seen.has(next.index)) continue;
    seen.add(next.index);
    const path = next.folder + entry.name;
    if (entry.type === 2) paths.set(path, entry);
    if (entry.type === 1) waiting.push({ index: entry.child, folder: `${path}/` });
    waiting.push({ index: entry.left, folder: next.folder }, { index: entry.right, folder: next.folder });
  }
  return paths;
}
