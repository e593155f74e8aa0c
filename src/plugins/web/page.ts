import type { TenantId } from "../../core/ids.ts";
import { visibleText } from "../../core/visible-text.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { ToolContext } from "../contract.ts";
import { OutsideFailure } from "../outside-failure.ts";
import { publishedDate } from "./page-date.ts";

/** Turns the bytes of a page or a file into text, in a process without rights: whoever wrote them is a stranger. */
export interface PageReader {
  /** Throws AppError with the reason when there is nothing to read. */
  extract(
    file: { readonly tenant: TenantId; readonly name: string; readonly bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<ReadDocument>;
}

export interface ReadDocument {
  readonly title: string;
  /** In reading order. The text is Markdown; headings are in the path alone, outermost first. */
  readonly blocks: readonly { readonly text: string; readonly headingPath: readonly string[]; readonly page?: number }[];
}

/** A page of the web as text. */
export interface WebPage {
  /** Where it was found in the end, after redirects. */
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
  /** Where pages of a PDF begin in `markdown`; empty for others. */
  readonly pageStarts: readonly { readonly page: number; readonly at: number }[];
  readonly published?: Date;
  readonly retrievedAt: Date;
}

const endings: Readonly<Record<string, string>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/plain": "txt",
  "text/markdown": "md",
  "application/pdf": "pdf",
};

/** PDF files may be larger than pages, in bytes. */
const LARGEST_PDF = 8 * 1024 * 1024;

/**
 * Fetches a page and reads its main content.
 * @throws OutsideFailure when the site has no such page; AppError of SafeFetch and of the reader
 */
export async function readPage(
  address: string,
  { safeFetch, reader }: { readonly safeFetch: SafeFetch; readonly reader: PageReader },
  { tenant, clock, signal }: Pick<ToolContext, "tenant" | "clock" | "signal">,
): Promise<WebPage> {
  const limits = /\.pdf(?:[?#]|$)/i.test(address) ? { receivedBytes: LARGEST_PDF } : {};
  const headers = { accept: "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8" };
  const response = await safeFetch(address, { tenant, signal, headers, types: Object.keys(endings), limits });
  if (!response.ok) {
    await response.body?.cancel();
    const gone = response.status === 404 || response.status === 410;
    throw new OutsideFailure(
      gone ? "NOT_FOUND" : "PAGE_FAILED",
      `The site answered with status ${response.status}.`,
      response.status >= 500,
    );
  }
  const [type = "", ...parameters] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
  const ending = endings[type.trim()] ?? "html";
  const bytes = asUnicode(new Uint8Array(await response.arrayBuffer()), ending, parameters);
  const retrievedAt = clock.now();
  const { title, blocks } = await reader.extract({ tenant, name: `${nameOf(response.url)}.${ending}`, bytes }, signal);
  const published = ending === "html" ? publishedDate(Buffer.from(bytes).toString("utf8"), retrievedAt) : undefined;
  return { url: response.url, title: visibleText(title), ...written(blocks), retrievedAt, ...(published && { published }) };
}

/** What the server says about letters counts more than what a page says of itself, so such a page is brought into UTF-8 first. */
function asUnicode(bytes: Uint8Array, ending: string, parameters: readonly string[]): Uint8Array {
  const charset = /charset\s*=\s*"?([\w.:-]+)/.exec(parameters.join(";"))?.[1];
  if (!charset || ending === "pdf" || /^utf-?8$/.test(charset)) return bytes;
  try {
    return Buffer.from(`\uFEFF${new TextDecoder(charset).decode(bytes)}`);
  } catch {
    return bytes;
  }
}

/** A title for what has none: the last part of its address. */
function nameOf(address: string): string {
  const { hostname, pathname } = new URL(address);
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last)
      .replace(/\.\w{2,5}$/, "")
      .slice(0, 100);
  } catch {
    return hostname;
  }
}

/** Blocks with their headings, as Markdown. */
function written(blocks: ReadDocument["blocks"]): Pick<WebPage, "markdown" | "pageStarts"> {
  const pageStarts: { page: number; at: number }[] = [];
  const pieces: string[] = [];
  let length = 0;
  let path: readonly string[] = [];
  for (const { text, headingPath, page } of blocks) {
    const same = path.findIndex((heading, depth) => heading !== headingPath[depth]);
    const known = same < 0 ? path.length : same;
    const headings = headingPath.slice(known).map((heading, depth) => `${"#".repeat(Math.min(6, known + depth + 1))} ${heading}`);
    path = headingPath;
    const begin = length === 0 ? 0 : length + 2;
    if (page !== undefined && page !== pageStarts.at(-1)?.page) pageStarts.push({ page, at: begin });
    for (const piece of [...headings, text]) {
      length += (length === 0 ? 0 : 2) + piece.length;
      pieces.push(piece);
    }
  }
  return { markdown: pieces.join("\n\n"), pageStarts };
}
