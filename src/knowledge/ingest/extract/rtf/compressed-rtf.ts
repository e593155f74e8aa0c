/** Text that both sides know before the first byte (MS-OXRTFCP). */
const DICTIONARY =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const COMPRESSED = 0x75465a4c;
const PLAIN = 0x414c454d;
const WINDOW = 4_096;
/** Bytes that a message's text may unpack to. */
const MOST_BYTES = 20 * 1024 * 1024;

/** Rich text as Outlook packs it into messages; undefined when it is something else. */
export function decompressRtf(bytes: Uint8Array): Uint8Array | undefined {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.length < 16) return undefined;
  const kind = packed.readUInt32LE(8);
  if (kind === PLAIN) return packed.subarray(16);
  if (kind !== COMPRESSED) return undefined;
  const size = Math.min(packed.readUInt32LE(4), MOST_BYTES);
  const window = Buffer.alloc(WINDOW, " ");
  let write = window.write(DICTIONARY, "latin1");
  const unpacked = Buffer.alloc(size);
  let length = 0;
  const put = (byte: number): void => {
    window[write] = byte;
    write = (write + 1) % WINDOW;
    if (length < size) unpacked[length++] = byte;
  };
  for (let at = 16; at < packed.length && length < size; ) {
    const flags = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit++) {
      if (!(flags & (1 << bit))) {
        put(packed[at++] ?? 0);
        continue;
      }
      const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const from = reference >> 4;
      if (from === write) return unpacked.subarray(0, length);
      for (let step = 0; step < (reference & 15) + 2; step++) put(window[(from + step) % WINDOW] ?? 0);
    }
  }
  return unpacked.subarray(0, length);
}
