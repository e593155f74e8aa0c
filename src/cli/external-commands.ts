import { type Command, Option } from "commander";
import { AppError } from "../core/errors.ts";
import type { ExternalDecision, ExternalToolReport } from "../operations.ts";
import type { CommandParts } from "./key-command.ts";
import { printable } from "./printable.ts";

interface InWorkspace {
  readonly workspace: string;
  readonly json?: boolean;
}

type Effect = NonNullable<ExternalDecision["effect"]>;

/** `footnote mcp list|show|approve|revoke`: which tools of external servers a workspace's assistants may call. */
export function addExternalCommands(program: Command, { out, using, printJson }: CommandParts): Command {
  const mcp = program
    .command("mcp")
    .description("tools of external MCP servers: look at them, approve them; or offer tools of this program to others")
    .enablePositionalOptions();
  mcp
    .command("list")
    .description("ask the servers what they offer, and list it with what was decided")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action(({ workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const report = await operations.externalTools(workspace);
        if (json) return printJson(report);
        for (const { name, problem, leftOut } of report.servers) {
          out.write(`${name}: ${problem === null ? "connected" : printable(problem)}\n`);
          for (const tool of leftOut) out.write(`  left out: ${printable(tool.name)}, because ${tool.reason}\n`);
        }
        for (const tool of report.tools)
          out.write(`${printable(addressOf(tool))}  ${tool.status}  ${tool.effect ?? "asks for each call"}\n`);
        out.write("Look at one with: footnote mcp show <tool>. Then: footnote mcp approve <tool>@<fingerprint> --effect <effect>\n");
      }),
    );
  mcp
    .command("show")
    .description("print a tool's definition, or what has changed in it since it was approved")
    .argument("<tool>")
    .requiredOption("--workspace <name>", "the workspace")
    .action((name: string, { workspace }: InWorkspace) =>
      using(async (operations) => {
        const { tools } = await operations.externalTools(workspace);
        const tool = tools.find((each) => each.name === name);
        if (!tool) throw new AppError("NOT_FOUND", `There are: ${tools.map((each) => each.name).join(", ") || "none"}.`);
        out.write(`${printable(addressOf(tool))}  ${tool.status}\n${tool.text.split("\n").map(printable).join("\n")}\n`);
      }),
    );
  mcp
    .command("approve")
    .description("approve tools in the form in which they were shown")
    .argument("<tools...>", "each as <tool>@<fingerprint>, as `list` and `show` print it")
    .requiredOption("--workspace <name>", "the workspace")
    .addOption(new Option("--effect <effect>", "what a call may do").choices(["read-inside", "read-outside", "side-effect", "destructive"]))
    .option("--json", "print one JSON object")
    .action((given: string[], { workspace, effect, json }: InWorkspace & { readonly effect?: Effect }) =>
      using(async (operations) => {
        const tools = Object.fromEntries(given.map((each) => [each.split("@")[0] ?? "", each.split("@")[1] ?? ""]));
        const names = await operations.decideExternal({ workspace, tools, approve: true, ...(effect && { effect }) });
        if (json) return printJson({ approved: names });
        for (const name of names) out.write(`${name} is approved.\n`);
        for (const name of Object.keys(tools).filter((each) => !names.includes(each)))
          out.write(
            `${printable(name)} is not approved: there is no such tool, or it is not in the form that was shown. Look again with: footnote mcp show\n`,
          );
      }),
    );
  mcp
    .command("connect")
    .description("print a link with which one person logs in at a server; its tools become known when the first one has")
    .argument("<server>")
    .requiredOption("--workspace <name>", "the workspace")
    .requiredOption("--as <person>", "who logs in: the link is theirs alone, works once and for ten minutes")
    .option("--json", "print one JSON object")
    .action((server: string, { workspace, as, json }: InWorkspace & { readonly as: string }) =>
      using(async (operations) => {
        const { url } = await operations.loginLink({ workspace, as, server });
        if (json) return printJson({ url });
        out.write(`${url}\n`);
      }),
    );
  mcp
    .command("logout")
    .description("destroy what is kept of one person's log-in at a server")
    .argument("<server>")
    .requiredOption("--workspace <name>", "the workspace")
    .requiredOption("--person <person>", "whose log-in")
    .action((server: string, { workspace, person: as }: InWorkspace & { readonly person: string }) =>
      using(async (operations) => {
        const had = await operations.logOut({ workspace, as, server });
        out.write(had ? "The log-in is destroyed.\n" : "There was no such log-in.\n");
      }),
    );
  mcp
    .command("revoke")
    .description("take approvals back")
    .argument("<tools...>")
    .requiredOption("--workspace <name>", "the workspace")
    .option("--json", "print one JSON object")
    .action((given: string[], { workspace, json }: InWorkspace) =>
      using(async (operations) => {
        const tools = Object.fromEntries(given.map((name) => [name, ""]));
        const names = await operations.decideExternal({ workspace, tools, approve: false });
        if (json) return printJson({ revoked: names });
        out.write(names.length > 0 ? `No longer approved: ${names.join(", ")}.\n` : "None of these was approved.\n");
      }),
    );
  return mcp;
}

const addressOf = ({ name, fingerprint }: ExternalToolReport): string => `${name}@${fingerprint}`;
