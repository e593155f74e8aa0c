import type { AskReport, IngestSummary, TraceReport } from "../operations.ts";
import { printable } from "./printable.ts";

/** What follows the streamed text: the sources and where to find the trace. */
export function answerForPeople(report: AskReport): string {
  const sources = report.citations.map(
    ({ n, title, page, url }) => `[${n}] ${title}${page ? `, page ${page}` : ""}${url ? `\n    ${url}` : ""}`,
  );
  return printable(`${sources.length > 0 ? `\nSources\n${sources.join("\n")}\n` : ""}\ntrace ${report.traceId}\n`);
}

/** A line a file, then the sum. */
export function ingestForPeople(summary: IngestSummary): string {
  const lines = summary.files.map(
    ({ path, status, passages, reason }) =>
      `${status.padEnd(9)} ${path}${reason ? `: ${reason}` : status === "unchanged" ? "" : ` (${passages} passages)`}`,
  );
  const failed = summary.files.filter(({ status }) => status === "failed").length;
  return `${printable(lines.join("\n"))}\n${summary.files.length} ${summary.files.length === 1 ? "file" : "files"}, ${failed} failed, ${(summary.ms / 1000).toFixed(1)} s\n`;
}

/** The trace as indented JSON under its workspace: complete, and readable enough. */
export function traceForPeople({ workspace, trace }: TraceReport): string {
  return printable(`workspace ${workspace}\n${JSON.stringify(trace, null, 2)}\n`);
}
