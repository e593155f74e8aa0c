import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";
import { readText } from "./read-text.ts";

interface InWorkspace {
  readonly workspace: string;
  readonly json?: boolean;
}

/** `footnote mcp server list|add|remove`: external servers that a workspace has of its own. */
export function addServerCommands(
  mcp: Command,
  { out, using, printJson, callerFolder }: CommandParts & { readonly callerFolder: string },
): void {
  const server = mcp.command("server").description("external servers that one workspace has of its own, as its admins add them in Slack");
  server
    .command("list")
    .description("print them as a file that `add` takes, without their secrets")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action(({ workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const servers = await operations.ownServers(workspace);
        if (json) return printJson({ servers });
        if (servers.length === 0) out.write("servers: {}\n");
        for (const [at, { yaml, problem }] of servers.entries()) {
          const [head = "", ...lines] = yaml.trimEnd().split("\n");
          const all = [...(at === 0 ? [head] : []), ...(problem === null ? [] : [`  # ${problem}`]), ...lines];
          out.write(all.map((line) => `${printable(line)}\n`).join(""));
        }
      }),
    );
  server
    .command("add")
    .description("add or change those in a YAML file; others stay, and so does a header's value that the file leaves out")
    .argument("<file>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--check", "store nothing, only show what it would change")
    .option("--json", "print one JSON object")
    .action(async (file: string, { workspace, json, check = false }: InWorkspace & { readonly check?: boolean }) => {
      const yaml = await readText(resolve(callerFolder, file), "SERVERS_INVALID");
      await using(async (operations) => {
        const servers = await operations.applyServers({ workspace, yaml, check });
        if (json) return printJson({ servers });
        for (const { name, status, diff } of servers) {
          out.write(diff.map((line) => `${printable(line)}\n`).join(""));
          out.write(`${name} ${check ? "would be " : ""}${status}.\n`);
        }
        if (!check && servers.some(({ status }) => status !== "unchanged"))
          out.write(printable(`Look at what they offer, and approve it: footnote mcp list --workspace ${workspace}\n`));
      });
    });
  server
    .command("remove")
    .description("remove one, with its approvals and everybody's log-ins there")
    .argument("<name>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action((name: string, { workspace, json }: InWorkspace) =>
      using(async (operations) => {
        await operations.removeServer({ workspace, name });
        if (json) return printJson({ removed: name });
        out.write(printable(`Removed ${name}.\n`));
      }),
    );
}
