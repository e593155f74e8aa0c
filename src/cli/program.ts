import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Config } from "../config.ts";
import type { Check } from "../core/check.ts";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { EvaluationReport, EvaluationRequest, IngestProgress, Operations } from "../operations.ts";
import { addAssistantCommands } from "./assistant-commands.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addEvalCommand } from "./eval-command.ts";
import { addExternalCommands } from "./external-commands.ts";
import { addFeedbackCommand } from "./feedback-command.ts";
import { addKeyCommands } from "./key-command.ts";
import { addKnowledgeCommands } from "./knowledge-commands.ts";
import { addManifestCommand } from "./manifest-command.ts";
import { addMcpServing, type McpServing } from "./mcp-serving.ts";
import { answerForPeople, ingestForPeople, traceForPeople } from "./print.ts";
import { printable } from "./printable.ts";
import { addServerCommands } from "./server-commands.ts";
import { addSourceCommands } from "./source-commands.ts";
import { type Output, TerminalSink } from "./terminal-sink.ts";

/** What the command line needs from the program around it. */
export interface CommandLineParts {
  readonly config: Pick<Config, "callerFolder">;
  readonly out: Output;
  readonly side: Output;
  readonly signal: AbortSignal;
  /** Operations of the running program, or of one opened for this command. `close` ends the latter. */
  connect(): Promise<{ operations: Operations; close(): Promise<void> }>;
  start(): Promise<void>;
  migrate(): Promise<void>;
  /** Looks at everything, also when nothing works; never throws. */
  doctor(): Promise<readonly Check[]>;
  /** Offers tools to other programs, until they or the operator end it. Without it there is no such command. */
  serveMcp?(serving: McpServing): Promise<void>;
  /** The text of manifest.yml. */
  manifest(): Promise<string>;
  /** Fetches an embedding model into the data folder; gives its name. Without it there is no such command. */
  installModel?(request: { readonly model: string; readonly from?: string }, onProgress: (line: string) => void): Promise<string>;
  /** Measures the search on judged sets, away from every workspace. Without it there is no such command. */
  evaluate?(request: EvaluationRequest, onProgress: (line: string) => void): Promise<readonly EvaluationReport[]>;
}

/**
 * The commands of `footnote`. With --json a command prints exactly one JSON object on standard output; everything else goes to
 * standard error. Sets `exitCode` 1 when an answer or a file failed.
 */
export function commandLine(parts: CommandLineParts): { run(argv: readonly string[]): Promise<number> } {
  const { config, out, side, signal } = parts;
  let exitCode = 0;

  const using = async (work: (operations: Operations) => Promise<void>) => {
    const { operations, close } = await parts.connect();
    try {
      await work(operations);
    } finally {
      await close();
    }
  };
  const printJson = (value: unknown) => out.write(`${JSON.stringify(value)}\n`);

  const program = new Command("footnote")
    .description("A teammate for Slack that answers with sources.")
    // An option counts for the command that it stands behind: `mcp` and what stands below it have some of the same name.
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => side.write(text) })
    .exitOverride();

  program
    .command("start")
    .description("run the bot; without a Slack app it opens the playground, a Slack in your browser")
    .action(() => parts.start());

  program
    .command("ask")
    .description("ask a question as one of the workspace's people")
    .argument("<question>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--channel <name>", "the channel the answer is for; without it, the person's direct message")
    .requiredOption("--as <person>", "who asks: the answer draws on what this person and this place may see")
    .option("--json", "print one JSON object")
    .action(async (question: string, options: { workspace: string; channel?: string; as: string; json?: boolean }) =>
      using(async (operations) => {
        const { json, ...rest } = options;
        const sink = json ? { write: () => {} } : new TerminalSink(out, side);
        const report = await operations.ask({ question, ...rest }, sink, signal);
        if (json) printJson(report);
        else out.write(answerForPeople(report));
        if (report.status === "error") exitCode = 1;
      }),
    );

  program
    .command("ingest")
    .description("read files or folders into a workspace's documents (every format in docs/formats.md)")
    .argument("<paths...>")
    .requiredOption("--workspace <name>", "the workspace")
    .addOption(new Option("--channel <name>", "only readers of this channel may see them").conflicts("person"))
    .addOption(new Option("--person <name>", "only this person may see them"))
    .option("--json", "print one JSON object")
    .action(async (paths: string[], options: { workspace: string; channel?: string; person?: string; json?: boolean }) =>
      using(async (operations) => {
        const { json, ...rest } = options;
        const absolute = paths.map((path) => resolve(config.callerFolder, path));
        const progress = json || !side.isTTY ? () => {} : (step: IngestProgress) => side.write(progressBar(step));
        const summary = await operations.ingest({ paths: absolute, ...rest }, progress, signal);
        if (json) printJson(summary);
        else out.write(ingestForPeople(summary));
        if (summary.files.some((file) => file.status === "failed")) exitCode = 1;
      }),
    );

  program
    .command("trace")
    .description("show how an answer came to be: every model call and tool call")
    .argument("<id>", "the trace id shown below the answer")
    .option("--json", "print one JSON object")
    .action(async (id: string, options: { json?: boolean }) =>
      using(async (operations) => {
        const report = await operations.trace(id);
        if (options.json) printJson(report);
        else out.write(traceForPeople(report));
      }),
    );

  const workspace = program.command("workspace").description("list and add Slack workspaces");
  workspace
    .command("list")
    .option("--json", "print one JSON object")
    .action(async (options: { json?: boolean }) =>
      using(async (operations) => {
        const workspaces = await operations.workspaces();
        if (options.json) printJson({ workspaces });
        else for (const { name, slackTeamId, status } of workspaces) out.write(printable(`${name}  ${slackTeamId}  ${status}\n`));
      }),
    );
  workspace
    .command("add")
    .description("add a workspace by its bot token, which is read from standard input or a file and kept sealed")
    .option("--name <name>", "what the command line calls it; Slack's name without this")
    .option("--token-file <path>", "file that holds the bot token; standard input without this")
    .option("--json", "print one JSON object")
    .action(async (options: { name?: string; tokenFile?: string; json?: boolean }) => {
      const botToken = await readToken(options.tokenFile && resolve(config.callerFolder, options.tokenFile));
      await using(async (operations) => {
        const added = await operations.addWorkspace({ ...(options.name && { name: options.name }), botToken });
        if (options.json) printJson(added);
        else out.write(`Added ${added.name} (${added.slackTeamId}).\n`);
      });
    });

  workspace
    .command("remove")
    .description("end a workspace's answers, destroy its tokens and delete everything it has: documents, memory, traces, settings")
    .argument("<name>", "as `workspace list` shows it, or Slack's id")
    .option("--yes", "really do it: nothing of it can be brought back")
    .option("--json", "print one JSON object")
    .action(async (name: string, options: { yes?: boolean; json?: boolean }) =>
      using(async (operations) => {
        if (!options.yes)
          throw new AppError("CONFIG_INVALID", "This deletes everything the workspace has, for good. Repeat it with --yes.");
        await operations.removeWorkspace(name);
        if (options.json) printJson({ removed: name });
        else out.write(printable(`Removed ${name}.\n`));
      }),
    );

  const onFailed = () => {
    exitCode = 1;
  };
  addDoctorCommand(program, { out, printJson, doctor: parts.doctor, onFailed });
  addFeedbackCommand(program, { out, using, printJson });
  if (parts.evaluate)
    addEvalCommand(program, { out, side, callerFolder: config.callerFolder, printJson, evaluate: parts.evaluate.bind(parts) });
  addKeyCommands(program, { out, using, printJson });
  const installModel = parts.installModel?.bind(parts);
  addKnowledgeCommands(program, { out, side, using, printJson, clock: systemClock, signal, ...(installModel && { installModel }) });
  addManifestCommand(program, { out, printJson, manifest: parts.manifest });
  addSourceCommands(program, { out, using, printJson, callerFolder: config.callerFolder, signal, onFailed });
  const mcp = addExternalCommands(program, { out, using, printJson });
  addServerCommands(mcp, { out, using, printJson, callerFolder: config.callerFolder });
  if (parts.serveMcp) addMcpServing(mcp, parts.serveMcp.bind(parts));
  addAssistantCommands(program, { out, using, printJson, callerFolder: config.callerFolder });

  program
    .command("migrate")
    .description("bring a database server's schema up to date, as its owner (FOOTNOTE_MIGRATE_DATABASE_URL)")
    .action(() => parts.migrate());

  return {
    async run(argv) {
      try {
        await program.parseAsync(argv, { from: "user" });
        return exitCode;
      } catch (thrown) {
        return explain(thrown, argv.includes("--json"), out, side);
      }
    },
  };
}

