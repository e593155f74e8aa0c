/** A record of a presentation's stream. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly data: Buffer;
}

const [WIDE_TEXT, NARROW_TEXT] = [0x0fa0, 0x0fa8];
/** Records in records; deeper is not a presentation that a program wrote. */
const DEEPEST = 50;

/** The records that lie side by side, up to where the data are cut or make no sense. */
export function* recordsIn(data: Buffer): Generator<PptRecord> {
  for (let at = 0; at + 8 <= data.length; ) {
    const length = data.readUInt32LE(at + 4);
    yield { type: data.readUInt16LE(at + 2), instance: data.readUInt16LE(at) >> 4, data: data.subarray(at + 8, at + 8 + length) };
    at += 8 + length;
  }
}

/** Every text in a record and in those inside it, in order; a paragraph's end is a line's. */
export function textsIn(record: PptRecord, depth = 0): string[] {
  if (record.type === WIDE_TEXT) return [lines(record.data.toString("utf16le"))];
  if (record.type === NARROW_TEXT) return [lines(record.data.toString("latin1"))];
  if (!isContainer(record) || depth > DEEPEST) return [];
  return [...recordsIn(record.data)].flatMap((each) => textsIn(each, depth + 1));
}

/** Containers that hold a slide's texts: the slide, its notes, its drawing with groups and shapes, and a shape's text. */
const CONTAINERS: ReadonlySet<number> = new Set([0x03ee, 0x03f0, 0x040c, 0xf002, 0xf003, 0xf004, 0xf00d]);

const isContainer = ({ type }: PptRecord): boolean => CONTAINERS.has(type);

const lines = (text: string): string => text.replace(/[\r\v]/g, "\n").trim();
