import { createHash } from "node:crypto";

/** A file of vectors is a row of records: a SHA-256 that says whose vector it is, then the vector's 32-bit numbers. */
const KEY_BYTES = 32;

/** The key of a vector, in hexadecimal, from all that decides what it is. */
export const vectorKey = (...parts: readonly string[]): string => createHash("sha256").update(parts.join("\n")).digest("hex");

export const recordBytes = (dimensions: number): number => KEY_BYTES + dimensions * Float32Array.BYTES_PER_ELEMENT;

export const vectorRecord = (key: string, vector: Float32Array): Buffer =>
  Buffer.concat([Buffer.from(key, "hex"), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]);

/** The vectors of a file by their keys; a record that is cut short at its end is left out. */
export function readVectors(bytes: Buffer, dimensions: number): Map<string, Float32Array> {
  const size = recordBytes(dimensions);
  const found = new Map<string, Float32Array>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    // A copy: in the file a vector need not begin where a number may.
    const vector = new Float32Array(Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + size)).buffer);
    found.set(bytes.toString("hex", at, at + KEY_BYTES), vector);
  }
  return found;
}