async function readToken(file: string | undefined): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const { text } = await import("node:stream/consumers");
  const token = (file ? await readFile(file, "utf8") : await text(process.stdin)).trim();
  if (!/^xox[a-z]-\S+$/.test(token)) throw new AppError("CONFIG_INVALID", "The bot token must begin with xoxb-.");
  return token;
}

/** Exit status 2 for a wrong call (commander has said why), 1 for a failed command. */
function explain(thrown: unknown, json: boolean, out: Output, side: Output): number {
  if (thrown instanceof Error && "exitCode" in thrown && typeof thrown.exitCode === "number") return thrown.exitCode === 0 ? 0 : 2;
  const error = thrown instanceof AppError ? thrown : (refusedBySystem(thrown) ?? new AppError("INTERNAL"));
  if (json) out.write(`${JSON.stringify({ status: "error", error: { code: error.code, message: error.message } })}\n`);
  else side.write(`${printable(error.message)}\n`);
  // A defect: the operator at this terminal needs its place in the code.
  if (error !== thrown && error.code === "INTERNAL" && thrown instanceof Error) side.write(`${thrown.stack ?? thrown.message}\n`);
  return 1;
}

/** What the operating system refused, as something an operator can mend. */
function refusedBySystem(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  switch (thrown.code) {
    case "EADDRINUSE":
      return new AppError(
        "PORT_TAKEN",
        `${"port" in thrown ? `Port ${thrown.port} is taken. ` : ""}Set FOOTNOTE_PORT and FOOTNOTE_PLAYGROUND_PORT to free ones.`,
      );
    case "EROFS":
    case "EACCES":
    case "EPERM":
    case "ENOTDIR":
      return new AppError("HOME_NOT_WRITABLE", "Set FOOTNOTE_HOME to a folder that this user may write to.");
    case "ENOSPC":
      return new AppError("HOME_NOT_WRITABLE", "The disk is full.");
    default:
      return undefined;
  }
}

const barWidth = 24;

function progressBar({ done, total, path, part }: IngestProgress): string {
  const name = printable(path.split("/").at(-1) ?? "");
  // One large file is a bar of its own; of many, only what is done counts.
  const [full, all] = part && total === 1 ? [part.done, part.total] : [done, total];
  const filled = all === 0 ? barWidth : Math.round((Math.min(full, all) / all) * barWidth);
  const bar = "█".repeat(filled).padEnd(barWidth, "░");
  const end = done === total ? "\n" : "";
  const within = part ? ` ${part.done} of ${part.total} ${part.step === "read" ? "parts read" : `passages ${part.step}`}` : "";
  return `\r\x1b[K${bar} ${done}/${total} ${name}${within}${end}`;
}
