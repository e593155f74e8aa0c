/** A record of a workbook's stream, with the parts that continue it. */
export interface XlsRecord {
  readonly type: number;
  readonly data: Buffer;
  readonly more: readonly Buffer[];
}

const CONTINUE = 0x3c;

/** The records from a place on, up to the end of the sheet or workbook that begins there. A cut stream ends where it is cut. */
export function* recordsFrom(stream: Buffer, start: number): Generator<XlsRecord> {
  let depth = 0;
  for (let at = start; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const data = bodyAt(stream, at);
    at += 4 + stream.readUInt16LE(at + 2);
    const more: Buffer[] = [];
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === CONTINUE) {
      more.push(bodyAt(stream, at));
      at += 4 + stream.readUInt16LE(at + 2);
    }
    if (type === 0x0809) depth++;
    if (type === 0x000a && --depth <= 0) return;
    // A chart in a sheet is a stream of its own between the sheet's records.
    if (depth === 1) yield { type, data, more };
  }
}

const bodyAt = (stream: Buffer, at: number): Buffer => stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));

/** Reads texts that may be torn between a record and those that continue it. */
export class XlsText {
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at = 0;

  constructor({ data, more }: XlsRecord, at = 0) {
    this.#parts = [data, ...more];
    this.#at = at;
  }

  get done(): boolean {
    return this.#part >= this.#parts.length - 1 && this.#at >= (this.#parts.at(-1)?.length ?? 0);
  }

  number(bytes: 1 | 2 | 4): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) value += this.#byte() * 256 ** index;
    return value;
  }

  /** A text with its length before it, in a byte or two. Formatting and phonetic readings behind it are passed over. */
  string(lengthBytes: 1 | 2): string {
    const length = this.number(lengthBytes);
    let flags = this.number(1);
    const runs = flags & 8 ? this.number(2) : 0;
    const extra = flags & 4 ? this.number(4) : 0;
    let text = "";
    for (let left = length; left > 0 && !this.done; ) {
      const part = this.#parts[this.#part];
      if (!part || this.#at >= part.length) {
        // The rest in the next part may be written in the other width.
        this.#part++;
        this.#at = 0;
        flags = (flags & ~1) | (this.number(1) & 1);
        continue;
      }
      const width = flags & 1 ? 2 : 1;
      const take = Math.max(1, Math.min(left, Math.floor((part.length - this.#at) / width)));
      text += part.toString(width === 2 ? "utf16le" : "latin1", this.#at, this.#at + take * width);
      this.#at += take * width;
      left -= take;
    }
    this.#skip(runs * 4 + extra);
    return text;
  }

  #byte(): number {
    for (let part = this.#parts[this.#part]; part; part = this.#parts[this.#part]) {
      const byte = part[this.#at];
      if (byte !== undefined) {
        this.#at++;
        return byte;
      }
      if (this.#part >= this.#parts.length - 1) return 0;
      this.#part++;
      this.#at = 0;
    }
    return 0;
  }

  #skip(bytes: number): void {
    let left = bytes;
    while (left > 0 && !this.done) {
      const part = this.#parts[this.#part] ?? Buffer.alloc(0);
      const step = Math.min(left, part.length - this.#at);
      this.#at += step;
      left -= step;
      if (left === 0 || this.#part >= this.#parts.length - 1) return;
      this.#part++;
      this.#at = 0;
    }
  }
}
