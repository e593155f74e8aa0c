import type { SafeRequest } from "../../../safe-fetch/port.ts";

/** What is looked for on the web. */
export interface WebQuery {
  readonly words: string;
  /** Most results wanted: 1 to 10. */
  readonly limit: number;
  /** Only what was published within this time. */
  readonly within?: Period;
}

export type Period = "day" | "week" | "month" | "year";

/** One result as a service gives it: text of strangers, not cleaned yet. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  /** In any form that `readDate` understands. */
  readonly date?: string | null | undefined;
}

/** A search service: how it is asked and how its answer is read. Sends nothing itself. */
export interface SearchProvider {
  /** The service's name for people. */
  readonly name: string;
  request(query: WebQuery): SearchRequest;
  /** Reads the body of a successful answer. Results of another form are left out. Throws when the body is no answer of this service. */
  read(body: unknown): readonly FoundPage[];
  /** Why it refused, where the service has reasons of its own for a status. */
  refusal?(status: number): string | undefined;
}

export interface SearchRequest extends Pick<SafeRequest, "method" | "headers" | "body"> {
  readonly url: URL;
}

/** The address with parameters; those that are undefined are left out. */
export function withParameters(address: string, parameters: Readonly<Record<string, string | number | undefined>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}
