import { attribute, child, elements } from "../containers/xml.ts";
import type { ZipArchive } from "../containers/zip.ts";
import { readTree } from "./ooxml.ts";

/** The code of a number's format by the number of a cell's style. */
export type NumberFormats = readonly string[];

/** Codes that every program knows by number and no file spells out. */
const KNOWN: Readonly<Record<number, string>> = {
  9: "0%",
  10: "0.00%",
  14: "yyyy-mm-dd",
  15: "yyyy-mm-dd",
  16: "yyyy-mm-dd",
  17: "yyyy-mm",
  18: "h:mm",
  19: "h:mm:ss",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  45: "h:mm:ss",
  46: "[h]:mm:ss",
  47: "h:mm:ss",
};

/** The formats of a workbook's cell styles. */
export async function readNumberFormats(archive: ZipArchive, part: string): Promise<NumberFormats> {
  const styles = await readTree(archive, part);
  const own = new Map(
    elements(child(styles, "numFmts"), "numFmt").map((each) => [Number(attribute(each, "numFmtId")), attribute(each, "formatCode") ?? ""]),
  );
  return elements(child(styles, "cellXfs"), "xf").map((each) => {
    const id = Number(attribute(each, "numFmtId") ?? 0);
    return own.get(id) ?? formatById(id);
  });
}

/** A format's code by its number alone. */
export const formatById = (id: number): string => KNOWN[id] ?? "";

/**
 * A number as people read it: dates in ISO 8601, shares in per cent, everything else in full and without grouping, so that it is found by its
 * digits. What is no number stays as it is.
 */
export function shownNumber(written: string, code: string, since1904: boolean): string {
  const value = Number(written);
  if (written === "" || !Number.isFinite(value)) return written;
  const plain = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./gi, "").split(";")[0] ?? "";
  if (/[ymdhs]/i.test(plain) && !/general/i.test(plain)) return shownDate(value, plain, since1904);
  if (plain.includes("%")) return `${digits(value * 100)}%`;
  return digits(value);
}

/** Without the last digits of binary fractions: 0.1 + 0.2 is 0.3. */
const digits = (value: number): string => String(Number(value.toPrecision(15)));

const DAY_MS = 86_400_000;
/** 1899-12-30, from which Excel counts days as if 1900 had been a leap year. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

function shownDate(days: number, plain: string, since1904: boolean): string {
  const at = Math.round(((since1904 ? EPOCH_1904 : EPOCH_1900) + days * DAY_MS) / 1000) * 1000;
  if (/\[h/i.test(plain)) return `${Math.floor(days * 24)}:${String(Math.round(days * 1440) % 60).padStart(2, "0")}`;
  // Beyond these years it is a number in the wrong format.
  if (days < 0 || days > 2_958_465) return digits(days);
  const [date = "", time = ""] = new Date(at).toISOString().split(/[T.]/);
  const hasDate = /[yd]/i.test(plain);
  const hasTime = /[hs]/i.test(plain);
  return [hasDate ? date : "", hasTime ? time.replace(/:00$/, "") : ""].filter(Boolean).join(" ") || date;
}
