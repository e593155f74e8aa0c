import type { Source, ToolResult } from "../contract.ts";
import { failure } from "../define.ts";
import { cleanText, shortText } from "./clean-text.ts";

/** Parts of a result that are read; a server that sends more is cut. */
const MOST_PARTS = 500;
/** Sources of one result. */
const MOST_SOURCES = 20;
/** Characters of a resource that are quoted as a source. */
const LONGEST_PASSAGE = 2_000;

/** What a server sent back, as far as it is read. All of it is untrusted. */
export interface RawResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

interface Read {
  readonly text: string;
  readonly source?: Source;
}

/**
 * A server's result for the model and for people: text as it is, the text of resources with their address as a source, what is no text
 * as a short note. No base64 gets through, and never more than `limit` characters.
 */
export function resultOf(raw: RawResult, limit: number): ToolResult {
  const parts = Array.isArray(raw.content) ? raw.content : [];
  const read = parts.slice(0, MOST_PARTS).map((part) => readPart(part));
  if (parts.length > MOST_PARTS) read.push({ text: `[cut here: ${parts.length - MOST_PARTS} more parts]` });
  const said = read.some(({ text }) => text !== "");
  if (!said && raw.structuredContent !== undefined) read.push({ text: cleanText(JSON.stringify(raw.structuredContent) ?? "") });
  const whole = read
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n");
  const content = whole.length > limit ? `${shortText(whole, limit)}\n[cut here: ${whole.length - limit} more characters]` : whole;
  if (raw.isError === true) return failure("TOOL_ERROR", content || "The server reports an error without a reason.");
  const sources = read.flatMap(({ source }) => source ?? []).slice(0, MOST_SOURCES);
  return {
    type: read.some(({ source }) => source) ? "resource" : "text",
    content: content || "The call succeeded and gave nothing back.",
    metadata: { ...(sources.length > 0 && { sources }) },
    status: "success",
  };
}

function readPart(part: unknown): Read {
  if (typeof part !== "object" || part === null) return { text: "" };
  const { type, text, mimeType, data, resource, uri, name, description, annotations } = part as Readonly<Record<string, unknown>>;
  switch (type) {
    case "text":
      return { text: typeof text === "string" ? cleanText(text) : "" };
    case "image":
    case "audio":
      return { text: note(type, mimeType, data) };
    case "resource":
      return readResource(resource, record(annotations));
    case "resource_link":
      return {
        text: `[a resource that can be read: ${shortText(said(name) || said(uri), 200)} ${shortText(said(uri), 500)}${description ? `, ${shortText(said(description), 500)}` : ""}]`,
      };
    default:
      return { text: typeof type === "string" ? `[a part of the kind ${shortText(type, 40)}, which is not shown]` : "" };
  }
}

function readResource(resource: unknown, { priority, lastModified }: Readonly<Record<string, unknown>>): Read {
  if (typeof resource !== "object" || resource === null) return { text: "" };
  const { uri, text, blob, mimeType, title, name, _meta } = resource as Readonly<Record<string, unknown>>;
  const named = said(title) || said(name) || said(record(_meta).title);
  const address = shortText(said(uri), 500);
  if (typeof text !== "string") return { text: `${note("file", mimeType, blob)} ${address}`.trim() };
  const clean = cleanText(text);
  if (address === "") return { text: clean };
  const url = /^https?:\/\//i.test(address) ? { url: address } : {};
  const source: Source = {
    id: address,
    title: shortText(named || address, 200),
    ...url,
    passage: shortText(clean, LONGEST_PASSAGE),
    relevance: typeof priority === "number" && priority >= 0 && priority <= 1 ? priority : 1,
    ...(isMoment(lastModified) && { timestamp: lastModified }),
  };
  return { text: `${address}:\n${clean}`, source };
}

/** Says that there is something, without it. */
function note(kind: string, mimeType: unknown, data: unknown): string {
  const bytes = typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0;
  return `[${kind === "file" ? "a file" : `an ${kind}`}, ${shortText(said(mimeType) || "unknown type", 80)}, ${Math.ceil(bytes / 1024)} KiB, not shown]`;
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}(T[\d:.]{5,15}(Z|[+-]\d{2}:\d{2})?)?$/.test(value);

const said = (value: unknown): string => (typeof value === "string" ? value : "");
