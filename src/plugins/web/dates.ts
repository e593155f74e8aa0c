const units = { minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_629_746, year: 31_556_952 } as const;

/**
 * When a page was published, in the forms that search services and pages use: ISO 8601, "Nov 28, 2026", "28 November 2026",
 * "Sat, 28 Nov 2026 10:00:00 GMT", "2 days ago". A time without a zone counts as UTC. Nothing for other words and for the future.
 */
export function readDate(words: string | null | undefined, now: Date): Date | undefined {
  const text = words?.trim() ?? "";
  if (text === "" || text.length > 64) return undefined;
  const [, count, unit] = /^(\d{1,3}|an?) (minute|hour|day|week|month|year)s? ago$/i.exec(text) ?? [];
  if (count && unit) {
    const seconds = (Number.parseInt(count, 10) || 1) * units[unit.toLowerCase() as keyof typeof units];
    return new Date(now.getTime() - seconds * 1_000);
  }
  const date = new Date(withZone(text));
  return date.getTime() <= now.getTime() + DAY_MS && date.getUTCFullYear() >= EARLIEST ? date : undefined;
}

/** Zones differ by less than this. */
const DAY_MS = 86_400_000;
/** There was no web before. */
const EARLIEST = 1990;

function withZone(text: string): string {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (iso) return `${iso[1]}T${iso[2] ?? "00:00"}${iso[3]?.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2") ?? "Z"}`;
  if (/^\p{L}{3,9}\.? \d{1,2},? \d{4}$|^\d{1,2} \p{L}{3,9}\.? \d{4}$/u.test(text)) return `${text} UTC`;
  return /^\p{L}{3}, \d{1,2} \p{L}{3} \d{4} [\d:]{5,8} (?:GMT|UTC|[+-]\d{4})$/u.test(text) ? text : "";
}
