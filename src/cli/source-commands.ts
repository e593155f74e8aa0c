import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { SourceReport, SourceRunReport } from "../operations.ts";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";

/** Shortest time between two runs, in minutes. */
const SHORTEST = 5;

interface AddOptions {
  readonly workspace: string;
  readonly name: string;
  readonly channel?: string;
  readonly person?: string;
  readonly every?: number;
  readonly git?: boolean;
  readonly json?: boolean;
}

/** What these commands need beside the usual. */
export interface SourceCommandParts extends CommandParts {
  /** Folder that relative paths are meant from. */
  readonly callerFolder: string;
  readonly signal: AbortSignal;
  /** Something did not work out as asked: the command line ends with 1. */
  onFailed(): void;
}

/** `footnote source add|list|sync|remove`: folders, websites, Git repositories and channels' files that documents are kept current from. */
export function addSourceCommands(program: Command, parts: SourceCommandParts): void {
  const { out, using, printJson, callerFolder, signal, onFailed } = parts;
  const source = program
    .command("source")
    .description("keep documents current from folders, websites, Git repositories and channels of Slack");
  source
    .command("add")
    .description("name a folder, a website (or its sitemap), a Git repository or a channel whose documents are read and kept current")
    .argument(
      "<address>",
      "path of a folder, a web address, a Git repository's (https://host/handbook.git#branch:folder), or a channel of Slack (slack:people-ops)",
    )
    .requiredOption("--workspace <name>", "the workspace")
    .requiredOption("--name <name>", "what it is called in lists")
    .addOption(new Option("--channel <name>", "only readers of this channel may see its documents").conflicts("person"))
    .addOption(new Option("--person <name>", "only this person may see its documents"))
    .option("--git", "the address is a Git repository's; known by itself where it ends in .git")
    .option("--every <time>", "how often it is read again, e.g. 30m, 6h, 1d; without this, only when asked", minutes)
    .option("--json", "print one JSON object")
    .action((address: string, { json, every, git, ...rest }: AddOptions) =>
      using(async (operations) => {
        const isWeb = /^https?:\/\//i.test(address);
        const channel = /^(?:slack:#?|#)(.+)$/s.exec(address)?.[1];
        const isGit = git === true || /^file:\/\//i.test(address) || (isWeb && /\.git\/?(?:#|$)/.test(address));
        const added = await operations.addSource({
          ...rest,
          ...(channel !== undefined
            ? { kind: "slack", address: channel }
            : {
                kind: isGit ? "git" : isWeb ? "website" : "folder",
                address: isGit || isWeb ? address : resolve(callerFolder, address),
              }),
          ...(every !== undefined && { everyMinutes: every }),
        });
        if (json) return printJson(added);
        out.write(printable(`Added ${added.name}. Read it now: footnote source sync ${added.name} --workspace ${rest.workspace}\n`));
      }),
    );
  source
    .command("list")
    .description("list sources with their last run")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action(({ json, workspace }: { workspace: string; json?: boolean }) =>
      using(async (operations) => {
        const sources = await operations.sources(workspace);
        if (json) return printJson({ sources });
        out.write(printable(sources.length > 0 ? sources.map(listed).join("") : "No sources yet. Name one: footnote source add\n"));
      }),
    );
  source
    .command("sync")
    .description("read a source now: what is new is added, what changed is replaced, what is gone is removed")
    .argument("<name>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--remove-many", "remove what is gone, also when that is most of it")
    .option("--json", "print one JSON object")
    .action((name: string, { json, ...options }: { workspace: string; removeMany?: boolean; json?: boolean }) =>
      using(async (operations) => {
        const report = await operations.syncSource({ name, ...options }, signal);
        if (report.status === "failed") onFailed();
        if (json) return printJson(report);
        out.write(printable(`${outcome(report)}\n`));
      }),
    );
  source
    .command("remove")
    .description("forget a source and remove its documents")
    .argument("<name>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action((name: string, { json, workspace }: { workspace: string; json?: boolean }) =>
      using(async (operations) => {
        const removed = await operations.removeSource({ workspace, name });
        if (json) return printJson(removed);
        out.write(printable(`Removed ${removed.name} and ${removed.documents} documents.\n`));
      }),
    );
}

/** "30m", "6h" or "1d" in minutes. */
function minutes(text: string): number {
  const [, count, unit] = /^(\d{1,4})\s*([mhd])$/i.exec(text.trim()) ?? [];
  const factor = { m: 1, h: 60, d: 24 * 60 }[unit?.toLowerCase() ?? ""];
  if (count === undefined || factor === undefined) throw new InvalidArgumentError("Write it as 30m, 6h or 1d.");
  if (Number(count) * factor < SHORTEST) throw new InvalidArgumentError(`The shortest time is ${SHORTEST}m.`);
  return Number(count) * factor;
}

function listed({ name, kind, address, everyMinutes, documents, failures, lastRun }: SourceReport): string {
  const when = everyMinutes === null ? "when asked" : `every ${span(everyMinutes)}`;
  const lines = [
    `${name}  ${kind}  ${address}  ${documents} documents  ${when}`,
    lastRun ? `  ${lastRun.startedAt.slice(0, 16).replace("T", " ")} UTC: ${outcome(lastRun)}` : "  not read yet",
    ...failures.map(({ item, reason }) => `  not read: ${item}: ${reason}`),
  ];
  return `${lines.join("\n")}\n`;
}

function outcome(report: SourceRunReport): string {
  const counts = (["added", "changed", "moved", "removed", "unchanged", "failed"] as const)
    .filter((name) => report[name] > 0)
    .map((name) => `${report[name]} ${name}`);
  const sum = report.status === "failed" ? "failed" : counts.join(", ") || "nothing there";
  return [`${sum} (${(report.ms / 1000).toFixed(1)} s)`, ...report.notes].join("\n  ");
}

/** Minutes as somebody would type them: 30m, 6h, 1d. */
const span = (minutes: number): string =>
  minutes % 1_440 === 0 ? `${minutes / 1_440}d` : minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
