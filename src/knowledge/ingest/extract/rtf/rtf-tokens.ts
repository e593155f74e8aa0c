/** A piece of rich text: the beginning or end of a group, a control word with its number, bytes of text. */
export type RtfToken =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "word"; readonly word: string; readonly value: number | undefined }
  | { readonly type: "byte"; readonly byte: number };

const [OPEN, CLOSE, BACKSLASH] = [0x7b, 0x7d, 0x5c];

/** Cuts rich text into its pieces, in time that grows with its length. Embedded binary data are passed over. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at++] ?? 0;
    if (byte === OPEN) yield { type: "open" };
    else if (byte === CLOSE) yield { type: "close" };
    else if (byte === 10 || byte === 13 || byte === 0) continue;
    else if (byte !== BACKSLASH) yield { type: "byte", byte };
    else {
      const next = bytes[at] ?? 0;
      if (!isLetter(next)) {
        at++;
        if (next === 0x27) {
          const code = Number.parseInt(String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0), 16);
          at += 2;
          if (Number.isInteger(code)) yield { type: "byte", byte: code };
        } else if (next === 10 || next === 13) yield { type: "word", word: "par", value: undefined };
        else yield { type: "word", word: String.fromCharCode(next), value: undefined };
        continue;
      }
      const start = at;
      while (at < bytes.length && at - start < 32 && isLetter(bytes[at] ?? 0)) at++;
      const word = Buffer.from(bytes.subarray(start, at)).toString("latin1");
      const numberStart = at;
      if (bytes[at] === 0x2d) at++;
      while (at < bytes.length && at - numberStart < 11 && isDigit(bytes[at] ?? 0)) at++;
      const digits = Buffer.from(bytes.subarray(numberStart, at)).toString("latin1");
      const value = /\d/.test(digits) ? Number(digits) : undefined;
      if (bytes[at] === 0x20) at++;
      if (word === "bin") at += Math.max(0, value ?? 0);
      else yield { type: "word", word, value };
    }
  }
}

const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
