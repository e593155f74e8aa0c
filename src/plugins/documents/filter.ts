import { type DocumentFilter, type DocumentFormat, documentFormats } from "../../knowledge/library.ts";

/** Parameters of both searches that narrow them to some documents. */
export interface FilterParams {
  readonly source?: string;
  readonly type?: DocumentFormat;
  /** Days as ISO 8601 writes them, the last one included; days are those of Greenwich. */
  readonly from?: string;
  readonly to?: string;
  readonly person?: string;
}

const DAY_MS = 86_400_000;
const day = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };

/** Their schema. */
export const filterParameters = {
  source: { type: "string", minLength: 1, maxLength: 300, description: "Only documents whose path or web address contains this." },
  type: { type: "string", enum: [...documentFormats], description: "Only documents of this format." },
  from: { ...day, description: "Only documents added or changed on this day or later, e.g. 2026-03-01." },
  to: { ...day, description: "Only documents added or changed on this day or earlier." },
  person: { type: "string", minLength: 1, maxLength: 200, description: "Only documents by whoever has this in their name." },
};

/** What the library takes; undefined when a day is none of the calendar's. Empty when nothing narrows the search. */
export function filterOf({ source, type, from, to, person }: FilterParams): { readonly filter?: DocumentFilter } | undefined {
  const [first, last] = [dayOf(from), dayOf(to)];
  if ((from !== undefined && !first) || (to !== undefined && !last)) return undefined;
  const filter: DocumentFilter = {
    ...(source !== undefined && { source }),
    ...(type !== undefined && { formats: [type] }),
    ...(first && { from: first }),
    ...(last && { before: new Date(last.getTime() + DAY_MS) }),
    ...(person !== undefined && { person }),
  };
  return Object.keys(filter).length === 0 ? {} : { filter };
}

/** Undefined for the thirtieth of February too, which JavaScript takes for the second of March. */
function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : undefined;
}
