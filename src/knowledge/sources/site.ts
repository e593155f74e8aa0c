import { gunzipSync } from "node:zlib";
import * as robotsParser from "robots-parser";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import { MAX_FILE_BYTES } from "../ingest/files.ts";
import type { ReadItem } from "./document-source.ts";

/** By this name sites can give rules in their robots.txt. */
const ROBOT = "Footnote";
/** Milliseconds between two requests to a site that names no delay. */
const POLITE_MS = 200;
/** A site that asks for longer delays is asked once in so many milliseconds. */
const LONGEST_DELAY_MS = 30_000;
const PAGE_MS = 60_000;
/** Characters of a robots.txt that count; RFC 9309 asks for as many. Every address is held against every rule. */
const MOST_RULES = 500 * 1024;

interface Rules {
  isAllowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
  getSitemaps(): string[];
}
/** The package is CommonJS, but is typed as if it were a module. */
const readRules = robotsParser.default as unknown as (url: string, text: string) => Rules;

export interface SiteParts {
  readonly fetch: SafeFetch;
  readonly clock: Clock;
}

/** A page as the site gave it. */
export interface FetchedPage {
  readonly bytes: Uint8Array;
  /** Media type without parameters. */
  readonly type: string;
  /** Where it was found in the end. */
  readonly url: string;
  /** By what the next request can ask whether it changed. */
  readonly version?: string;
}

/** One web site, asked politely: what its robots.txt forbids is not asked for, and requests come one after another with a delay. */
export class Site {
  readonly origin: string;
  readonly #parts: SiteParts;
  #robots: Rules | undefined;
  #next = 0;

  constructor(origin: string, parts: SiteParts) {
    this.origin = origin;
    this.#parts = parts;
  }

  /** Reads the site's rules. @throws AppError SOURCE_UNREACHABLE when it cannot be known what the rules are */
  async open(signal: AbortSignal): Promise<void> {
    const address = `${this.origin}/robots.txt`;
    const response = await this.#get(address, {}, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new AppError("SOURCE_UNREACHABLE", cause instanceof AppError ? cause.message : "The site does not answer.", { cause });
    });
    const text = response.ok ? await response.text() : await discard(response, "");
    // A site that is in trouble may have rules that it cannot tell now (RFC 9309, 2.3.1.4).
    if (response.status >= 500) throw new AppError("SOURCE_UNREACHABLE", `The site answers with ${response.status}.`);
    this.#robots = readRules(address, text.slice(0, MOST_RULES));
  }

  /** Sitemaps that the site's rules name. */
  sitemaps(): readonly string[] {
    return this.#robots?.getSitemaps() ?? [];
  }

  allows(url: string): boolean {
    return this.#robots?.isAllowed(url, ROBOT) !== false;
  }

  /** A page, or undefined when there is none. @throws AppError with a reason for people */
  async page(url: string, signal: AbortSignal): Promise<FetchedPage | undefined> {
    const response = await this.#get(url, {}, signal);
    await this.#own(response);
    return isGone(response) ? discard(response, undefined) : fetched(response);
  }

  /** A page unless it is still the `known` version. */
  async read(url: string, known: string | undefined, signal: AbortSignal): Promise<ReadItem> {
    const response = await this.#get(url, conditions(known), signal);
    await this.#own(response);
    if (response.status === 304) return discard(response, { status: "unchanged" });
    if (isGone(response)) return discard(response, { status: "gone" });
    const { bytes, version } = await fetched(response);
    return { status: "read", bytes, ...(version !== undefined && { version }) };
  }

  /** The text of a sitemap, unpacked where it is packed; undefined when there is none. */
  async text(url: string, signal: AbortSignal): Promise<string | undefined> {
    const page = await this.page(url, signal);
    if (!page) return undefined;
    const packed = page.bytes[0] === 0x1f && page.bytes[1] === 0x8b;
    return Buffer.from(packed ? gunzipSync(page.bytes, { maxOutputLength: MAX_FILE_BYTES }) : page.bytes).toString("utf8");
  }

  /** What another site says is not this source's, nor that something is gone. */
  async #own(response: Response): Promise<void> {
    if (new URL(response.url).origin !== this.origin)
      throw await discard(response, new AppError("DOCUMENT_UNREADABLE", "It leads to another site."));
  }

  async #get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { clock, fetch: safeFetch } = this.#parts;
    const wait = this.#next - clock.monotonic();
    if (wait > 0) await clock.sleep(wait, signal);
    const asked = (this.#robots?.getCrawlDelay(ROBOT) ?? 0) * 1_000;
    this.#next = clock.monotonic() + Math.min(LONGEST_DELAY_MS, Math.max(POLITE_MS, asked));
    return safeFetch(url, {
      headers: { "user-agent": ROBOT, ...headers },
      signal,
      // The operator named this site, so that it may be one of the own network.
      configured: true,
      limits: { totalMs: PAGE_MS, bytes: MAX_FILE_BYTES, receivedBytes: MAX_FILE_BYTES },
    });
  }
}

const isGone = ({ status }: Response): boolean => status === 404 || status === 410;

async function discard<T>(response: Response, value: T): Promise<T> {
  await response.body?.cancel();
  return value;
}

async function fetched(response: Response): Promise<FetchedPage> {
  if (!response.ok) throw await discard(response, new AppError("DOCUMENT_UNREADABLE", `The site answers with ${response.status}.`));
  const etag = response.headers.get("etag");
  const modified = response.headers.get("last-modified");
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    type: response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "",
    url: response.url,
    ...((etag || modified) && { version: JSON.stringify({ etag, modified }) }),
  };
}

function conditions(known: string | undefined): Record<string, string> {
  if (known === undefined) return {};
  const { etag, modified } = JSON.parse(known) as { readonly etag: string | null; readonly modified: string | null };
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}
