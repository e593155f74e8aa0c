import { visibleText } from "../../core/visible-text.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { ToolContext } from "../contract.ts";
import { OutsideFailure } from "../outside-failure.ts";
import { plainText } from "../plain-text.ts";
import { readDate } from "./dates.ts";
import type { FoundPage, SearchProvider, WebQuery } from "./providers/provider.ts";

/** What a search found, with the time at which it did. */
export interface WebSearch {
  readonly results: readonly WebResult[];
  readonly retrievedAt: Date;
}

export interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly published?: Date;
}

/** Longest title and snippet, in characters: services give whole pages sometimes. */
const LONGEST_TITLE = 200;
const LONGEST_SNIPPET = 1_500;
/** Longest address that is of use to anybody. */
const LONGEST_ADDRESS = 800;

/**
 * Asks a search service. Its answer is text of strangers: cleaned of markup and hidden characters, and addresses other than of the web are
 * left out.
 * @throws OutsideFailure when the service refuses or gives no answer of its form; AppError of SafeFetch
 */
export async function searchWeb(
  provider: SearchProvider,
  query: WebQuery,
  safeFetch: SafeFetch,
  { tenant, clock, signal }: Pick<ToolContext, "tenant" | "clock" | "signal">,
): Promise<WebSearch> {
  const { url, ...request } = provider.request(query);
  const headers = { accept: "application/json", ...(request.headers as Record<string, string> | undefined) };
  // A key must not follow a redirect, and the address was set by an operator or an admin.
  const response = await safeFetch(url, { ...request, headers, tenant, signal, redirect: "error", configured: true, types });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusal(provider, response);
  }
  let found: readonly FoundPage[];
  try {
    found = provider.read(await response.json());
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Error && "code" in thrown) throw thrown;
    throw new OutsideFailure("SEARCH_FAILED", `${provider.name} gave an answer that is none.`, true);
  }
  const retrievedAt = clock.now();
  return { results: usable(found, retrievedAt).slice(0, query.limit), retrievedAt };
}

const types = ["application/json"];

function refusal({ name, refusal }: SearchProvider, { status, headers }: Response): OutsideFailure {
  const own = refusal?.(status);
  if (own) return new OutsideFailure("SEARCH_REFUSED", `${name} refused: ${own}.`);
  if (status === 401 || status === 403) return new OutsideFailure("SEARCH_REFUSED", `${name} does not accept the key that is set for it.`);
  if (status === 429) {
    const seconds = /^\d{1,5}$/.exec(headers.get("retry-after") ?? "")?.[0];
    return new OutsideFailure("RATE_LIMITED", `${name} was asked too often. Try again ${seconds ? `in ${seconds} s` : "later"}.`, true);
  }
  return new OutsideFailure("SEARCH_FAILED", `${name} answered with status ${status}.`, status >= 500);
}

function usable(found: readonly FoundPage[], now: Date): readonly WebResult[] {
  const seen = new Set<string>();
  return found.flatMap(({ title, url, snippet, date }) => {
    const address = webAddress(url);
    if (!address || seen.has(address)) return [];
    seen.add(address);
    const published = readDate(date, now);
    const named = plainText(title, LONGEST_TITLE);
    // Where there is no snippet the title is all that can be quoted.
    const quoted = plainText(snippet, LONGEST_SNIPPET) || named || address;
    return [{ title: named || new URL(address).hostname, url: address, snippet: quoted, ...(published && { published }) }];
  });
}

function webAddress(raw: string): string | undefined {
  if (!URL.canParse(raw) || raw.length > LONGEST_ADDRESS || visibleText(raw) !== raw) return undefined;
  const url = new URL(raw);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : undefined;
}
