import type { Command } from "commander";
import { parse } from "yaml";
import { type ManifestOptions, manifestFor } from "./manifest.ts";
import type { Output } from "./terminal-sink.ts";

/** `footnote manifest`: what to paste at api.slack.com/apps. */
export function addManifestCommand(
  program: Command,
  { out, printJson, manifest }: { readonly out: Output; printJson(value: unknown): void; readonly manifest: () => Promise<string> },
): void {
  program
    .command("manifest")
    .description("print the Slack app's manifest, to be pasted at api.slack.com/apps")
    .option("--http <address>", "Slack posts to this public address; over Socket Mode without it")
    .option("--install <address>", "workspaces and organisations install the app from this public address; one workspace does without it")
    .option("--json", "print it as one JSON object, which Slack takes as well")
    .action(async ({ json, ...options }: ManifestOptions & { readonly json?: boolean }) => {
      const text = manifestFor(await manifest(), options);
      if (json) printJson(parse(text));
      else out.write(text);
    });
}
