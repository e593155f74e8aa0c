import type { Source, Tool, ToolResult } from "../../plugins/contract.ts";
import type { HostedPart, HostedResult, HostedTool } from "./hosted-tools.ts";

/** A tool of ours as a server offers it. */
export const hostedTool = ({ name, description, parameters, annotations }: Tool): HostedTool => ({
  name,
  ...(annotations?.title !== undefined && { title: annotations.title }),
  description,
  inputSchema: parameters,
  annotations: {
    readOnlyHint: annotations?.readOnly === true,
    ...(annotations?.destructive !== undefined && { destructiveHint: annotations.destructive }),
    openWorldHint: annotations?.openWorld === true,
  },
});

/**
 * A result of ours in the protocol's form: its text, then every source as a resource of its own.
 * @param addressOf where a source can be opened by whoever calls
 */
export function hostedResult(result: ToolResult, addressOf: (source: Source) => string): HostedResult {
  const sources = result.metadata.sources ?? [];
  const content: HostedPart[] = [
    { type: "text", text: result.content },
    ...sources.map((source) => hostedSource(source, addressOf(source))),
  ];
  return { content, ...(result.status !== "success" && { isError: true }) };
}

/** The one line by which people see a source arrive. */
export const sourceLine = ({ title, url, documentId }: Source): string =>
  documentId === undefined && url !== undefined ? `${title} (${url})` : title;

function hostedSource({ title, passage, page, pageName, heading, timestamp, relevance }: Source, uri: string): HostedPart {
  const where = [pageName ?? (page === undefined ? undefined : `page ${page}`), heading].filter(Boolean).join(", ");
  const text = [where === "" ? title : `${title}, ${where}`, timestamp === undefined ? "" : `Of ${timestamp}`, passage]
    .filter((line) => line !== "")
    .join("\n");
  return {
    type: "resource",
    resource: { uri, mimeType: "text/plain", text, _meta: { title } },
    annotations: { priority: Math.min(1, Math.max(0, relevance)), ...(timestamp !== undefined && { lastModified: timestamp }) },
  };
}
