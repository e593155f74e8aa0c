import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";
import { readText } from "./read-text.ts";

interface InWorkspace {
  readonly workspace: string;
  readonly json?: boolean;
}

/** `footnote template list|export|apply|use` and `footnote flag list|set|unset`: how the bot behaves in a workspace's channels. */
export function addAssistantCommands(program: Command, parts: CommandParts & { readonly callerFolder: string }): void {
  addTemplateCommands(program.command("template").description("list, store and choose templates for channels"), parts);
  addFlagCommands(program.command("flag").description("release features to a workspace, or take them back"), parts);
}

function addTemplateCommands(
  template: Command,
  { out, using, printJson, callerFolder }: CommandParts & { readonly callerFolder: string },
): void {
  template
    .command("list")
    .description("list a workspace's templates, the built-in ones too")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action(({ workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const templates = await operations.templates(workspace);
        if (json) return printJson({ templates });
        for (const { name, title, version } of templates)
          out.write(`${name}  ${title}  ${version === 0 ? "built in" : `version ${version}`}\n`);
      }),
    );
  template
    .command("apply")
    .description("store a template from a YAML file; channels that use it follow at once")
    .argument("<file>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--check", "store nothing, only show what it would change")
    .option("--json", "print one JSON object")
    .action(async (file: string, { workspace, json, check = false }: InWorkspace & { readonly check?: boolean }) => {
      const yaml = await readText(resolve(callerFolder, file), "TEMPLATE_INVALID");
      await using(async (operations) => {
        const applied = await operations.applyTemplate({ workspace, yaml, check });
        if (json) return printJson(applied);
        if (applied.status !== "added") out.write(applied.diff.map((line) => printable(`${line}\n`)).join(""));
        const outcome = check ? `would be ${applied.status}` : `${applied.status} (version ${applied.version})`;
        out.write(`${applied.name} ${outcome}.\n`);
      });
    });
  template
    .command("export")
    .description("print the newest version of a template as YAML, for a file that apply takes")
    .argument("<name>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action((name: string, { workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const exported = await operations.exportTemplate({ workspace, name });
        if (json) printJson({ name, ...exported });
        else out.write(printable(exported.yaml));
      }),
    );
  template
    .command("use")
    .description("make a template a channel's assistant")
    .argument("<name>")
    .requiredOption("--workspace <name>", "the workspace")
    .requiredOption("--channel <name>", "the channel; its id is kept, so that it can be renamed")
    .option("--json", "print one JSON object")
    .action((name: string, { workspace, channel, json }: InWorkspace & { readonly channel: string }) =>
      using(async (operations) => {
        const used = await operations.useTemplate({ workspace, channel, name });
        if (json) return printJson(used);
        out.write(
          used.status === "changed" ? `#${used.channel} now uses ${used.name}.\n` : `#${used.channel} used ${used.name} already.\n`,
        );
      }),
    );
}

function addFlagCommands(group: Command, { out, using, printJson }: CommandParts): void {
  group
    .command("list")
    .description("list the feature flags that there are, and which are set for a workspace")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action(({ workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const flags = await operations.flags(workspace);
        if (json) return printJson({ flags });
        if (flags.length === 0) out.write("No tool stands behind a flag.\n");
        for (const { flag, set, tools } of flags)
          out.write(printable(`${flag}  ${set ? "released" : "not released"}  ${tools.join(", ") || "no tool has it any more"}\n`));
      }),
    );
  for (const [verb, set] of [
    ["set", true],
    ["unset", false],
  ] as const)
    group
      .command(verb)
      .description(set ? "release what a feature flag guards" : "take it back")
      .argument("<flag>")
      .requiredOption("--workspace <name>", "the workspace")
      .option("--json", "print one JSON object")
      .action((flag: string, { workspace, json }: InWorkspace) =>
        using(async (operations) => {
          const report = await operations.setFlag({ workspace, flag, set });
          if (json) return printJson(report);
          out.write(`Released to ${workspace}: ${report.flags.join(", ") || "nothing beside what everybody has"}.\n`);
        }),
      );
}
