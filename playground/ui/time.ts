/** A message's ts (seconds since 1970) as a date. */
const dateOf = (ts: string): Date => new Date(Number(ts) * 1000);

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });

export const clockTime = (ts: string): string => clock.format(dateOf(ts));
export const fullTime = (ts: string): string => full.format(dateOf(ts));
export const dayOf = (ts: string): string => day.format(dateOf(ts));
export const isoTime = (ts: string): string => dateOf(ts).toISOString();
