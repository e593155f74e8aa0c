import type { Command } from "commander";
import type { Clock } from "../core/clock.ts";
import type { EmbedderReport, MendedReport } from "../operations/knowledge.ts";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";
import type { Output } from "./terminal-sink.ts";

export interface KnowledgeCommandParts extends CommandParts {
  readonly side: Output;
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
  /** Fetches a model for `embedder use`; gives its name. */
  installModel?(request: { readonly model: string; readonly from?: string }, onProgress: (line: string) => void): Promise<string>;
}

/** How often a switch is looked at while it is waited for. */
const POLL_MS = 1_000;

/** `footnote embedder list|use|forget|install` and `footnote full-text mend`: what the search stands on. */
export function addKnowledgeCommands(
  program: Command,
  { out, side, using, printJson, clock, signal, installModel }: KnowledgeCommandParts,
): void {
  const embedder = program.command("embedder").description("embedding models: which there are, which one is in use");
  const show = (json: boolean | undefined, embedders: readonly EmbedderReport[]): void => {
    if (json) printJson({ embedders });
    else out.write(printable(embedders.map(line).join("")));
  };
  embedder
    .command("list")
    .option("--json", "print one JSON object")
    .action(({ json }: { json?: boolean }) => using(async (operations) => show(json, await operations.embedders())));
  embedder
    .command("use")
    .description("make vectors with this model while questions go on being asked with the other one, then switch")
    .argument("<name>", "as `embedder list` shows it")
    .option("--background", "don't wait for the end; the running program goes on with it")
    .option("--json", "print one JSON object")
    .action((name: string, { background, json }: { background?: boolean; json?: boolean }) =>
      using(async (operations) => {
        let embedders = await operations.useEmbedder(name);
        const mine = () => embedders.find((each) => each.name === name);
        while (!background && mine()?.status === "preparing") {
          if (!json) side.write(printable(`${progressOf(mine())}\n`));
          await clock.sleep(POLL_MS, signal);
          embedders = await operations.embedders();
        }
        show(json, embedders);
      }),
    );
  embedder
    .command("forget")
    .description("delete the vectors of a model that is no longer in use")
    .argument("<name>", "as `embedder list` shows it")
    .option("--json", "print one JSON object")
    .action((name: string, { json }: { json?: boolean }) => using(async (operations) => show(json, await operations.forgetEmbedder(name))));
  if (installModel)
    embedder
      .command("install")
      .description("fetch a sentence-transformer (ONNX) into the data folder, e.g. Xenova/multilingual-e5-small (about 130 MB)")
      .argument("<model>", "owner/model")
      .option("--from <url>", "a host that serves as Hugging Face does")
      .option("--json", "print one JSON object")
      .action(async (model: string, { from, json }: { from?: string; json?: boolean }) => {
        const name = await installModel({ model, ...(from !== undefined && { from }) }, (progress) =>
          side.write(printable(`${progress}\n`)),
        );
        if (json) return printJson({ name });
        out.write(
          printable(
            `Installed. Use it: npm install --no-save @huggingface/transformers@4.3.2 (475 MB), then footnote embedder use ${name}\n`,
          ),
        );
      });

  program
    .command("full-text")
    .description("the full-text index beside the database (MEILI_URL)")
    .command("mend")
    .description("compare it with the database and mend what differs")
    .option("--workspace <name>", "of this workspace only")
    .option("--json", "print one JSON object")
    .action(({ json, workspace }: { json?: boolean; workspace?: string }) =>
      using(async (operations) => {
        const workspaces = await operations.mendFullText(workspace === undefined ? {} : { workspace });
        if (json) return printJson({ workspaces });
        out.write(printable(workspaces.map(mended).join("")));
      }),
    );
}

const progressOf = (report: EmbedderReport | undefined): string => {
  const { embedded = 0, passages = 0, problem } = report ?? {};
  return `${embedded} of ${passages} passages${problem === undefined ? "" : `; tried again: ${problem}`}`;
};

const line = ({ name, dimensions, status, passages, embedded, indexed }: EmbedderReport): string => {
  const unindexed = !indexed && status !== "available" ? "  no index: run footnote migrate" : "";
  return `${name}  ${dimensions} dimensions  ${status}  ${embedded} of ${passages} passages${unindexed}\n`;
};

function mended({ workspace, rewritten, removed, prepared }: MendedReport): string {
  const changes = [
    ...(prepared ? ["set up anew"] : []),
    ...(rewritten > 0 ? [`${rewritten} documents written anew`] : []),
    ...(removed > 0 ? [`${removed} unknown documents removed`] : []),
  ];
  return `${workspace}  ${changes.join(", ") || "as it should be"}\n`;
}
